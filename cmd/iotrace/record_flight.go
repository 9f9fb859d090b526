package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/flight"
)

// flightFlags are those of record that make it a flight recorder.
type flightFlags struct {
	keep    unit.DurationFlag
	size    unit.SizeFlag
	when    []string
	after   unit.DurationFlag
	most    int
	disk    unit.SizeFlag
	metrics metricsFlag
}

func (o *flightFlags) add(f *pflag.FlagSet) {
	f.Var(&o.keep, "keep", "write no trace yet: keep the last TIME in memory, until a condition of --when holds")
	o.size = 256 << 20
	f.Var(&o.size, "keep-size", "keep at most this much, packed")
	f.StringArrayVar(&o.when, "when", nil,
		"with --keep, write a trace into the directory of -o when `CONDITION` holds: 'request.latency > 100ms'")
	o.after = unit.DurationFlag(10 * time.Second)
	f.Var(&o.after, "after", "and of this long afterwards")
	f.IntVar(&o.most, "at-most", 6, "write at most `N` of these traces an hour; 0 means any number")
	o.disk = 1 << 30
	f.Var(&o.disk, "max-disk", "remove the oldest of these traces when they have more; 0 means any")
	o.metrics.add(f)
}

// flightNames are the flags that mean nothing without --keep.
var flightNames = []string{"keep-size", "when", "after", "at-most", "max-disk", "metrics"}

// otherNames are those that mean nothing with it.
var otherNames = []string{"force", "drain", "no-verify-copies", "runs", "warmup", "prepare", "ignore-failure"}

func (o *flightFlags) used(f *pflag.FlagSet) bool { return f.Changed("keep") }

// What can be kept.
const (
	mostKept  = 24 * time.Hour
	leastHeld = 1 << 20
	mostHeld  = 64 << 30
)

// checkFlight checks the flags of a flight recorder, and that they are not given without one.
func (o *recordCommand) checkFlight(f *pflag.FlagSet, command []string) error {
	if !o.flight.used(f) {
		for _, name := range flightNames {
			if f.Changed(name) {
				return fmt.Errorf("--%s is for a flight recorder: say with --keep how much to keep", name)
			}
		}
		return nil
	}
	for _, name := range otherNames {
		if f.Changed(name) {
			return fmt.Errorf("--%s is not for a flight recorder (--keep)", name)
		}
	}
	switch {
	case len(command) > 0:
		return errors.New("a flight recorder (--keep) runs no command: want --all, --name or --pid")
	case o.flight.keep <= 0 || time.Duration(o.flight.keep) > mostKept:
		return fmt.Errorf("--keep %s: want more than nothing and at most a day", o.flight.keep.String())
	case o.flight.after < 0 || time.Duration(o.flight.after) > mostKept:
		return fmt.Errorf("--after %s: want at most a day", o.flight.after.String())
	case o.flight.size < leastHeld || o.flight.size > mostHeld:
		return fmt.Errorf("--keep-size %s: want at least 1 MiB and at most 64 GiB", unit.BlockSize(int64(o.flight.size)))
	case o.flight.most < 0:
		return fmt.Errorf("--at-most %d: want none or more", o.flight.most)
	case len(o.flight.when) == 0:
		return fmt.Errorf("--keep without a condition: want --when '%s'", flight.ConditionExamples[0])
	case o.output == "" || o.output == tracer.Stdout:
		return errors.New("--keep writes several traces: name the directory for them with -o DIR")
	}
	when, err := o.conditions()
	if err == nil && len(o.files) > 0 {
		err = checkNarrow(when)
	}
	return errors.Join(err, o.flight.metrics.check())
}

func (o *recordCommand) conditions() (all []*flight.Condition, err error) {
	for _, text := range o.flight.when {
		c, wrong := flight.ParseCondition(text)
		all, err = append(all, c), errors.Join(err, wrong)
	}
	return all, err
}

