package main

// This file is the command bench: patterns of known benchmarks, everyday work, and writing until a drive slows.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/benchmarks"
)

// defaultPattern is run when none is named: the numbers most people quote.
const defaultPattern = "cdm/default"

type benchCommand struct {
	benchPrinter
	dirs    []string
	labels  []string
	size    unit.SizeFlag
	sizes   []string
	runs    int
	time    unit.DurationFlag
	output  string
	list    bool
	destroy string
	threads bool
	keep    bool
	seed    int64
	review  reviewOptions
	budget  unit.DurationFlag
	before  unit.SizeFlag
	results int // descriptor that takes the results of a recorded run; -1 for none
}

func (o *benchCommand) addFlags(f *pflag.FlagSet) {
	f.StringArrayVarP(&o.dirs, "dir", "d", nil, "work in `DIR`; several are compared in one table")
	f.Var(&o.size, "size", "size of the test file, or of all files of a file set (default: the pattern's)")
	f.StringSliceVar(&o.sizes, "file-sizes", nil, "`SIZES` of the files of one round of a file set (2MB,4MB,…)")
	f.IntVarP(&o.runs, "runs", "n", 0, "make `N` counted runs (default: the pattern's, at least 6 where they are short; "+
		"5 with --with)")
	f.Var(&o.time, "time", "measuring time of patterns that have one (default: the pattern's)")
	f.Var(&o.before, "precondition", "write `SIZE` twice in order and once at random before, kept until the end "+
		"(default: take the drive as it is)")
	f.Var(&o.budget, "budget", "end within about `TIME` (5m): shorter steps, then fewer runs (default: no limit)")
	f.StringVarP(&o.output, "output", "o", "",
		"record the runs to the trace `FILE`, and keep the results beside it; with --with keep the results in FILE, "+
			"from which the same command goes on")
	o.review.addFlags(f)
	f.StringArrayVar(&o.labels, "label", nil, "call a directory by another name in the tables: `DIR=NAME`")
	o.benchPrinter.addFlags(f)
	f.BoolVarP(&o.list, "list", "l", false, "list the suites, or what the named PATTERNs do, their sources and what "+
		"is only inferred")
	f.StringVar(&o.destroy, "destroy", "", "destroy what is on `DEVICE`: for patterns that need a whole device")
	f.BoolVar(&o.threads, "threads", false, "keep the queue depth with threads instead of io_uring")
	f.BoolVar(&o.keep, "keep-caches", false, "never drop the page cache of the system")
	f.Int64Var(&o.seed, "seed", 0, "repeat the orders, offsets and data of a former run")
	f.IntVar(&o.results, "results-fd", -1, "")
	_ = f.MarkHidden("results-fd")
}

func newBenchCommand(a *cli.App) *cobra.Command {
	o := &benchCommand{benchPrinter: benchPrinter{App: a}}
	c := &cobra.Command{
		Use:   "bench [PATTERN]...",
		Short: "Run the patterns of known benchmarks",
		Long:  cli.Help("bench"),
		Example: `  iotrace bench --list
  iotrace bench --list atto
  iotrace bench --dir /mnt/usb
  iotrace bench cdm/seq1m-q8t1 copy/loop-1m --dir /mnt/ext4 --dir /mnt/xfs
  iotrace bench --dir /mnt/a --dir /mnt/b --with cp,tree,clone,scrub --sizes 1G,5G
  sudo iotrace bench kdm --dir /mnt/usb --size 256MiB -o kdm.iotrace`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error { return o.run(c, args) },
	}
	o.addFlags(c.Flags())
	sustained := newSustainedCommand(a)
	cli.CheckArguments(sustained)
	c.AddCommand(sustained)
	return c
}

func (o *benchCommand) run(c *cobra.Command, args []string) error {
	if err := o.checkFlags(c.Flags(), args); err != nil {
		return cli.Usage(c, err)
	}
	if len(o.review.with) > 0 {
		work, err := o.workConfig()
		if err != nil {
			return cli.Usage(c, err)
		}
		return o.runReview(work)
	}
	patterns, err := o.patterns(args)
	if err != nil {
		return cli.Usage(c, err)
	}
	if o.list {
		return o.printList(patterns, len(args) == 0)
	}
	if err := errors.Join(o.check(patterns), checkUses(c.Flags(), patterns)); err != nil {
		return cli.Usage(c, err)
	}
	if o.results >= 0 {
		if err := host.VerifyParent(o.results); err != nil {
			return err
		}
	}
	if o.output != "" {
		return recordBench(&o.benchPrinter, o.output, func(fd int) []string { return o.commandLine(fd, args) })
	}
	return o.bench(patterns)
}

