package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/tracer"
)

// The exit codes. A recorded command's own status, 126 and 127 come on top.
const (
	ExitOK         = 0
	ExitError      = 1
	ExitUsage      = 2
	ExitIncomplete = 3   // with --strict: events were lost, or the trace was interrupted
	ExitDifferent  = 4   // diff --exit-code found a difference
	ExitNotStarted = 125 // record: we failed before the command ran
	ExitSignal     = 128 // plus the signal
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

// Usage is the error of a command line that makes no sense; the user is sent to the help of the command.
func Usage(c *cobra.Command, err error) error { return &usageError{c.CommandPath(), err} }

// StatusError leaves with a certain status. Without an error nothing is said.
type StatusError struct {
	Status int
	Err    error
}

func (e *StatusError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Status)
	}
	return e.Err.Error()
}

func (e *StatusError) Unwrap() error { return e.Err }

// ExitCode is the one place that maps errors to exit codes.
func ExitCode(err error) int {
	var (
		status *StatusError
		misuse *usageError
		exec   *tracer.ExecError
		early  *tracer.InterruptedError
		cut    *Error
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &misuse):
		return ExitUsage
	case errors.As(err, &exec):
		return exec.Status
	case errors.As(err, &early):
		return ExitSignal + int(early.Signal)
	case errors.As(err, &cut):
		return ExitSignal + int(cut.Signal)
	case errors.As(err, &status):
		return status.Status
	}
	return ExitError
}
