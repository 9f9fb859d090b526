package benchmark

import (
	"errors"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/generator"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/interrupt"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/benchmarks"
)

type sustainedCommand struct {
	*cli.App
	dir     string
	total   unit.SizeFlag
	file    unit.SizeFlag
	half    bool
	rest    unit.DurationFlag
	json    bool
	threads bool
	seed    int64
	quiet   bool
}

func newSustainedCommand(a *cli.App) *cobra.Command {
	o := &sustainedCommand{App: a, rest: unit.DurationFlag(time.Minute)}
	c := &cobra.Command{
		Use:   "sustained --dir DIR",
		Short: "Write until the drive throttles",
		Long:  cli.Help("sustained"),
		Example: `  iotrace bench sustained --dir /mnt/usb
  sudo iotrace bench sustained --dir /mnt/usb --total 300GB --half-rate`,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.dir == "" {
				return cli.Usage(c, errors.New("no directory to write to: name one with --dir DIR"))
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
	f.BoolVar(&o.json, "json", false, "print JSON (docs/baselines.md)")
	f.BoolVar(&o.threads, "threads", false, "keep the queue depth with threads instead of io_uring")
	f.Int64Var(&o.seed, "seed", 0, "repeat the data of a former run")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "announce nothing and show no progress")
	return c
}

func (o *sustainedCommand) run() (err error) {
	if err := cli.WorkIn(o.dir); err != nil {
		return err
	}
	s, err := generator.NewSustained(generator.SustainedConfig{
		Dir: o.dir, Total: int64(o.total), FileSize: int64(o.file), HalfRate: o.half, Rest: time.Duration(o.rest),
		Threads: o.threads, Seed: o.seed, Tool: cli.Tool(),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	stop := interrupt.Catch()
	defer stop.Release()
	var now atomic.Pointer[baseline.SustainedProgress]
	now.Store(&baseline.SustainedProgress{})
	end := func() {}
	if !o.quiet {
		o.Tell(s.Plan() + "\n")
		end = cli.ShowProgress(o.Err, func() string { return benchmarks.SustainedProgress(*now.Load()) })
	}
	report, runErr := s.Run(stop.Context, func(p baseline.SustainedProgress) { now.Store(&p) })
	end()
	if o.json {
		err = cli.PrintJSON(o.Out, report)
	} else {
		err = benchmarks.WriteSustained(o.Out, visible.Clone(report))
	}
	return errors.Join(err, stop.Explain(runErr, interrupt.Removed))
}
