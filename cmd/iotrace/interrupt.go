package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// interrupt turns the first SIGINT, SIGTERM or SIGHUP into the end of a context; the second one has its usual effect.
type interrupt struct {
	ctx     context.Context
	release func()
	got     atomic.Int32
}

func interruptible() *interrupt {
	ctx, cancel := context.WithCancel(context.Background())
	i := &interrupt{ctx: ctx}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGINT, unix.SIGTERM, unix.SIGHUP)
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
	i.release = func() { signal.Stop(signals); cancel() }
	return i
}

// explain turns the error of work that was cut short by a signal into the exit status for it; left says what that work
// has left behind.
func (i *interrupt) explain(err error, left string) error {
	if s := i.got.Load(); s != 0 && errors.Is(err, context.Canceled) {
		name := unix.SignalName(unix.Signal(s))
		return &statusError{exitSignal + int(s), fmt.Errorf("interrupted by %s; %s", name, left)}
	}
	return err
}

// removed is what is left behind by work that makes files for itself alone.
const removed = "the files were removed"
