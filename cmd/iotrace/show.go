package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/report/benchmarks"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/text"
)

type showCommand struct {
	*cli.App
	full   bool
	json   bool
	strict bool
	by     string
}

func newShowCommand(a *cli.App) *cobra.Command {
	s := &showCommand{App: a}
	c := &cobra.Command{
		Use:   "show FILE",
		Short: "Print what happened in a trace",
		Long:  cli.Help("show"),
		Example: `  iotrace show cp.iotrace
  iotrace show --json cp.iotrace | jq '.copies[].method'`,
		Args: oneTrace,
		RunE: func(c *cobra.Command, args []string) error {
			if s.by != "" {
				if _, err := content.ParseGrouping(s.by); err != nil {
					return cli.Usage(c, fmt.Errorf("--by %w", err))
				}
			}
			return s.run(args[0])
		},
	}
	c.Flags().BoolVar(&s.full, "full", false, "print everything")
	c.Flags().StringVar(&s.by, "by", "", "put processes together by `GROUP`: cgroup, container or user")
	c.Flags().BoolVar(&s.json, "json", false, "print JSON (docs/json.md)")
	c.Flags().BoolVar(&s.strict, "strict", false, "fail if the trace is not complete")
	return c
}

func (s *showCommand) run(path string) error {
	if isBench, err := baseline.IsReport(path); err == nil && isBench {
		return s.results(path)
	}
	p, err := analyzer.AnalyzeAhead(path, analyzer.Options{})
	if err != nil {
		return err
	}
	if s.json {
		err = content.JSON(s.Out, p)
	} else {
		style := s.Style()
		style.Full, style.By = s.full, content.Grouping(s.by)
		err = text.Profile(s.Out, p, style)
	}
	if err == nil && s.strict {
		err = incomplete(p)
	}
	return err
}

// results prints those of a benchmark.
func (s *showCommand) results(path string) error {
	if s.json {
		exact, err := baseline.ReadExact(path)
		if err != nil {
			return err
		}
		return cli.PrintJSON(s.Out, exact)
	}
	results, err := baseline.ReadResults(path)
	if err != nil {
		return err
	}
	return benchmarks.WriteResults(s.Out, results)
}

// showText prints the summary of a trace.
func showText(out cli.Stream, path string) error {
	p, err := analyzer.AnalyzeAhead(path, analyzer.Options{})
	if err != nil {
		return err
	}
	return text.Profile(out, p, cli.StyleOf(out))
}

// incomplete is the error of --strict.
func incomplete(p *profile.Profile) error {
	var why error
	switch {
	case p.Trace.Reason == "interrupted":
		why = errors.New("the recording was interrupted: the trace has no end")
	case p.Trace.Reason == "error":
		why = errors.New("the recording ended with an error (the warnings say which)")
	case p.Lost.Total > 0:
		why = errors.New("events were lost (the warnings say what to do)")
	case p.Trace.Damaged > 0:
		why = errors.New("parts of the trace are damaged")
	default:
		return nil
	}
	return &cli.StatusError{Status: cli.ExitIncomplete, Err: why}
}
