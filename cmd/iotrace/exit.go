package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/interrupt"
	"github.com/iotrace/iotrace/tracer"
)

// The exit codes. A recorded command's own status, 126 and 127 come on top.
const (
	exitOK         = 0
	exitError      = 1
	exitUsage      = 2
	exitIncomplete = 3   // with --strict: events were lost, or the trace was interrupted
	exitDifferent  = 4   // diff --exit-code found a difference
	exitNotStarted = 125 // record: we failed before the command ran
	exitSignal     = 128 // plus the signal
)

// usageError is a command line that makes no sense.
type usageError struct {
	command string
	err     error
}

func (e *usageError) Error() string {
	return fmt.Sprintf("%v\nRun '%s --help' for usage.", e.err, e.command)
}

func (e *usageError) Unwrap() error { return e.err }

func usage(c *cobra.Command, err error) error { return &usageError{c.CommandPath(), err} }

// statusError leaves with a certain status. Without an error nothing is said.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// exitCode is the one place that maps errors to exit codes.
func exitCode(err error) int {
	var (
		status *statusError
		misuse *usageError
		exec   *tracer.ExecError
		early  *tracer.InterruptedError
		cut    *interrupt.Error
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &misuse):
		return exitUsage
	case errors.As(err, &exec):
		return exec.Status
	case errors.As(err, &early):
		return exitSignal + int(early.Signal)
	case errors.As(err, &cut):
		return exitSignal + int(cut.Signal)
	case errors.As(err, &status):
		return status.status
	}
	return exitError
}

// recordError is the status to leave with after a recording, or the last of several: the command's own, unless the
// recording went wrong.
func recordError(result *tracer.Result, several bool, err error) error {
	switch {
	case err != nil && result.Ended && !several:
		return &statusError{exitError, fmt.Errorf("%w\nThe command itself %s", err, ended(result.ExitCode))}
	case err != nil:
		return &statusError{exitError, err}
	case result.ExitCode != 0:
		return &statusError{status: result.ExitCode}
	}
	return nil
}

// ended says how a command came to its end, where the status of this program
// says something else.
func ended(status int) string {
	if status > exitSignal {
		return fmt.Sprintf("was ended by %s (status %d)", unix.SignalName(unix.Signal(status-exitSignal)), status)
	}
	return fmt.Sprintf("ended with status %d", status)
}

// notStarted is the error of a recording that did not begin. With a command
// the status tells it from everything the command itself could return.
func notStarted(err error, command []string) error {
	if len(command) == 0 {
		return err
	}
	return &statusError{exitNotStarted, err}
}