// fly runs the flight recorder.
func (o *recordCommand) fly() error {
	user, err := tracer.InvokingUser()
	if err != nil {
		return err
	}
	when, err := o.conditions()
	if err != nil {
		return err
	}
	scope, err := o.scope(nil)
	if err != nil {
		return err
	}
	signals := tracer.CatchSignals()
	defer signals.Stop()
	warn := func(err error) { o.Say("iotrace: %s\n", o.Explain(err)) }
	stopServing, err := o.flight.metrics.serve(o.Say)
	if err != nil {
		return err
	}
	defer stopServing()
	asked, stop := o.askable(warn)
	defer stop()
	looked, stopLooking := cli.StatusRequests()
	defer stopLooking()
	return flight.Record(flight.Options{
		Scope:     scope,
		Open:      func() (tracer.Source, error) { return o.Backends.Open(o.backend, int(o.buffer), warn) },
		Keep:      time.Duration(o.flight.keep),
		After:     time.Duration(o.flight.after),
		Size:      int64(o.flight.size),
		When:      when,
		Dir:       o.output,
		Owner:     user,
		AtMost:    o.flight.most,
		MaxDisk:   int64(o.flight.disk),
		Asked:     asked,
		Looked:    looked,
		Duration:  time.Duration(o.duration),
		ReadyFile: o.readyFile,
		Tool:      cli.Tool(),
		Counters:  o.flight.metrics.counters,
		Opened:    o.flight.metrics.opened,
		Signals:   signals,
		Began:     o.flew,
		Wrote:     o.wrote,
		Failed:    warn,
		Status:    o.flies,
	})
}

// flew says that the recorder runs.
func (o *recordCommand) flew() {
	if !o.quiet {
		o.Say("iotrace: keeping the last %s; a trace is written to %s when a condition holds. Ctrl-C ends this.\n",
			unit.Duration(time.Duration(o.flight.keep)), o.output)
	}
}

// flies says how the recorder is, to whoever has sent it SIGUSR1.
func (o *recordCommand) flies(s flight.Status) {
	o.Say("iotrace: the last %s are kept, in %s; %s written\n", unit.Duration(s.Since), unit.Bytes(s.Held),
		unit.Things(int64(s.Written), "trace"))
}

// wrote tells of a trace, also when no summaries are wanted: it is what the recorder is there for.
func (o *recordCommand) wrote(w flight.Written) {
	o.Say("iotrace: %s\niotrace: trace of %s, %s: %s\n", wording.Trigger(profile.TriggerOf(&w.Trigger)),
		unit.Duration(w.Length), unit.Bytes(w.Size), w.Path)
	if w.Missing > 0 {
		o.Say("iotrace: it begins %s late: more events came than --keep-size has room for\n", unit.Duration(w.Missing))
	}
	if n := int64(len(w.Removed)); n > 0 {
		o.Say("iotrace: %s removed for it (--max-disk), the first was %s\n", unit.Things(n, "older trace"), w.Removed[0])
	}
}

// askable has SIGUSR2 and iotrace dump ask for a trace, until stop is called.
func (o *recordCommand) askable(warn func(error)) (asked <-chan flight.Asked, stop func()) {
	requests, ended := make(chan flight.Asked), make(chan struct{})
	ask := func() (string, error) { return flight.Ask(requests, ended) }
	usr2 := make(chan os.Signal, 1)
	signal.Notify(usr2, unix.SIGUSR2)
	go func() {
		for range usr2 {
			_, _ = ask() // what came of it is said as of every trace
		}
	}()
	server, err := flight.ServeDumps(ask)
	if err != nil {
		warn(fmt.Errorf("iotrace dump will not find this recorder, SIGUSR2 does: %w", err))
	}
	return requests, func() {
		signal.Stop(usr2)
		close(usr2)
		close(ended)
		if server != nil {
			_ = server.Close()
		}
	}
}
