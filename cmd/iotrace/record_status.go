package main

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/tracer"
)

// recordStatus is the status line of a recording. Until a command has ended the
// screen is its own, and nothing is shown unless somebody asks.
func recordStatus(m *tracer.Monitor, command, asked bool) string {
	phase, since := m.Phase()
	if command && !asked && phase != tracer.Draining && phase != tracer.Finishing {
		return ""
	}
	switch phase {
	case tracer.Attaching:
		return "iotrace: attaching probes"
	case tracer.Draining:
		return fmt.Sprintf("iotrace: waiting %s for data to be written back (Ctrl-C ends the wait)",
			unit.Duration(since))
	case tracer.Waiting:
		return "iotrace: recording has ended, waiting for the command"
	case tracer.Running:
		return fmt.Sprintf("iotrace: recording for %s, %s events",
			unit.Duration(since), unit.Count(int64(m.Events())))
	}
	return "iotrace: completing the trace"
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
