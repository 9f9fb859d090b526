package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/report"
	"github.com/iotrace/iotrace/report/text"
)

type showOptions struct {
	full   bool
	json   bool
	strict bool
}

func newShowCommand(a *app) *cobra.Command {
	var o showOptions
	c := &cobra.Command{
		Use:   "show FILE",
		Short: "Print what happened in a trace",
		Long: `Show prints what held the workload back (docs/verdict.md), where its time went,
what was copied, and what devices and files did. FILE may be - for standard input.
--full prints everything that is known besides: what was seen at each layer,
program starts, calls, processes, steps of the speed.

Exit status: 0, 1 for an error, 2 for a wrong command line, 3 with --strict if
events were lost or the recording was interrupted.`,
		Example: `  iotrace show cp.iotrace
  iotrace show --json cp.iotrace | jq '.copies[].method'`,
		Args: file,
		RunE: func(_ *cobra.Command, args []string) error { return a.show(&o, args[0]) },
	}
	c.Flags().BoolVar(&o.full, "full", false, "print everything")
	c.Flags().BoolVar(&o.json, "json", false, "print JSON (docs/json.md)")
	c.Flags().BoolVar(&o.strict, "strict", false, "fail if the trace is not complete")
	return c
}

func (a *app) show(o *showOptions, path string) error {
	p, err := analyzer.Analyze(path, analyzer.Options{})
	if err != nil {
		return err
	}
	if o.json {
		err = report.JSON(a.Out, p)
	} else {
		err = showProfile(a.Out, p, o.full)
	}
	if err != nil {
		return err
	}
	if o.strict {
		return incomplete(p)
	}
	return nil
}

// showText prints the summary of a trace.
func showText(out ui.Stream, path string) error {
	p, err := analyzer.Analyze(path, analyzer.Options{})
	if err != nil {
		return err
	}
	return showProfile(out, p, false)
}

// showProfile prints a profile for a person at a terminal.
func showProfile(out ui.Stream, p *profile.Profile, full bool) error {
	return text.Profile(io.Writer(out), p, text.Options{Width: out.Width(), Color: out.Color(), Full: full})
}

// incomplete is the error of --strict.
func incomplete(p *profile.Profile) error {
	var why error
	switch {
	case p.Trace.Reason == "interrupted":
		why = errors.New("the recording was interrupted: the trace has no end")
	case p.Lost.Total > 0:
		why = errors.New("events were lost (the warnings say what to do)")
	case p.Trace.Damaged > 0:
		why = errors.New("parts of the trace are damaged")
	default:
		return nil
	}
	return &statusError{exitIncomplete, why}
}
