package cli

import (
	"context"
	"errors"
	"os/signal"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The first signal ends the work; one that is ignored, as nohup has it, does not.
func TestCatch(t *testing.T) {
	signal.Ignore(unix.SIGHUP)
	defer signal.Reset(unix.SIGHUP)
	i := Catch()
	defer i.Release()
	if err := unix.Kill(unix.Getpid(), unix.SIGHUP); err != nil {
		t.Fatal(err)
	}
	select {
	case <-i.Context.Done():
		t.Fatal("ended by a signal that is ignored")
	case <-time.After(50 * time.Millisecond):
	}
	if err := unix.Kill(unix.Getpid(), unix.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-i.Context.Done()
	var e *Error
	if err := i.Explain(context.Cause(i.Context), Removed); !errors.As(err, &e) || e.Signal != unix.SIGTERM {
		t.Error(err)
	}
}
