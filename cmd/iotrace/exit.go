package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/internal/visible"
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

// run is the program: it returns the exit code.
func run(args []string, s ui.Streams, b []backend) int {
	root := newRoot(&app{Streams: s, backends: b})
	root.SetArgs(args)
	c, err := root.ExecuteC()
	code := exitCode(err)
	silent := (*statusError)(nil)
	switch {
	case err == nil, errors.As(err, &silent) && silent.err == nil:
	case wantsJSON(c):
		_ = json.NewEncoder(s.Err).Encode(jsonError{Kind: "error", Code: code, Message: err.Error()})
	default:
		fmt.Fprintf(s.Err, "iotrace: %s\n", visible.Lines(err.Error()))
	}
	return code
}

// jsonError is the last line on standard error of a command that failed and was
// asked for JSON.
type jsonError struct {
	Kind    string `json:"kind"` // "error"
	Code    int    `json:"code"` // the exit code
	Message string `json:"message"`
}

func wantsJSON(c *cobra.Command) bool {
	flag := c.Flags().Lookup("json")
	return flag != nil && flag.Value.String() == "true"
}

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

// checkArguments makes errors of a command's argument check usage errors, as
// cobra does for flags only.
func checkArguments(c *cobra.Command) {
	check := c.Args
	if check == nil {
		check = cobra.NoArgs
	}
	c.Args = func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usage(c, err)
		}
		return nil
	}
}

func unknownCommand(root *cobra.Command, name string) error {
	err := fmt.Errorf("unknown command %q", name)
	root.SuggestionsMinimumDistance = 2
	if like := root.SuggestionsFor(name); len(like) > 0 {
		err = fmt.Errorf("%w (did you mean %s?)", err, strings.Join(like, ", "))
	}
	return usage(root, err)
}

// file is the argument check of commands that read one trace.
func file(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 1:
		return nil
	case 0:
		return errors.New("want the trace file to read")
	}
	return fmt.Errorf("want one trace file, got %d arguments", len(args))
}
