package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer/whatif"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/text"
)

type whatifCommand struct {
	*app
	latency, bandwidth, cpu string
	readAhead, drive        string
	change                  whatif.Change
	json                    bool
}

func newWhatIfCommand(a *app) *cobra.Command {
	o := &whatifCommand{app: a}
	c := &cobra.Command{
		Use:   "whatif FILE",
		Short: "Predict how long a recorded workload would have taken on another drive, or done otherwise",
		Long: `Whatif simulates a recording with something changed: the drive, how many requests
are in flight, readahead, the processor, pauses, syncs, caches. The options may be
given together. Without any it tries a standard set, the shortest time first.

What threads computed, their pauses and the order of what they asked for stay as
they were; the drive is a queue whose times are taken from the recording itself
(docs/whatif.md). Behind each time stands an interval in which the true one is
likely to lie, and what the prediction takes for granted.

Exit status: 0, 1 for an error, such as a recording that says too little, 2 for a
wrong command line.`,
		Example: `  iotrace whatif cp.iotrace
  iotrace whatif cp.iotrace --latency 0.5x --bandwidth 2x
  iotrace whatif scan.iotrace --depth 8
  iotrace whatif cp.iotrace --device nvme0n1 --drive other.bench.json
  iotrace whatif scan.iotrace --latency 80us --bandwidth 3GB/s --warm`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if args[0] == "-" {
				return usage(c, errors.New("whatif reads a file, not standard input"))
			}
			if err := o.check(); err != nil {
				return usage(c, err)
			}
			return o.run(args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&o.change.Device, "device", "", "change the drive `NAME` only, such as nvme0n1 (default all)")
	f.StringVar(&o.drive, "drive", "", "another drive: the result `FILE` of bench --json on it")
	f.StringVar(&o.latency, "latency", "", "the drive's latency: a `FACTOR` such as 0.5x, or a time such as 80us each")
	f.StringVar(&o.bandwidth, "bandwidth", "", "the drive's bandwidth: a `FACTOR` such as 2x, or a rate such as 3GB/s")
	f.IntVar(&o.change.Depth, "depth", 0, "let each thread keep `N` requests in flight")
	f.StringVar(&o.readAhead, "readahead", "", "ask for `SIZE` ahead of each reader")
	f.StringVar(&o.cpu, "cpu", "", "a processor faster by a `FACTOR` such as 2x")
	f.BoolVar(&o.change.NoThink, "no-think", false, "leave out the pauses of the program")
	f.BoolVar(&o.change.NoSync, "no-fsync", false, "do not wait for data to be durable")
	f.BoolVar(&o.change.Warm, "warm", false, "everything that was read is in memory already")
	f.BoolVar(&o.json, "json", false, "print JSON (docs/json.md)")
	return c
}

// check makes a change of the options.
func (o *whatifCommand) check() (err error) {
	c := &o.change
	if o.latency != "" {
		if c.Latency, err = timesOf(o.latency); err != nil {
			each, failed := unit.ParseDuration(o.latency)
			if failed != nil || each <= 0 {
				return fmt.Errorf("--latency %s: want a factor such as 0.5x or a time such as 80us", o.latency)
			}
			c.Each = float64(each)
		}
	}
	if o.bandwidth != "" {
		if c.Bandwidth, err = timesOf(o.bandwidth); err != nil {
			rate, failed := unit.ParseRate(o.bandwidth)
			if failed != nil || rate <= 0 {
				return fmt.Errorf("--bandwidth %s: want a factor such as 2x or a rate such as 3GB/s", o.bandwidth)
			}
			c.Rate = float64(rate) / 1e9
		}
	}
	if o.cpu != "" {
		if c.CPU, err = timesOf(o.cpu); err != nil {
			return fmt.Errorf("--cpu %s: want a factor such as 2x", o.cpu)
		}
	}
	if o.readAhead != "" {
		if c.ReadAhead, err = unit.ParseBytes(o.readAhead); err != nil || c.ReadAhead <= 0 {
			return fmt.Errorf("--readahead %s: want a size such as 4MiB", o.readAhead)
		}
	}
	switch {
	case c.Depth < 0 || c.Depth > 1<<16:
		return fmt.Errorf("--depth %d: want 1 to 65536 requests", c.Depth)
	case c.Depth > 0 && c.ReadAhead > 0:
		return errors.New("--depth and --readahead both say how much is asked for ahead: give one of them")
	}
	return nil
}

// timesOf reads a factor such as 0.5x.
func timesOf(s string) (float64, error) {
	number, ok := strings.CutSuffix(s, "x")
	f, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(f >= 1e-6 && f <= 1e6) {
		return 0, errors.New("want a factor such as 2x")
	}
	return f, nil
}

func (o *whatifCommand) run(path string) error {
	r, err := whatif.Load(path)
	if err != nil {
		return err
	}
	if o.drive != "" {
		m, err := drive.Read(o.drive)
		if err != nil {
			return err
		}
		o.change.Drive = &m
	}
	if d := o.change.Device; d != "" && !slices.Contains(r.Devices(), d) {
		return fmt.Errorf("--device %s: the recording has requests of %s only", d, unit.List(r.Devices()))
	}
	scenarios := whatif.Standard()
	for i := range scenarios {
		scenarios[i].Change.Device = o.change.Device
	}
	if o.change != (whatif.Change{Device: o.change.Device}) {
		scenarios = []whatif.Scenario{{Name: o.words(), Change: o.change}}
	}
	var answers []whatif.Answer
	for _, s := range scenarios {
		answers = append(answers, r.Answer(s))
	}
	if o.json {
		return printJSON(o.Out, whatif.Result{Recorded: r.Recorded(), Answers: answers})
	}
	return text.WhatIf(o.Out, r.Command(), r.Recorded(), answers, o.style())
}

// words says what was changed as the options say it.
func (o *whatifCommand) words() string {
	var list []string
	add := func(given bool, format string, args ...any) {
		if given {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(o.drive != "", "the drive of %s", filepath.Base(o.drive))
	add(o.latency != "", "latency %s", o.latency)
	add(o.bandwidth != "", "bandwidth %s", o.bandwidth)
	add(o.change.Depth > 0, "%d in flight", o.change.Depth)
	add(o.readAhead != "", "readahead %s", o.readAhead)
	add(o.cpu != "", "processor %s", o.cpu)
	add(o.change.NoThink, "no pauses")
	add(o.change.NoSync, "no syncs")
	add(o.change.Warm, "warm")
	return strings.Join(list, ", ")
}
