package cli

// This file cancels work on a signal, so that it can clean up after itself.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Interrupt turns the first SIGINT, SIGTERM or SIGHUP into the end of a context; the second one has its usual effect.
type Interrupt struct {
	Context context.Context
	Release func() // gives the signals their usual effect back, and ends the context
	got     atomic.Int32
}

// Catch begins to wait for a signal. One that was to be ignored, as nohup asks for, goes on being ignored.
func Catch() *Interrupt {
	ctx, cancel := context.WithCancel(context.Background())
	i := &Interrupt{Context: ctx}
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		select {
		case s := <-signals:
			if s, ok := s.(unix.Signal); ok {
				i.got.Store(int32(s))
			}
			signal.Stop(signals)
			cancel()
		case <-ctx.Done():
		}
	}()
	i.Release = func() { signal.Stop(signals); cancel() }
	return i
}

// Error is of work that a signal cut short.
type Error struct {
	Signal unix.Signal
	Left   string // what the work has left behind
}

func (e *Error) Error() string {
	return fmt.Sprintf("interrupted by %s; %s", unix.SignalName(e.Signal), e.Left)
}

// Explain turns the error of work that was cut short by the signal into an *Error.
func (i *Interrupt) Explain(err error, left string) error {
	if s := i.got.Load(); s != 0 && errors.Is(err, context.Canceled) {
		return &Error{unix.Signal(s), left}
	}
	return err
}

// Removed is what is left behind by work that makes files for itself alone.
const Removed = "the files were removed"
