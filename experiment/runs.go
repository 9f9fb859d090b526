package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline/ablation"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/replay"
	"github.com/iotrace/iotrace/stats"
)

// run makes the runs: a screening if there are too many factors, then the full
// factorial of those that are kept.
func (x *Experiment) run(ctx context.Context) ([]gap.Measured, []gap.Factor, error) {
	kept := x.factors
	seed := uint64(x.o.Seed)
	if len(kept) > x.most {
		screened, err := x.make(ctx, "screen", gap.Screen(len(x.factors), screenBlocks, seed), func(row int) gap.Setting {
			return gap.Corner(x.bench, x.factors, gap.ScreenMask(row, len(x.factors)))
		})
		if err != nil {
			return nil, nil, err
		}
		var values [stats.PlackettBurmanRuns][]float64
		for _, m := range screened {
			values[m.Mask] = append(values[m.Mask], m.PerGB())
		}
		kept = gap.Screened(x.factors, values, x.most)
	}
	setting := func(mask int) gap.Setting { return gap.Corner(x.bench, kept, mask) }
	measured, err := x.make(ctx, "full", gap.Factorial(len(kept), x.o.Runs, seed), setting)
	if err != nil {
		return nil, nil, err
	}
	if x.cut {
		return measured, kept, nil
	}
	if x.repeats = gap.Disturbed(len(kept), measured); len(x.repeats) > x.extra() {
		x.repeats = nil // not a disturbance any more
	}
	if len(x.repeats) > 0 { // further blocks of the same plan
		fmt.Fprintf(x.o.Notes, "Something disturbed the machine for a while: %d of %d blocks are repeated.\n",
			len(x.repeats), x.o.Runs)
		plan := gap.Factorial(len(kept), x.o.Runs+len(x.repeats), seed)
		x.planned.Add(int64(len(plan) - len(measured)))
		x.done.Add(-int64(len(measured)))
		if measured, err = x.make(ctx, "full", plan, setting); err != nil {
			return nil, nil, err
		}
	}
	return gap.Without(measured, x.repeats), kept, nil
}

// make makes the runs of a phase that were not made before.
func (x *Experiment) make(
	ctx context.Context, phase string, runs []gap.Run, setting func(mask int) gap.Setting,
) ([]gap.Measured, error) {
	all := x.state.made(phase, runs)
	x.done.Add(int64(len(all)))
	if len(all) == 0 { // the first run pays for what every run needs: not counted
		if _, err := x.cells.Run(ctx, ablation.Cell(setting(runs[0].Mask))); err != nil {
			return nil, err
		}
	}
	for len(all) < len(runs) {
		block := blockAt(runs, len(all))
		if runs[len(all)].Block > 0 && x.left() < time.Duration(len(block))*x.runs.each() {
			return x.stopAt(phase, all, runs), nil
		}
		begun := time.Now()
		for _, r := range block {
			c, err := x.cells.Run(ctx, ablation.Cell(setting(r.Mask)))
			switch {
			case errors.Is(err, context.DeadlineExceeded) && r.Block > 0:
				return x.stopAt(phase, all, runs), nil
			case err != nil:
				return nil, err
			}
			m := gap.Measured{Run: r, Seconds: float64(c.ActiveNS) / 1e9, Bytes: c.Bytes,
				Deferred: float64(c.DeferredNS) / 1e9, Depth: c.Depth}
			if err := x.state.add(phase, m); err != nil {
				return nil, err
			}
			all = append(all, m)
			x.done.Add(1)
		}
		left := int(x.planned.Load() - x.done.Load())
		if note := x.runs.add(len(block), time.Since(begun), left); x.left() > time.Duration(left)*x.runs.each() {
			fmt.Fprint(x.o.Notes, note) // else the budget ends it, as was said
		}
		x.each.Store(int64(x.runs.each()))
	}
	return all, nil
}

// stopAt ends a phase where the budget does: with the repetitions that are whole.
func (x *Experiment) stopAt(phase string, made []gap.Measured, plan []gap.Run) []gap.Measured {
	whole := plan[min(len(made), len(plan)-1)].Block
	x.cut = true
	of := plan[len(plan)-1].Block + 1
	if phase == "screen" {
		x.leave("the differences were screened %d times, not %d", whole, of)
	} else {
		x.leave("%d of %d repetitions were made", whole, of)
	}
	for len(made) > 0 && made[len(made)-1].Block >= whole {
		made = made[:len(made)-1]
	}
	return made
}

// blockAt are the runs from one on that belong to its block.
func blockAt(runs []gap.Run, first int) []gap.Run {
	last := first + 1
	for last < len(runs) && runs[last].Block == runs[first].Block {
		last++
	}
	return runs[first:last]
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
func (x *Experiment) replay(ctx context.Context, w *gap.Workload) (float64, error) {
	if !replayable(w) {
		return 0, nil
	}
	if x.o.Budget > 0 {
		return x.replayWithin(ctx, w)
	}
	fmt.Fprintf(x.o.Notes, "The workload cell does not match the recording: it is replayed %d times, which takes about "+
		"%s.\n", replays, unit.Duration(replays*x.replays.said))
	p, err := replay.Load(x.path)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	all, err := replay.Repeat(ctx, p, replay.Options{Dir: x.o.Dir, Made: func(n int) {
		fmt.Fprint(x.o.Notes, x.replays.add(1, time.Since(begun), replays-n))
		begun = time.Now()
	}}, replays)
	if err != nil {
		return 0, err
	}
	var ratios []float64
	for _, r := range all {
		ratios = append(ratios, r.Wall)
	}
	return stats.Median(ratios) * w.SecondsPerGB(), nil
}

// replayWithin makes as many replays as the budget has left.
func (x *Experiment) replayWithin(ctx context.Context, w *gap.Workload) (float64, error) {
	p, err := replay.Load(x.path)
	if err != nil {
		return 0, err
	}
	var ratios []float64
	for each := x.replays.said; len(ratios) < replays && x.left() > each; {
		begun := time.Now()
		limited, cancel := x.limited(ctx)
		r, err := replay.Run(limited, p, replay.Options{Dir: x.o.Dir})
		cancel()
		switch {
		case err != nil && ctx.Err() == nil && limited.Err() != nil && x.left() <= 0:
			each = 1 << 62
		case err != nil:
			return 0, err
		default:
			ratios, each = append(ratios, r.Wall), time.Since(begun)
		}
	}
	if len(ratios) < replays {
		x.cut = true
		x.leave("the recording was replayed %d times, not %d", len(ratios), replays)
	}
	if len(ratios) == 0 {
		return 0, nil
	}
	return stats.Median(ratios) * w.SecondsPerGB(), nil
}
