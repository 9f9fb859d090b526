package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/top"
	"github.com/iotrace/iotrace/internal/host"
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

// besides is a recording of all that was started from the full screen. It is a process of its own: it goes on while the
// screen is slow, has its own buffer, and completes its file when the terminal goes away.
type besides struct {
	file string
	work *exec.Cmd
	said bytes.Buffer
	done chan struct{}
	err  error
}

// recordBesides starts one of what is looked at. It lasts an hour at most: nobody may be there any more to end it.
func recordBesides(backend string, scope tracer.Scope, flags []string) (top.Recording, error) {
	b := &besides{file: traceFileName(nil, scope, time.Now()), done: make(chan struct{})}
	args := append([]string{"record", "--backend", backend, "--quiet", "--duration", "1h", "-o", b.file}, flags...)
	b.work = exec.Command(host.Program(), args...)
	b.work.Stdout, b.work.Stderr = &b.said, &b.said
	if err := b.work.Start(); err != nil {
		return nil, fmt.Errorf("starting a recording: %w", err)
	}
	go func() {
		defer close(b.done)
		if b.err = b.work.Wait(); b.err != nil {
			if text := bytes.TrimSpace(b.said.Bytes()); len(text) > 0 {
				b.err = errors.New(string(text))
			}
			b.err = fmt.Errorf("recording: %w", b.err)
		}
	}()
	return b, nil
}

// File is the trace.
func (b *besides) File() string { return b.file }

// Done is closed when it has ended.
func (b *besides) Done() <-chan struct{} { return b.done }

// Stop ends it, and says what went wrong with it.
func (b *besides) Stop() error {
	_ = b.work.Process.Signal(unix.SIGINT) // it may have ended
	<-b.done
	return b.err
}
