// Package experiment measures on a device what each difference between a benchmark and a recorded workload costs. It is
// a package of its own because it writes to the disk; what explains a gap only reads.
package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/stats"
)

// Options say where an experiment is made, and how.
type Options struct {
	Dir   string
	Size  int64 // payload of each run; 0: what suits the recording
	Runs  int   // repetitions of each cell
	Quick bool  // fewer cells and less data
	State string
	Owner *rights.Identity // of the file with the state
	Seed  int64
	Notes io.Writer // told what is done beyond the plan
	// Budget is the time that all of it may take; 0: as long as it takes.
	Budget time.Duration
}

// Experiment is an experiment that is being made.
type Experiment struct {
	o        Options
	path     string // of the recording
	design   design
	budget   budget
	forecast forecast
	tried    time.Duration // what the pilot took
	cells    *ablation
	state    *state
	dropped  bool // the state is gone: what was measured is told, or of no use

	runs, replays pace // as announced, and as they are
	done, planned atomic.Int64
	each          atomic.Int64 // ns of a run, as far as known

	repeats  []int // blocks of which the first runs do not count
	measured []gap.Measured
	kept     []gap.Factor // those of the full design
}

// ErrNoDevice means that the benchmark would measure memory.
var ErrNoDevice = errors.New("nothing was measured, as the benchmark's direct I/O would not reach a device here")

// Open begins or goes on with the experiment on the differences that a report has
// found between its benchmark and the recording at path. Close ends it.
func Open(path string, r *gap.Report, o Options) (x *Experiment, err error) {
	x = &Experiment{o: o, path: path, budget: budget{total: o.Budget}, runs: pace{what: "run"},
		replays: pace{what: "replay"},
		design: design{bench: r.Benchmark, factors: r.Differences, workload: r.Workload, blocks: o.Runs,
			most: gap.MaxFactors, payload: payload(o.Size, o.Quick, r.Workload)}}
	if o.Quick {
		x.design.most = gap.MaxFactors - 1
	}
	if x.state, err = openState(o.State, x.key(), o.Owner); err != nil {
		return nil, err
	}
	if p := x.state.plan; p != nil {
		x.design.payload, x.design.most = p.Payload, p.Most
	}
	return x, nil
}

// key identifies an experiment: everything that its runs depend on.
func (x *Experiment) key() string {
	info, _ := os.Stat(x.path)
	size := int64(0)
	if info != nil {
		size = info.Size()
	}
	d := &x.design
	text, _ := json.Marshal([]any{size, d.bench, d.factors, x.o.Size, x.o.Dir, x.o.Seed, x.o.Runs, x.o.Quick})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// Prepare finds out what a run takes here, and makes room for the cells.
func (x *Experiment) Prepare(ctx context.Context) (err error) {
	x.budget.begun = time.Now()
	limit := pilotLimit
	if x.o.Budget > 0 {
		limit = min(limit, x.o.Budget/pilotShare)
	}
	p := pilot{dir: x.o.Dir, design: &x.design, seed: uint64(x.o.Seed), limit: 2 * target(x.o.Quick)}
	if x.forecast, err = p.run(ctx, limit); err != nil {
		return err
	}
	x.tried = time.Since(x.budget.begun)
	if p.unreached != "" && !x.design.bench.Buffered {
		return fmt.Errorf("%w: %s", ErrNoDevice, p.unreached)
	}
	if x.state.plan == nil {
		fit(&x.design, &x.forecast, &x.budget, x.tried, x.o.Size > 0)
		if err = x.state.setPlan(plan{x.design.payload, x.design.most}); err != nil {
			return err
		}
	}
	x.runs.said, x.replays.said = x.forecast.run(x.design.payload), x.forecast.replay(x.design.workload)
	x.cells, err = newAblation(x.o.Dir, x.design.payload, x.design.corners(), uint64(x.o.Seed))
	if err == nil {
		x.cells.Limit = x.forecast.limit
	}
	return err
}

// Measure makes the runs that were not made before.
func (x *Experiment) Measure(ctx context.Context) (err error) {
	_, runs := x.design.cost()
	x.planned.Store(int64(runs))
	x.each.Store(int64(x.runs.each()))
	limited, cancel := x.budget.limited(ctx)
	defer cancel()
	x.measured, x.kept, err = x.run(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return fmt.Errorf("%w (%s); %s", ErrBudget, unit.Duration(x.o.Budget), x.goesOn())
	}
	return err
}

// Conclude adds what the runs say to the report. If they do not match the recording,
// that is replayed first.
func (x *Experiment) Conclude(ctx context.Context, r *gap.Report) error {
	written, _ := x.design.cost()
	place := x.cells.Place()
	done := &gap.Experiment{Dir: x.o.Dir, Device: place.Device, FSType: place.FSType, Payload: x.design.payload,
		Written: written, Seed: uint64(x.o.Seed), Runs: x.measured, Repeated: len(x.repeats)}
	if len(x.kept) < len(x.design.factors) {
		done.Screened = x.design.factors
	}
	e := gap.Explain(x.kept, x.measured, r.Workload.SecondsPerGB(), r.Claimed(), stats.Resampling{Seed: uint64(x.o.Seed)})
	if e == nil {
		return errors.Join(errors.New("explaining the gap: a cell was never measured; start again"), x.drop())
	}
	r.Warnings = append(r.Warnings, x.budget.leftOut...)
	if !e.Workload.OK {
		now, err := x.replay(ctx, r.Workload)
		switch {
		case errors.Is(err, context.Canceled):
			return err
		case err != nil:
			r.Warnings = append(r.Warnings, err.Error())
		case now > 0:
			e.Replayed(now)
		}
	}
	r.Conclude(done, e)
	if x.budget.cut {
		r.Warnings = append(r.Warnings, x.goesOn())
		return nil
	}
	return x.drop()
}

func (x *Experiment) drop() error {
	x.dropped = true
	return x.state.drop()
}

// Close removes the files of the cells. The runs are kept unless the experiment is
// complete.
func (x *Experiment) Close() (err error) {
	if x.cells != nil {
		err = x.cells.Close()
	}
	if !x.dropped {
		err = errors.Join(x.state.release(), err)
	}
	return err
}

// Kept is how many runs were made and kept, and where.
func (x *Experiment) Kept() (runs int, path string) { return x.state.count(), x.state.path }

// Progress tells which of how many runs is made, and how long those that are left take, once that is known.
func (x *Experiment) Progress() string {
	done, planned := x.done.Load(), x.planned.Load()
	left := time.Duration((planned - done) * x.each.Load())
	switch {
	case done == 0:
		return "preparing files"
	case left == 0:
		return fmt.Sprintf("run %d of %d", done, planned)
	}
	return fmt.Sprintf("run %d of %d, about %s left", done, planned, unit.Duration(left))
}

// goesOn says what an experiment that the budget ended leaves.
func (x *Experiment) goesOn() string {
	runs, path := x.Kept()
	if runs == 0 {
		return "no run was made by then: a longer --budget has time for some"
	}
	return fmt.Sprintf("%s kept in %s: the same command goes on with them, for as long as its --budget",
		unit.Things(int64(runs), "run"), path)
}
