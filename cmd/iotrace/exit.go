package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

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
	case errors.As(err, &status):
		return status.status
	}
	return exitError
}
