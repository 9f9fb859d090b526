package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/report"
)

type showOptions struct {
	json   bool
	strict bool
}

func newShowCommand(a *app) *cobra.Command {
	var o showOptions
	c := &cobra.Command{
		Use:   "show FILE",
		Short: "Print what happened in a trace",
		Long: `Show prints what a trace says: the command, how its files were copied, where the
time went, and what files, devices and processes did. FILE may be - for standard
input.

Exit status: 0, 1 for an error, 2 for a wrong command line, 3 with --strict if
events were lost or the recording was interrupted.`,
		Example: `  iotrace show cp.iotrace
  iotrace show --json cp.iotrace | jq '.copies[].method'`,
		Args: file,
		RunE: func(_ *cobra.Command, args []string) error { return a.show(&o, args[0]) },
	}
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
		err = text(a.Out, p)
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
	return text(out, p)
}

func text(out ui.Stream, p *analyzer.Profile) error {
	return report.Text(io.Writer(out), p, report.TextOptions{Width: out.Width(), Color: out.Color()})
}

// incomplete is the error of --strict.
func incomplete(p *analyzer.Profile) error {
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
