package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/experiment"
	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/tracer"
)

// gapExperiment measures what the differences cost, and adds it to the report.
func (a *app) gapExperiment(o *gapOptions, path string, r *gap.Report) (err error) {
	if len(r.Differences) == 0 {
		r.Warnings = append(r.Warnings, "nothing differs between the benchmark and the recording that could be measured")
		return nil
	}
	user, err := tracer.InvokingUser()
	if err != nil {
		return err
	}
	state := o.state
	if state == "" {
		state = path + ".gap"
	}
	x, err := experiment.Open(path, r, experiment.Options{Dir: o.dir, Size: int64(o.size), Runs: o.runs, Quick: o.quick,
		State: state, Owner: user.Identity(), Seed: o.seed, Notes: a.Err})
	if err != nil {
		return err
	}
	defer func() {
		if left := x.Close(); left != nil && err == nil { // the answer stands all the same
			r.Warnings = append(r.Warnings, left.Error())
		} else {
			err = errors.Join(err, left)
		}
	}()
	stop := interruptible()
	err = x.Prepare(stop.ctx)
	stop.release()
	if err != nil {
		return stop.explain(err)
	}
	fmt.Fprint(a.Err, x.Announcement())
	if !o.yes {
		if err := a.consent(); err != nil {
			return err
		}
	}
	stop = interruptible()
	defer stop.release()
	end := a.experimentProgress(o, x)
	err = x.Measure(stop.ctx)
	end()
	if err == nil {
		err = x.Conclude(stop.ctx, r)
	}
	return stop.explainGap(err, x)
}

// consent waits for a yes.
func (a *app) consent() error {
	fmt.Fprint(a.Err, "Go on? [y/N] ")
	answer, err := bufio.NewReader(a.In).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer == "y" || answer == "yes" {
		return nil
	}
	if err != nil && answer == "" {
		fmt.Fprintln(a.Err)
	}
	return errors.New("the experiment was not made (answer y, or use --yes)")
}

func (a *app) experimentProgress(o *gapOptions, x *experiment.Experiment) (end func()) {
	if o.quiet {
		return func() {}
	}
	begun := time.Now()
	requests, stopRequests := ui.StatusRequests()
	p := ui.NewProgress(a.Err, requests, func(bool) string {
		done, planned := x.Progress()
		if done == 0 {
			return "preparing files"
		}
		left := time.Since(begun) / time.Duration(done) * time.Duration(planned-done)
		return fmt.Sprintf("run %d of %d, about %s left", done, planned, unit.Duration(left))
	})
	return func() { p.Stop(); stopRequests() }
}

// explainGap is explain, with what to do to go on.
func (i *interrupt) explainGap(err error, x *experiment.Experiment) error {
	n := i.got.Load()
	if n == 0 || !errors.Is(err, context.Canceled) {
		return err
	}
	runs, path := x.Kept()
	return &statusError{exitSignal + int(n), fmt.Errorf(
		"interrupted by %s; the files were removed, %d runs are kept in %s: the same command goes on with them",
		unix.SignalName(unix.Signal(n)), runs, path)}
}
