package experiment

import (
	"context"
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
		begun := time.Now()
		for _, r := range block {
			c, err := x.cells.Run(ctx, ablation.Cell(setting(r.Mask)))
			if err != nil {
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
		fmt.Fprint(x.o.Notes, x.runs.add(len(block), time.Since(begun), left))
		x.each.Store(int64(x.runs.each()))
	}
	return all, nil
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
