package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/replay"
	"github.com/iotrace/iotrace/stats"
)

// The payload of a run.
const (
	mostPayload  = 512 << 20
	quickPayload = 64 << 20
	leastPayload = 8 << 20 // eight blocks of the usual benchmark: enough for its queue depth
	screenBlocks = 2       // repetitions of each row of a screening, so that it knows its noise
)

// trial is an experiment that is being made.
type trial struct {
	app      *app
	o        *gapOptions
	bench    gap.Setting
	factors  []gap.Factor
	workload *gap.Workload
	payload  int64
	most     int // factors of the full design
	cells    *baseline.Ablation
	state    *gapState
	done     atomic.Int64
	planned  int
	repeats  []int // blocks of which the first runs do not count
}

// gapExperiment measures what the differences cost, and adds it to the report.
func (a *app) gapExperiment(o *gapOptions, path string, r *gap.Report) (err error) {
	t := &trial{app: a, o: o, bench: r.Benchmark, factors: r.Differences, workload: r.Workload, most: gap.MaxFactors, payload: o.payload(r.Workload)}
	if o.quick {
		t.most = gap.MaxFactors - 1
	}
	if len(t.factors) == 0 {
		r.Warnings = append(r.Warnings, "nothing differs between the benchmark and the recording that could be measured")
		return nil
	}
	state := o.state
	if state == "" {
		state = path + ".gap"
	}
	if t.state, err = openGapState(state, t.key(path)); err != nil {
		return err
	}
	stop := interruptible()
	each, err := t.pilot(stop.ctx)
	stop.release()
	if err == nil {
		t.cells, err = baseline.NewAblation(o.dir, t.payload, t.corners(), uint64(o.seed))
	}
	if err != nil {
		return errors.Join(stop.explain(err), t.state.release())
	}
	defer func() {
		if left := t.cells.Close(); left != nil && err == nil { // the answer stands all the same
			r.Warnings = append(r.Warnings, left.Error())
		} else {
			err = errors.Join(err, left)
		}
	}()
	written, runs := t.cost()
	if err := t.ask(written, runs, each); err != nil {
		return errors.Join(err, t.state.release())
	}
	stop = interruptible()
	defer stop.release()
	end := t.progress()
	measured, kept, err := t.run(stop.ctx)
	end()
	if err != nil {
		return errors.Join(stop.explainGap(err, t.state), t.state.release())
	}
	place := t.cells.Place()
	x := &gap.Experiment{Dir: o.dir, Device: place.Device, FSType: place.FSType, Payload: t.payload, Written: written, Seed: uint64(o.seed), Runs: measured, Repeated: len(t.repeats)}
	if len(kept) < len(t.factors) {
		x.Screened = t.factors
	}
	e := gap.Explain(kept, measured, r.Workload.SecondsPerGB(), r.Claimed(), stats.Resampling{Seed: uint64(o.seed)})
	if e == nil {
		return errors.Join(errors.New("explaining the gap: a cell was never measured; start again"), t.state.drop())
	}
	if !e.Workload.OK {
		now, err := t.replay(stop.ctx, path, r.Workload)
		switch {
		case errors.Is(err, context.Canceled):
			return errors.Join(stop.explainGap(err, t.state), t.state.release())
		case err != nil:
			r.Warnings = append(r.Warnings, err.Error())
		case now > 0:
			e.Replayed(now)
		}
	}
	r.Conclude(x, e)
	return t.state.drop()
}

// Replays of a recording that the workload cell does not match.
const (
	replays       = 6
	longestReplay = 20 // seconds
	mostReplayed  = 2 << 30
)

func replayable(w *gap.Workload) bool {
	return w.Seconds <= longestReplay && w.WriteBytes <= mostReplayed
}

// replay is what the recording takes now, in seconds per GB: the median of six
// replays. 0 if it is too large.
func (t *trial) replay(ctx context.Context, path string, w *gap.Workload) (float64, error) {
	if !replayable(w) {
		return 0, nil
	}
	fmt.Fprintf(t.app.Err, "The workload cell does not match the recording: it is replayed %d times.\n", replays)
	p, err := replay.Load(path)
	if err != nil {
		return 0, err
	}
	all, err := replay.Repeat(ctx, p, replay.Options{Dir: t.o.dir}, replays)
	if err != nil {
		return 0, err
	}
	var ratios []float64
	for _, r := range all {
		ratios = append(ratios, r.Wall)
	}
	return stats.Median(ratios) * w.SecondsPerGB(), nil
}

// payload is what each run moves: small enough that the recorded workload would
// take two seconds (half of one with --quick) for it.
func (o *gapOptions) payload(w *gap.Workload) int64 {
	if o.size > 0 {
		return int64(o.size)
	}
	most, target := float64(mostPayload), 2.0
	if o.quick {
		most, target = quickPayload, 0.5
	}
	n := int64(min(most, target*w.Rate(), float64(w.Bytes)))
	return max(n, leastPayload) >> 20 << 20
}

// corners are the cells that may be run.
func (t *trial) corners() []baseline.Cell {
	all := make([]baseline.Cell, 1<<len(t.factors))
	for m := range all {
		all[m] = baseline.Cell(gap.Corner(t.bench, t.factors, m))
	}
	return all
}

