package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/benchmarks"
)

// reviewOptions are what bench needs for a review: everyday work instead of patterns.
type reviewOptions struct {
	with  []string
	sizes []string
	rest  unit.DurationFlag
}

func (o *reviewOptions) addFlags(f *pflag.FlagSet) {
	f.StringSliceVar(&o.with, "with", nil, "measure everyday `WORK` instead of patterns: "+
		"blackmagic,cp,tree,clone,launch,scrub, "+
		"and the curves blocks,depths,mix,files,sustained")
	f.StringSliceVar(&o.sizes, "sizes", []string{"1GiB"}, "`SIZES` of the files of --with, such as 1G,5G")
	f.Var(&o.rest, "rest", "wait after each run of --with, as reviews of drives that get warm do (default: none)")
}

// reviewRuns are made of each task without --runs: the least that have an interval.
const reviewRuns = 5

// workConfig is what the flags ask for.
func (o *benchCommand) workConfig() (c generator.ReviewConfig, err error) {
	c = generator.ReviewConfig{Dirs: o.dirs, Runs: o.runs, Tool: cli.Tool(), Seed: o.seed, Labels: o.named(),
		Rest: time.Duration(o.review.rest), Late: o.late}
	if c.Runs == 0 {
		c.Runs = reviewRuns
	}
	if len(o.dirs) == 0 {
		return c, errors.New("no directory to work in: name one with --dir DIR")
	}
	sizes, err := byteSizes(o.review.sizes)
	if err != nil {
		return c, err
	}
	c.Tasks, err = generator.Tasks(o.review.with, sizes)
	return c, err
}

// runReview does everyday work in the directories and prints what it took.
func (o *benchCommand) runReview(c generator.ReviewConfig) (err error) {
	if err := cli.WorkIn(o.dirs...); err != nil {
		return err
	}
	if o.output != "" {
		if c.Former, err = formerReview(o.output, o.force); err != nil {
			return err
		}
		c.Keep = func(r *baseline.Review) error { return o.keepResults(o.output, true, r) }
	}
	if c.Program, err = os.Executable(); err != nil {
		return fmt.Errorf("finding a program to start: %w", err)
	}
	s, err := generator.NewReview(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	stop := cli.Catch()
	defer stop.Release()
	if !o.quiet {
		o.Tell(benchmarks.ReviewAnnouncement(s.Planned()) + benchmarks.Trying)
	}
	left, err := s.Estimate(stop.Context, time.Duration(o.budget))
	if err != nil {
		return stop.Explain(err, cli.Removed)
	}
	if !o.quiet {
		o.Tell(benchmarks.Takes(left))
	}
	r, runErr := s.Run(stop.Context, o.reviewProgress())
	return errors.Join(o.print(r), stop.Explain(runErr, cli.Removed))
}

// reviewProgress says what is done now, once for each task.
func (o *benchCommand) reviewProgress() func(string, time.Duration) {
	last := ""
	return func(task string, left time.Duration) {
		if task != last && !o.quiet {
			o.Say("%s, %s\n", task, benchmarks.Left(left))
		}
		last = task
	}
}

// formerReview is what an interrupted review left in a file; nil if there is none.
func formerReview(file string, replace bool) (*baseline.Review, error) {
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) || err == nil && replace {
		return nil, nil
	}
	results, err := baseline.ReadExact(file) // it goes on
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
