package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/workloads"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/benchmarks"
	"github.com/iotrace/iotrace/report/page"
)

// reviewOptions are what bench needs for a review: everyday work instead of patterns.
type reviewOptions struct {
	with   []string
	sizes  []string
	labels []string
}

func (o *reviewOptions) addFlags(f *pflag.FlagSet) {
	f.StringSliceVar(&o.with, "with", nil, "measure everyday `WORK` instead of patterns: cp,tree,clone,launch,scrub")
	f.StringSliceVar(&o.sizes, "sizes", []string{"1GiB"}, "`SIZES` of the files of that work (1G,5G)")
	f.StringArrayVar(&o.labels, "label", nil, "call a directory by another name in its tables: `DIR=NAME`")
}

// reviewRuns are made of each task without --runs: the least that have an interval.
const reviewRuns = 5

// workConfig is what the flags ask for.
func (o *benchCommand) workConfig() (c workloads.Config, err error) {
	c = workloads.Config{Dirs: o.dirs, Runs: o.runs, Tool: tool(), Seed: o.seed, Labels: map[string]string{}}
	if c.Runs == 0 {
		c.Runs = reviewRuns
	}
	if len(o.dirs) == 0 {
		return c, errors.New("no directory to work in: name one with --dir DIR")
	}
	for _, label := range o.review.labels {
		dir, name, ok := strings.Cut(label, "=")
		if !ok || name == "" {
			return c, fmt.Errorf("--label %s: want DIR=NAME", label)
		}
		c.Labels[dir] = name
	}
	var sizes []int64
	for _, s := range o.review.sizes {
		n, err := unit.ParseBytes(s)
		if err != nil {
			return c, err
		}
		sizes = append(sizes, n)
	}
	c.Tasks, err = workloads.Tasks(o.review.with, sizes)
	return c, err
}

// runReview does everyday work in the directories and prints what it took.
func (o *benchCommand) runReview(c workloads.Config) (err error) {
	if o.output != "" {
		if c.Former, err = formerReview(o.output, o.force); err != nil {
			return err
		}
		c.Keep = func(r *baseline.Review) error { // the file is replaced in one step: a crash leaves the results before
			return o.writeFile(o.output, true, func(w *bufio.Writer) error { return encoded(w, r) })
		}
	}
	if c.Program, err = os.Executable(); err != nil {
		return fmt.Errorf("finding a program to start: %w", err)
	}
	s, err := workloads.New(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	stop := interruptible()
	defer stop.release()
	left, err := s.Estimate(stop.ctx)
	if err != nil {
		return stop.explain(err, removed)
	}
	if !o.quiet {
		o.say("%s, each %s on each of %s. This takes about %s.\n", unit.Things(int64(len(c.Tasks)), "task"),
			unit.Things(int64(c.Runs), "time"), unit.Things(int64(len(c.Dirs)), "volume"), unit.Duration(left))
	}
	r, runErr := s.Run(stop.ctx, o.reviewProgress())
	return errors.Join(o.printReview(r), stop.explain(runErr, removed))
}

// reviewProgress says what is done now, once for each task.
func (o *benchCommand) reviewProgress() func(string, time.Duration) {
	last := ""
	return func(task string, left time.Duration) {
		if task != last && !o.quiet {
			o.say("%s, about %s left\n", task, unit.Duration(left))
		}
		last = task
	}
}

// formerReview is what an interrupted review left in a file; nil if there is none.
func formerReview(file string, replace bool) (*baseline.Review, error) {
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) || err == nil && replace {
		return nil, nil
	}
	results, err := baseline.ReadResults(file)
	if err != nil {
		return nil, err
	}
	r, ok := results.(*baseline.Review)
	if !ok {
		return nil, fmt.Errorf("reading %s: it holds no results of bench --with (choose another name with -o, or "+
			"replace it with -f)", file)
	}
	return r, nil
}

func encoded(w *bufio.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// printReview prints a review in the form that was asked for.
func (o *benchOutput) printReview(r *baseline.Review) error {
	if o.html != "" {
		err := o.writeFile(o.html, o.force, func(w *bufio.Writer) error { return page.Review(w, r) })
		if err != nil {
			return err
		}
		if !o.quiet {
			o.say("Page: %s\n", o.html)
		}
	}
	switch {
	case o.markdown:
		return benchmarks.WriteReviewMarkdown(o.Out, r)
	case o.csv:
		return benchmarks.WriteReviewCSV(o.Out, r)
	case o.json:
		return printJSON(o.Out, r)
	}
	return benchmarks.WriteReview(o.Out, r)
}
