package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/top"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

type topCommand struct {
	*cli.App
	scopeFlags
	metrics            metricsFlag
	batch, json, csv   bool
	interval, duration unit.DurationFlag
	count              int64
	rows               int
	backend            string
}

func (o *topCommand) addFlags(f *pflag.FlagSet) {
	f.BoolVarP(&o.batch, "batch", "b", false, "print tables, one set an interval")
	f.BoolVar(&o.json, "json", false, "print JSON, one object an interval and line")
	f.BoolVar(&o.csv, "csv", false, "print CSV, one row for each device, process and file of an interval")
	o.interval = unit.DurationFlag(time.Second)
	f.VarP(&o.interval, "interval", "i", "length of an interval")
	f.Int64VarP(&o.count, "count", "n", 0, "end after `N` intervals")
	f.Var(&o.duration, "duration", "end after this time (30, 1m30s)")
	f.IntVar(&o.rows, "rows", 10, "print at most `N` processes and N files in a table")
	o.scopeFlags.add(f, "look at")
	o.metrics.add(f)
	f.StringVar(&o.backend, "backend", backends.Automatic, "how to look: "+strings.Join(backends.Names(), ", "))
}

func newTopCommand(a *cli.App) *cobra.Command {
	o := &topCommand{App: a}
	c := &cobra.Command{
		Use:   "top",
		Short: "Show which devices, processes and files are busy now",
		Long:  cli.Help("top"),
		Example: `  sudo iotrace top
  sudo iotrace top --batch
  sudo iotrace top --json --interval 5s --count 12 > minute.jsonl`,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := errors.Join(o.check(), checkBackend(a.Backends, o.backend)); err != nil {
				return cli.Usage(c, err)
			}
			return o.run()
		},
	}
	o.addFlags(c.Flags())
	return c
}

// shortest is the shortest interval: a source looks for events every 32 ms.
const shortest = 100 * time.Millisecond

func (o *topCommand) check() error {
	forms := 0
	for _, asked := range []bool{o.batch, o.json, o.csv} {
		if asked {
			forms++
		}
	}
	switch {
	case forms > 1:
		return errors.New("--batch, --json and --csv are three forms of the same: want one of them")
	case forms == 0 && (!o.Out.IsTerminal() || os.Getenv("TERM") == "" || os.Getenv("TERM") == "dumb"):
		return errors.New("standard output is no terminal with a full screen: want --batch, --json or --csv")
	case time.Duration(o.interval) < shortest:
		return fmt.Errorf("an interval of %s: want at least %s", unit.Duration(time.Duration(o.interval)),
			unit.Duration(shortest))
	case o.count < 0 || o.count > 1<<40:
		return fmt.Errorf("%d intervals: want 1 or more", o.count)
	case o.rows < 0:
		return fmt.Errorf("%d rows: want none or more", o.rows)
	}
	return errors.Join(o.narrowFlags.check(), o.metrics.check())
}

func (o *topCommand) run() error {
	signals := cli.Catch()
	defer signals.Release()
	scope, err := o.scope()
	if err != nil {
		return err
	}
	scope.All = !o.any()
	stop, err := o.metrics.serve(o.Say)
	if err != nil {
		return err
	}
	defer stop()
	options := top.Options{
		Open:     func() (tracer.Source, error) { return o.Backends.Open(o.backend, 0, o.Warn) },
		Scope:    scope,
		Counters: o.metrics.counters,
		Opened:   o.metrics.opened,
		Interval: time.Duration(o.interval),
		Count:    o.count,
		Duration: time.Duration(o.duration),
	}
	if o.batch || o.json || o.csv {
		return top.Run(signals.Context, options, o.printer())
	}
	return top.Screen(signals.Context, options, top.Look{Color: o.Out.Color(), ASCII: o.Style().ASCII,
		Record: func() (top.Recording, error) { return recordBesides(o.backend, scope, o.arguments()) }})
}

// printer prints an interval in the form that was asked for.
func (o *topCommand) printer() func(*top.Interval) error {
	print := o.table
	switch {
	case o.json:
		print = func(i *top.Interval) error { return cli.PrintJSONLine(o.Out, i) }
	case o.csv:
		csv := visible.NewCSV(o.Out)
		print = func(i *top.Interval) error { return writeRows(csv, i) }
	}
	return func(i *top.Interval) error {
		if err := print(i); err != nil {
			return fmt.Errorf("printing interval %d: %w", i.Number, err)
		}
		return nil
	}
}

func (o *topCommand) table(i *top.Interval) error {
	_, err := io.WriteString(o.Out, top.IntervalText(i, o.Out.Width(), o.rows))
	return err
}

func writeRows(csv *visible.CSVWriter, i *top.Interval) error {
	rows := top.CSV(i)
	if i.Number == 1 {
		rows = append([][]string{top.CSVHead}, rows...)
	}
	for _, row := range rows {
		if err := csv.Write(row); err != nil {
			return err
		}
	}
	csv.Flush()
	return csv.Error()
}
