package main

import (
	"bufio"
	"errors"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/whatif"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/report/page"
	"github.com/iotrace/iotrace/report/text"
)

type whatifCommand struct {
	*cli.App
	whatif.Options
	json   bool
	output string
	force  bool
	trial  trial
}

func newWhatIfCommand(a *cli.App) *cobra.Command {
	o := &whatifCommand{App: a}
	c := &cobra.Command{
		Use:   "whatif FILE",
		Short: "Predict how long a recorded workload would have taken on another drive, or with something changed",
		Long:  cli.Help("whatif"),
		Example: `  iotrace whatif cp.iotrace
  iotrace whatif cp.iotrace -o cp.whatif.html
  iotrace whatif cp.iotrace --latency 0.5x --bandwidth 2x
  iotrace whatif scan.iotrace --depth 8
  iotrace whatif cp.iotrace --device nvme0n1 --drive other.bench.json
  iotrace whatif scan.iotrace --latency 80us --bandwidth 3GB/s --warm
  iotrace whatif cp.iotrace --try methods --dir /mnt/usb
  iotrace whatif scan.iotrace --try --depth 8 --direct --dir /mnt/usb`,
		Args: o.trial.arguments,
		RunE: func(c *cobra.Command, args []string) error {
			path := o.trial.file(args)
			if path == "-" {
				return cli.Usage(c, errors.New("whatif reads a file, not standard input"))
			}
			if err := o.Read(); err != nil {
				return cli.Usage(c, err)
			}
			if err := o.trial.check(c, &o.Options); err != nil {
				return cli.Usage(c, err)
			}
			if o.output != "" && (o.trial.asked || o.json && o.output == "-") {
				return cli.Usage(c, errors.New("--output writes a page of the simulation: neither of --try, nor beside --json"))
			}
			if o.trial.asked {
				return o.try(path)
			}
			return o.run(path)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Device, "device", "", "change the drive `NAME` only, such as nvme0n1 (default all)")
	f.StringVar(&o.Drive, "drive", "", "another drive: the result `FILE` of bench --json on it")
	f.StringVar(&o.Latency, "latency", "", "the drive's latency: a `FACTOR` such as 0.5x, or a time such as 80us each")
	f.StringVar(&o.Bandwidth, "bandwidth", "", "the drive's bandwidth: a `FACTOR` such as 2x, or a rate such as 3GB/s")
	f.IntVar(&o.Depth, "depth", 0, "let each thread keep `N` requests in flight")
	f.StringVar(&o.Block, "block", "", "let direct reads and writes move `SIZE` at once where they follow each other")
	f.StringVar(&o.ReadAhead, "readahead", "", "ask for `SIZE` ahead of each reader")
	f.StringVar(&o.CPU, "cpu", "", "a CPU faster by a `FACTOR` such as 2x")
	f.BoolVar(&o.NoThink, "no-think", false, "leave out the pauses of the program")
	f.BoolVar(&o.Direct, "direct", false, "with --try: read and write past the page cache")
	f.BoolVar(&o.NoSync, "no-fsync", false, "do not wait for data to be durable")
	f.BoolVar(&o.Warm, "warm", false, "everything that was read is in memory already")
	f.StringVarP(&o.output, "output", "o", "", "write an HTML page to `FILE`; - is standard output")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing page")
	f.BoolVar(&o.json, "json", false, "print JSON (docs/whatif.md)")
	o.trial.flags(f)
	return c
}

func (o *whatifCommand) run(path string) error {
	r, err := whatif.Load(path)
	if err != nil {
		return err
	}
	if o.Drive != "" {
		m, err := drive.ReadBenchmark(o.Drive)
		if err != nil {
			return err
		}
		o.Change.Drive = &m
	}
	answers, err := r.Answers(o.Scenarios())
	if err != nil {
		return err
	}
	if o.output != "" {
		err := o.WriteFile(o.output, o.force, []string{path, o.Drive}, func(w *bufio.Writer) error {
			return page.WhatIf(w, r.Command(), r.Recorded().Wall, r.Recorded().Durable, analyzer.Prospects(answers))
		})
		if err != nil || o.output == "-" {
			return err
		}
		o.Say("Page: %s\n", o.output)
	}
	if o.json {
		return cli.PrintJSON(o.Out, whatif.Result{Recorded: r.Recorded(), Answers: answers})
	}
	return text.WhatIf(o.Out, r.Command(), r.Recorded(), analyzer.Prospects(answers), o.Style())
}
