package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/report"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/page"
	"github.com/iotrace/iotrace/report/text"
)

type diffOptions struct {
	json     bool
	all      bool
	exitCode bool
	failIf   []string
	output   string
	force    bool
}

func newDiffCommand(a *app) *cobra.Command {
	var o diffOptions
	c := &cobra.Command{
		Use:   "diff A B...",
		Short: "Compare a workload with others, or with benchmarks",
		Long: `Diff says how two workloads differ: block size, queue depth, mix, locality, think
time, cache mode, syncs, metadata, latency, throughput. For each it prints both
values, a distance and the effect in words, and a similarity for the whole
(docs/diff.md). A and B are each

  a trace            cp.iotrace
  a bench result     kdm.bench.json, or kdm.bench.json#PART for one of several
  a pattern          adm/seq1m-qd8: its declared values, no disk is needed

The reference is the benchmark if A is a trace, and otherwise A. Several B are
compared with A one by one, and summed up in a table. Repeated runs of the same
are given as A... -- B...: with four or more on both sides a difference is tested,
the outcome (wall time) first and by itself, and "~" means that their noise can
explain it.

--fail-if takes a dimension and a relative change, as in wall_time>+10%,
read_latency_p99>+20%, or similarity<0.9, and may be repeated. It tests that
dimension alone; too few runs to tell are an error.

Exit status: 0, 1 for an error, 2 for a wrong command line, 4 if --exit-code finds
a difference or --fail-if a threshold broken.`,
		Example: `  iotrace diff cp.iotrace adm/seq1m-qd8/write
  iotrace diff --all-patterns cp.iotrace
  iotrace diff --fail-if 'wall_time>+10%' old*.iotrace -- new*.iotrace
  iotrace diff cp.iotrace finder.iotrace rsync.iotrace`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			thresholds, err := o.check(args)
			if err != nil {
				return usage(c, err)
			}
			d, err := o.compare(args, c.ArgsLenAtDash())
			if err != nil {
				return err
			}
			if err := a.showDiff(&o, d); err != nil {
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

func (o *diffOptions) check(args []string) ([]compare.Threshold, error) {
	var thresholds []compare.Threshold
	for _, text := range o.failIf {
		t, err := compare.ParseThreshold(text)
		if err != nil {
			return nil, err
		}
		thresholds = append(thresholds, t)
	}
	switch {
	case o.all && len(args) != 1:
		return nil, fmt.Errorf("--all-patterns ranks the patterns for one trace or result, got %d arguments", len(args))
	case !o.all && len(args) < 2:
		return nil, errors.New("want two or more traces, bench results or patterns to compare")
	}
	return thresholds, nil
}

// compare sets the first side against the others. dash is the number of
// arguments before "--", which separates the runs of two sides.
func (o *diffOptions) compare(args []string, dash int) (*content.Diff, error) {
	if dash > 0 && dash < len(args) {
		a, err := joined(args[:dash])
		if err != nil {
			return nil, err
		}
		b, err := joined(args[dash:])
		if err != nil {
			return nil, err
		}
		return &content.Diff{Comparisons: []*compare.Comparison{compare.Compare(a, b)}}, nil
	}
	first, err := joined(args[:1])
	if err != nil {
		return nil, err
	}
	if o.all {
		ranks := compare.Ranking(first, baseline.Catalogue())
		return &content.Diff{Ranking: ranks, Comparisons: []*compare.Comparison{ranks[0].Comparison}}, nil
	}
	d := &content.Diff{}
	for _, arg := range args[1:] {
		others, err := sides(arg)
		if err != nil {
			return nil, err
		}
		for _, b := range others {
			d.Comparisons = append(d.Comparisons, compare.Compare(first, b))
		}
	}
	return d, nil
}

// joined makes one side of arguments that are runs of the same.
func joined(args []string) (*compare.Side, error) {
	var all []*compare.Side
	for _, arg := range args {
		found, err := sides(arg)
		if err != nil {
			return nil, err
		}
		if len(found) > 1 {
			var names []string
			for _, s := range found {
				names = append(names, s.Name)
			}
			return nil, fmt.Errorf("comparing %s: it stands for several: choose one of %s", arg, strings.Join(names, ", "))
		}
		if len(args) > 1 && found[0].Kind == compare.Pattern {
			return nil, fmt.Errorf("comparing %s: a pattern is declared, not run: it cannot be one of several runs", arg)
		}
		all = append(all, found[0])
	}
	return compare.Join(all), nil
}

func (a *app) showDiff(o *diffOptions, d *content.Diff) error {
	if o.output != "" {
		if err := a.writeFile(o.output, o.force, func(w *bufio.Writer) error { return page.Diff(w, d) }); err != nil {
			return err
		}
		if o.output == "-" {
			return nil
		}
		a.say("Report: %s\n", o.output)
	}
	if o.json {
		return report.DiffJSON(a.Out, d)
	}
	return text.Diff(a.Out, d, text.Options{Width: a.Out.Width(), Color: a.Out.Color()})
}

// verdict turns what was found into the exit status.
func (o *diffOptions) verdict(d *content.Diff, thresholds []compare.Threshold) error {
	var broken []string
	for _, c := range d.Comparisons {
		for _, t := range thresholds {
			found, is, err := t.Broken(c)
			if err != nil {
				return err
			}
			if is {
				broken = append(broken, t.Text+": "+found)
			}
		}
		if o.exitCode && len(c.Different()) > 0 && len(broken) == 0 {
			return &statusError{status: exitDifferent}
		}
	}
	if len(broken) > 0 {
		return &statusError{exitDifferent, errors.New("threshold broken: " + strings.Join(broken, "; "))}
	}
	return nil
}
