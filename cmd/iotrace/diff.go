package main

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/page"
	"github.com/iotrace/iotrace/report/text"
)

type diffCommand struct {
	*cli.App
	json     bool
	all      bool
	exitCode bool
	failIf   []string
	output   string
	force    bool
}

func newDiffCommand(a *cli.App) *cobra.Command {
	o := &diffCommand{App: a}
	c := &cobra.Command{
		Use:   "diff A B...",
		Short: "Compare a workload with others, or with benchmarks",
		Long:  cli.Help("diff"),
		Example: `  iotrace diff cp.iotrace adm/seq1m-qd8/write
  iotrace diff --all-patterns cp.iotrace
  iotrace diff --fail-if 'wall_time>+10%' old*.iotrace -- new*.iotrace
  iotrace diff cp.iotrace finder.iotrace rsync.iotrace`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			thresholds, err := o.check(args)
			if err != nil {
				return cli.Usage(c, err)
			}
			d, err := o.compare(args, c.ArgsLenAtDash())
			if err != nil {
				return err
			}
			if err := o.print(args, d); err != nil {
				return err
			}
			return o.verdict(d, thresholds)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print JSON (docs/diff.md)")
	f.BoolVarP(&o.all, "all-patterns", "a", false, "rank all patterns by their similarity to A")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit with 4 if anything differs")
	f.StringArrayVar(&o.failIf, "fail-if", nil, "exit with 4 if `THRESHOLD` is broken")
	f.StringVarP(&o.output, "output", "o", "", "write an HTML page to `FILE`; - is standard output")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing FILE")
	return c
}

func (o *diffCommand) check(args []string) ([]compare.Threshold, error) {
	var thresholds []compare.Threshold
	for _, limit := range o.failIf {
		t, err := compare.ParseThreshold(limit)
		if err != nil {
			return nil, err
		}
		thresholds = append(thresholds, t)
	}
	switch {
	case o.json && o.output == "-":
		return nil, errors.New("--json and -o - both write to standard output")
	case o.all && len(args) != 1:
		return nil, fmt.Errorf("--all-patterns ranks the patterns for one trace or result, got %d arguments", len(args))
	case !o.all && len(args) < 2:
		return nil, noTrace("want two or more traces, bench results or patterns to compare")
	}
	return thresholds, nil
}

// compare sets the first side against the others. dash is the number of arguments before "--", which separates the runs
// of two sides.
func (o *diffCommand) compare(args []string, dash int) (*content.Diff, error) {
	d := &content.Diff{}
	switch {
	case dash > 0 && dash < len(args):
		c, err := compareRuns(args[:dash], args[dash:])
		d.Comparisons = []*compare.Comparison{c}
		return d, err
	case o.all:
		ranks, err := compareWithPatterns(args[0])
		if err == nil {
			d.Ranking, d.Comparisons = ranks, []*compare.Comparison{ranks[0].Comparison}
		}
		return d, err
	}
	var err error
	d.Comparisons, err = compareEach(args[0], args[1:])
	return d, err
}

func (o *diffCommand) print(files []string, d *content.Diff) error {
	if o.output != "" {
		err := o.WriteFile(o.output, o.force, files, func(w *bufio.Writer) error { return page.Diff(w, d) })
		if err != nil {
			return err
		}
		if o.output == "-" {
			return nil
		}
		o.Say("Report: %s\n", o.output)
	}
	if o.json {
		return content.DiffJSON(o.Out, d)
	}
	return text.Diff(o.Out, d, o.Style())
}

// verdict turns what was found into the exit status.
func (o *diffCommand) verdict(d *content.Diff, thresholds []compare.Threshold) error {
	broken, err := compare.Breaches(d.Comparisons, thresholds)
	if err != nil {
		return err
	}
	if len(broken) > 0 {
		return &cli.StatusError{Status: cli.ExitDifferent, Err: errors.New("threshold broken: " + strings.Join(broken, "; "))}
	}
	differs := func(c *compare.Comparison) bool { return len(c.Different()) > 0 }
	if o.exitCode && slices.ContainsFunc(d.Comparisons, differs) {
		return &cli.StatusError{Status: cli.ExitDifferent}
	}
	return nil
}
