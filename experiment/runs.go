package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/stats"
)

// run makes the runs: a screening if there are too many factors, then the full
// factorial of those that are kept.
func (x *Experiment) run(ctx context.Context) ([]gap.Measured, []gap.Factor, error) {
	kept := x.design.factors
	seed := uint64(x.o.Seed)
	if len(kept) > x.design.most {
		plan := gap.Screen(len(kept), screenBlocks, seed)
		screened, err := x.make(ctx, "screen", plan, func(row int) gap.Setting {
			return gap.Corner(x.design.bench, x.design.factors, gap.ScreenMask(row, len(x.design.factors)))
		})
		if err != nil {
			return nil, nil, err
		}
		var values [stats.PlackettBurmanRuns][]float64
		for _, m := range screened {
			values[m.Mask] = append(values[m.Mask], m.PerGB())
		}
		kept = gap.Screened(x.design.factors, values, x.design.most)
	}
	setting := func(mask int) gap.Setting { return gap.Corner(x.design.bench, kept, mask) }
	measured, err := x.make(ctx, "full", gap.Factorial(len(kept), x.o.Runs, seed), setting)
	if err != nil {
		return nil, nil, err
	}
	if x.budget.cut {
		return measured, kept, nil
	}
	if x.repeats = gap.Disturbed(len(kept), measured); len(x.repeats) > x.design.extra() {
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
		if _, err := x.cells.Run(ctx, setting(runs[0].Mask)); err != nil {
			return nil, err
		}
	}
	for len(all) < len(runs) {
		block := blockAt(runs, len(all))
		if runs[len(all)].Block > 0 && x.budget.left() < time.Duration(len(block))*x.runs.each() {
			return x.stopAt(phase, all, runs), nil
		}
		begun := time.Now()
		for _, r := range block {
			c, err := x.cells.Run(ctx, setting(r.Mask))
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
		if note := x.runs.add(len(block), time.Since(begun), left); x.budget.left() > time.Duration(left)*x.runs.each() {
			fmt.Fprint(x.o.Notes, note) // else the budget ends it, as was said
		}
		x.each.Store(int64(x.runs.each()))
	}
	return all, nil
}

// stopAt ends a phase where the budget does: with the repetitions that are whole.
func (x *Experiment) stopAt(phase string, made []gap.Measured, plan []gap.Run) []gap.Measured {
	whole := plan[min(len(made), len(plan)-1)].Block
	x.budget.cut = true
	of := plan[len(plan)-1].Block + 1
	if phase == "screen" {
		x.budget.leave("the differences were screened %d times, not %d", whole, of)
	} else {
		x.budget.leave("%d of %d repetitions were made", whole, of)
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