// cost is what the experiment will write at most, blocks that are repeated
// included, and how many runs it makes without those.
func (t *trial) cost() (written int64, runs int) {
	k := len(t.factors)
	if k > t.most {
		runs = screenBlocks * stats.PlackettBurmanRuns
		k = t.most
	}
	t.planned = runs + len(gap.Factorial(k, t.o.runs, 0))
	writes := int64(runs + len(gap.Factorial(k, t.o.runs+t.extra(), 0)))
	if !t.bench.Write {
		writes = 0
	}
	written = writes*t.payload + baseline.CellSpace(t.payload, t.corners())
	if replayable(t.workload) { // its source is made for each replay too
		written += replays * (t.workload.WriteBytes + t.workload.ReadBytes)
	}
	return written, t.planned
}

// ask announces the experiment, of which a run takes so long, and waits for consent.
func (t *trial) ask(written int64, runs int, each time.Duration) error {
	fmt.Fprintf(t.app.Err, "%d differences; %d runs of %s in %s, which write up to %s and %s.\n",
		len(t.factors), runs, unit.Bytes(t.payload), t.o.dir, unit.Bytes(written), t.duration(max(runs-t.state.count(), 0), each))
	if len(t.factors) > t.most {
		fmt.Fprintln(t.app.Err, "They are screened first; those that matter little are measured together.")
	}
	if n := t.state.count(); n > 0 {
		fmt.Fprintf(t.app.Err, "%d runs were made before and count.\n", n)
	}
	if t.o.yes {
		return nil
	}
	fmt.Fprint(t.app.Err, "Go on? [y/N] ")
	answer, err := bufio.NewReader(t.app.In).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer == "y" || answer == "yes" {
		return nil
	}
	if err != nil && answer == "" {
		fmt.Fprintln(t.app.Err)
	}
	return errors.New("the experiment was not made (answer y, or use --yes)")
}

// run makes the runs: a screening if there are too many factors, then the full
// factorial of those that are kept.
func (t *trial) run(ctx context.Context) ([]gap.Measured, []gap.Factor, error) {
	kept := t.factors
	seed := uint64(t.o.seed)
	if len(kept) > t.most {
		screened, err := t.make(ctx, "screen", gap.Screen(len(t.factors), screenBlocks, seed), func(row int) gap.Setting {
			return gap.Corner(t.bench, t.factors, gap.ScreenMask(row, len(t.factors)))
		})
		if err != nil {
			return nil, nil, err
		}
		var values [stats.PlackettBurmanRuns][]float64
		for _, m := range screened {
			values[m.Mask] = append(values[m.Mask], m.PerGB())
		}
		kept = gap.Screened(t.factors, values, t.most)
	}
	setting := func(mask int) gap.Setting { return gap.Corner(t.bench, kept, mask) }
	measured, err := t.make(ctx, "full", gap.Factorial(len(kept), t.o.runs, seed), setting)
	if err != nil {
		return nil, nil, err
	}
	if t.repeats = gap.Disturbed(len(kept), measured); len(t.repeats) > t.extra() {
		t.repeats = nil // not a disturbance any more
	}
	if len(t.repeats) > 0 { // further blocks of the same plan
		fmt.Fprintf(t.app.Err, "Something disturbed the machine for a while: %d of %d blocks are repeated.\n", len(t.repeats), t.o.runs)
		plan := gap.Factorial(len(kept), t.o.runs+len(t.repeats), seed)
		t.planned += len(plan) - len(measured)
		t.done.Add(-int64(len(measured)))
		if measured, err = t.make(ctx, "full", plan, setting); err != nil {
			return nil, nil, err
		}
	}
	return gap.Without(measured, t.repeats), kept, nil
}

// extra is the number of blocks that may be repeated.
func (t *trial) extra() int { return t.o.runs / 2 }

// make makes the runs of a phase that were not made before.
func (t *trial) make(ctx context.Context, phase string, runs []gap.Run, setting func(mask int) gap.Setting) ([]gap.Measured, error) {
	all := t.state.made(phase, runs)
	t.done.Add(int64(len(all)))
	if len(all) == 0 { // the first run pays for what every run needs: not counted
		if _, err := t.cells.Run(ctx, baseline.Cell(setting(runs[0].Mask))); err != nil {
			return nil, err
		}
	}
	for _, r := range runs[len(all):] {
		c, err := t.cells.Run(ctx, baseline.Cell(setting(r.Mask)))
		if err != nil {
			return nil, err
		}
		m := gap.Measured{Run: r, Seconds: float64(c.ActiveNS) / 1e9, Bytes: c.Bytes, Deferred: float64(c.DeferredNS) / 1e9, Depth: c.Depth}
		if err := t.state.add(phase, m); err != nil {
			return nil, err
		}
		all = append(all, m)
		t.done.Add(1)
	}
	return all, nil
}

func (t *trial) progress() (end func()) {
	if t.o.quiet {
		return func() {}
	}
	begun := time.Now()
	requests, stopRequests := ui.StatusRequests()
	p := ui.NewProgress(t.app.Err, requests, func(bool) string {
		done := t.done.Load()
		if done == 0 {
			return "preparing files"
		}
		left := time.Since(begun) / time.Duration(done) * time.Duration(int64(t.planned)-done)
		return fmt.Sprintf("run %d of %d, about %s left", done, t.planned, unit.Duration(left))
	})
	return func() { p.Stop(); stopRequests() }
}

// explainGap is explain, with what to do to go on.
func (i *interrupt) explainGap(err error, s *gapState) error {
	n := i.got.Load()
	if n == 0 || !errors.Is(err, context.Canceled) {
		return err
	}
	return &statusError{exitSignal + int(n), fmt.Errorf("interrupted by %s; the files were removed, %d runs are kept in %s: the same command goes on with them",
		unix.SignalName(unix.Signal(n)), s.count(), s.path)}
}
