package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/page"
)

// bench runs patterns and prints what came of it, also when it was cut short.
func (a *app) bench(o *benchOptions, patterns []baseline.Pattern) (err error) {
	b, err := baseline.New(o.config(patterns))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	stop := interruptible()
	defer stop.release()
	progress := func() {}
	if !o.quiet {
		a.announce(b.Plan())
		progress = a.benchProgress(b)
	}
	result, runErr := b.Run(stop.ctx)
	progress()
	if o.results < 0 {
		result.Warnings = append(result.Warnings, baseline.Warning{Code: "not_recorded", Text: "request-level data is missing: add -o FILE, as root, to record the runs"})
	}
	return errors.Join(a.printBench(o, result), stop.explain(runErr))
}

func (a *app) announce(p baseline.Plan) {
	for _, place := range p.Places {
		a.say("%s\n", place)
	}
	if p.DropsCaches {
		fmt.Fprintln(a.Err, "Before each step the page cache of the whole system is dropped, as the original does (--keep-caches prevents it).")
	}
	a.say("This takes about %s.\n", unit.Duration(p.Duration))
}

// benchProgress shows a line with the time left until the returned function is
// called.
func (a *app) benchProgress(b *baseline.Bench) (end func()) {
	requests, stopRequests := ui.StatusRequests()
	p := ui.NewProgress(a.Err, requests, func(bool) string {
		now, moved, since := b.Activity()
		if now.Pattern == "" {
			return ""
		}
		// What matters most comes first: the line is cut at the width of the terminal.
		parts := []string{"about " + unit.Duration(now.Left) + " left"}
		if moved > 0 {
			parts = append(parts, unit.RateOver(moved, since))
		}
		if now.Run > 0 {
			parts = append(parts, fmt.Sprintf("run %d of %d", now.Run, now.Runs))
		}
		parts = append(parts, now.Pattern)
		if now.Step != "" && !strings.HasSuffix(now.Pattern, "/"+now.Step) {
			parts = append(parts, now.Step)
		}
		return strings.Join(append(parts, now.Place), ", ")
	})
	return func() { p.Stop(); stopRequests() }
}

func (a *app) printBench(o *benchOptions, r *baseline.Report) error {
	if o.results >= 0 {
		return sendResults(o.results, r)
	}
	return a.writeBench(o, r)
}

// writeBench prints a report in the form that was asked for.
func (a *app) writeBench(o *benchOptions, r *baseline.Report) error {
	if o.html != "" {
		if err := a.writeFile(o.html, o.force, func(w *bufio.Writer) error { return page.Bench(w, r) }); err != nil {
			return err
		}
		if !o.quiet {
			a.say("Page: %s\n", o.html)
		}
	}
	switch {
	case o.csv:
		return r.WriteCSV(a.Out)
	case o.json:
		return printJSON(a.Out, r)
	}
	return r.WriteText(a.Out)
}

func printJSON(out ui.Stream, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err == nil {
		_, err = out.Write(append(visible.AppendJSON(nil, text), '\n'))
	}
	if err != nil {
		return fmt.Errorf("printing JSON: %w", err)
	}
	return nil
}

// interrupt turns the first SIGINT or SIGTERM into the end of a context; the
// second one has its usual effect.
type interrupt struct {
	ctx     context.Context
	release func()
	got     atomic.Int32
}

func interruptible() *interrupt {
	ctx, cancel := context.WithCancel(context.Background())
	i := &interrupt{ctx: ctx}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, unix.SIGINT, unix.SIGTERM, unix.SIGHUP)
	go func() {
		select {
		case s := <-signals:
			if s, ok := s.(unix.Signal); ok {
				i.got.Store(int32(s))
			}
			signal.Stop(signals)
			cancel()
		case <-ctx.Done():
		}
	}()
	i.release = func() { signal.Stop(signals); cancel() }
	return i
}

// explain turns the error of work that was cut short by a signal into the exit
// status for it.
func (i *interrupt) explain(err error) error {
	if s := i.got.Load(); s != 0 && errors.Is(err, context.Canceled) {
		return &statusError{exitSignal + int(s), fmt.Errorf("interrupted by %s; the files were removed", unix.SignalName(unix.Signal(s)))}
	}
	return err
}
