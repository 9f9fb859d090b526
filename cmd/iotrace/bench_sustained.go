package main

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/benchmarks"
)

type sustainedCommand struct {
	benchPrinter
	dir     string
	total   unit.SizeFlag
	file    unit.SizeFlag
	half    bool
	rest    unit.DurationFlag
	budget  unit.DurationFlag
	before  unit.SizeFlag
	threads bool
	seed    int64
}

func newSustainedCommand(a *cli.App) *cobra.Command {
	o := &sustainedCommand{benchPrinter: benchPrinter{App: a}, rest: unit.DurationFlag(time.Minute)}
	c := &cobra.Command{
		Use:   "sustained --dir DIR",
		Short: "Write until the drive throttles",
		Long:  cli.Help("sustained"),
		Example: `  iotrace bench sustained --dir /mnt/usb
  sudo iotrace bench sustained --dir /mnt/usb --total 300GB --half-rate`,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := o.check(c.Flags()); err != nil {
				return cli.Usage(c, err)
			}
			return o.run()
		},
	}
	f := c.Flags()
	f.StringVarP(&o.dir, "dir", "d", "", "write in `DIR`")
	f.Var(&o.total, "total", "bytes to write in each pass (default: 100 GB, or what the disk holds)")
	f.Var(&o.file, "file-size", "size of each file (default: a 160th of the total)")
	f.BoolVar(&o.half, "half-rate", false, "repeat at half the rate, to tell a full cache from heat")
	f.Var(&o.rest, "rest", "pause before the half-rate pass")
	f.Var(&o.before, "precondition", "write `SIZE` twice in order and once at random before, kept until the end "+
		"(default: take the drive as it is)")
	f.Var(&o.budget, "budget", "end within about `TIME` (5m): writes less (default: no limit)")
	o.addFlags(f)
	f.BoolVar(&o.threads, "threads", false, "keep the queue depth with threads instead of io_uring")
	f.Int64Var(&o.seed, "seed", 0, "repeat the data of a former run")
	return c
}

// check reports flags that do not go together.
func (o *sustainedCommand) check(f *pflag.FlagSet) error {
	switch {
	case o.dir == "":
		return errors.New("no directory to write to: name one with --dir DIR")
	case f.Changed("rest") && !o.half:
		return errors.New("--rest is the pause before the second pass: add --half-rate")
	case o.force && o.html == "":
		return errors.New("--force replaces the file of --html: there is none")
	}
	return o.checkForms()
}

// announce says what will be written and how long that takes, and makes it as short as was asked for.
func (o *sustainedCommand) announce(ctx context.Context, s *generator.Sustained) error {
	if o.quiet && o.budget == 0 {
		return nil
	}
	left, err := s.Try(ctx, time.Duration(o.budget))
	if err == nil && !o.quiet {
		o.Tell(s.Plan() + "\n" + benchmarks.Takes(left))
	}
	return err
}

func (o *sustainedCommand) run() (err error) {
	if err := cli.WorkIn(o.dir); err != nil {
		return err
	}
	s, err := generator.NewSustained(generator.SustainedConfig{
		Dir: o.dir, Total: int64(o.total), FileSize: int64(o.file), HalfRate: o.half, Rest: time.Duration(o.rest),
		Precondition: int64(o.before), Threads: o.threads, Seed: o.seed, Tool: cli.Tool(),
		Late: func(announced, all time.Duration) {
			if !o.quiet {
				o.Tell(benchmarks.Late(announced, all))
			}
		},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	stop := cli.Catch()
	defer stop.Release()
	var now atomic.Pointer[baseline.SustainedProgress]
	now.Store(&baseline.SustainedProgress{})
	end := func() {}
	if err := o.announce(stop.Context, s); err != nil {
		return stop.Explain(err, cli.Removed)
	}
	if !o.quiet {
		end = cli.ShowProgress(o.Err, func() string { return benchmarks.SustainedProgress(*now.Load()) })
	}
	report, runErr := s.Run(stop.Context, func(p baseline.SustainedProgress) { now.Store(&p) })
	end()
	return errors.Join(o.print(report), stop.Explain(runErr, cli.Removed))
}