// patterns are those that the arguments name, each once, scaled.
func (o *benchCommand) patterns(args []string) ([]baseline.Pattern, error) {
	if len(args) == 0 {
		if o.list {
			return baseline.Catalogue(), nil
		}
		args = []string{defaultPattern}
	}
	sizes, err := byteSizes(o.sizes)
	if err != nil {
		return nil, err
	}
	all, err := baseline.LookupAll(args)
	if err != nil || o.list {
		return all, err
	}
	scale := baseline.Scale{Size: int64(o.size), Time: time.Duration(o.time), Runs: o.runs, Sizes: sizes}
	for i := range all {
		all[i] = all[i].Scaled(scale)
	}
	return all, nil
}

func byteSizes(texts []string) (sizes []int64, err error) {
	for _, s := range texts {
		n, err := unit.ParseBytes(s)
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

func (o *benchCommand) check(patterns []baseline.Pattern) error {
	if o.runs < 0 {
		return fmt.Errorf("%d runs: want at least 1", o.runs)
	}
	for _, p := range patterns {
		if p.Target == baseline.TargetDevice && o.destroy == "" {
			return fmt.Errorf(
				"pattern %s writes to a whole device and destroys what is on it: name the device with --destroy DEVICE", p.Name)
		}
		if p.Target == baseline.TargetFile && len(o.dirs) == 0 {
			return errors.New("no directory to work in: name one with --dir DIR")
		}
	}
	return nil
}

// errKept is of results that were to go to standard output, where the tables go.
var errKept = errors.New("-o keeps the results in a file: name one (--json prints them)")

func (o *benchCommand) config(patterns []baseline.Pattern) generator.Config {
	return generator.Config{
		Patterns: patterns, Dirs: o.dirs, Device: o.destroy, Seed: o.seed, Threads: o.threads,
		KeepCaches: o.keep, Tool: cli.Tool(), Late: o.late,
		Labels: o.named(), Precondition: int64(o.before),
	}
}

// late says that a run takes much longer than was announced.
func (o *benchCommand) late(announced, all time.Duration) {
	if !o.quiet {
		o.Tell(benchmarks.Late(announced, all))
	}
}

// bench runs patterns and prints what came of it, also when it was cut short.
func (o *benchCommand) bench(patterns []baseline.Pattern) (err error) {
	if err := cli.WorkIn(o.dirs...); err != nil {
		return err
	}
	b, err := generator.New(o.config(patterns))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	stop := cli.Catch()
	defer stop.Release()
	progress := func() {}
	if err := o.announce(stop.Context, b); err != nil {
		return stop.Explain(err, cli.Removed)
	}
	if !o.quiet {
		progress = cli.ShowProgress(o.Err, func() string { return benchmarks.Progress(b.Activity()) })
	}
	result, runErr := b.Run(stop.Context)
	progress()
	if o.results >= 0 {
		err = send(o.results, result)
	} else {
		result.Warnings = append(result.Warnings, notRecorded)
		err = o.print(result)
	}
	return errors.Join(err, stop.Explain(runErr, cli.Removed))
}

// announce says what will be written and how long that takes, and makes it as short as was asked for.
func (o *benchCommand) announce(ctx context.Context, b *generator.Bench) error {
	if o.quiet && o.budget == 0 {
		return nil
	}
	end := func() {}
	if !o.quiet {
		o.Tell(benchmarks.Announcement(b.Plan()) + benchmarks.Trying)
		end = cli.ShowProgress(o.Err, func() string { return benchmarks.Progress(b.Activity()) })
	}
	err := b.Try(ctx, time.Duration(o.budget))
	end()
	if err == nil && !o.quiet {
		o.Tell(benchmarks.Takes(b.Plan().Duration))
	}
	return err
}

var notRecorded = baseline.Warning{
	Code: baseline.NotRecorded, Text: "Tip: run as root with -o FILE to add request sizes and queue depth",
}

// commandLine is that of the recorded command: the same patterns, directories
// and limits, the results to a descriptor. The output of this process is left
// to the caller.
func (o *benchCommand) commandLine(fd int, args []string) []string {
	line := []string{"bench", fmt.Sprintf("--results-fd=%d", fd)}
	add := func(set bool, flag string) {
		if set {
			line = append(line, flag)
		}
	}
	for _, d := range o.dirs {
		line = append(line, "--dir="+d)
	}
	for _, l := range o.labels {
		line = append(line, "--label="+l)
	}
	for _, s := range o.sizes {
		line = append(line, "--file-sizes="+s)
	}
	add(o.size > 0, fmt.Sprintf("--size=%d", int64(o.size)))
	add(o.runs > 0, fmt.Sprintf("--runs=%d", o.runs))
	add(o.before > 0, fmt.Sprintf("--precondition=%d", int64(o.before)))
	add(o.budget > 0, "--budget="+time.Duration(o.budget).String())
	add(o.time > 0, "--time="+time.Duration(o.time).String())
	add(o.destroy != "", "--destroy="+o.destroy)
	add(o.seed != 0, fmt.Sprintf("--seed=%d", o.seed))
	add(o.threads, "--threads")
	add(o.keep, "--keep-caches")
	add(o.quiet, "--quiet")
	return append(append(line, "--"), args...)
}
