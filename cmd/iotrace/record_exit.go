package main

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/tracer"
)

// recordError is the status to leave with after a recording, or the last of several: the command's own, unless the
// recording went wrong.
func recordError(result *tracer.Result, several bool, err error) error {
	switch {
	case err != nil && result.Ended && !several:
		err = fmt.Errorf("%w\nThe command itself %s", err, ended(result))
		return &cli.StatusError{Status: cli.ExitError, Err: err}
	case err != nil:
		return &cli.StatusError{Status: cli.ExitError, Err: err}
	case result.ExitCode != 0:
		return &cli.StatusError{Status: result.ExitCode}
	}
	return nil
}

// ended says how a command came to its end, where the status of this program
// says something else.
func ended(result *tracer.Result) string {
	if name := unix.SignalName(result.KilledBy); name != "" {
		return fmt.Sprintf("was ended by %s (status %d)", name, result.ExitCode)
	}
	return fmt.Sprintf("ended with status %d", result.ExitCode)
}

// notStarted is the error of a recording that did not begin. With a command
// the status tells it from everything the command itself could return.
func notStarted(err error, command []string) error {
	if len(command) == 0 {
		return err
	}
	return &cli.StatusError{Status: cli.ExitNotStarted, Err: err}
}
