package experiment

import (
	"context"
	"errors"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline/ablation"
)

// The pilot of an experiment.
const (
	pilotSmallest = 1 << 20 // bytes
	pilotLargest  = 64 << 20
	pilotGrowth   = 8
	pilotQuick    = 500 * time.Millisecond // a run for which the next larger one is made too
	pilotLimit    = 20 * time.Second       // for all of it
	pilotShare    = 5                      // of a budget, at most one in so many
)

// pilotRun is what a run takes with a payload.
type pilotRun struct {
	payload int64
	took    time.Duration
	active  [2]time.Duration // within took, while the clocks of both cells ran
	perByte float64          // ns, of the workload's cell
	made    int64            // bytes in files that have to be there before
	making  time.Duration    // what that took
}

// pilot finds out what a run takes here: the recording tells how long its program took,
// most of which need not come back in the cells. It makes the two cells that differ most,
// that of the benchmark and that of the workload, with small payloads; as far as effects
// add up, their mean is that of all. Nothing is known if that takes too long.
func (x *Experiment) pilot(ctx context.Context) error {
	begun := time.Now()
	defer func() { x.tried = time.Since(begun) }()
	limit := pilotLimit
	if x.o.Budget > 0 {
		limit = min(limit, x.o.Budget/pilotShare)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var runs []pilotRun
	for size := int64(pilotSmallest); ; size *= pilotGrowth {
		payload := min(size, x.payload)
		run, err := x.sample(limited, payload)
		switch {
		case err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded):
			x.expect(runs)
			return nil
		case err != nil:
			return err
		}
		runs = append(runs, run)
		if run.took > pilotQuick || size >= min(pilotLargest, x.payload) {
			if err := x.between(limited, payload); err != nil && ctx.Err() == nil && limited.Err() == nil {
				return err
			}
			x.expect(runs)
			return ctx.Err()
		}
	}
}

// expect takes over what the pilot has found: what a run takes, and a replay, for which the files that the recorded
// program had read are made each time.
func (x *Experiment) expect(runs []pilotRun) {
	x.pilots = runs
	x.runs.said = x.expected(x.payload)
	x.replays.said = time.Duration(x.workload.Seconds * 1e9)
	if len(runs) == 0 {
		return
	}
	// What the recording met need not be here; the workload's cell is what it does.
	last := runs[len(runs)-1]
	if last.perByte > 0 {
		x.replays.said = time.Duration(last.perByte * float64(x.workload.Bytes))
	}
	if last.made > 0 {
		x.replays.said += time.Duration(float64(last.making) / float64(last.made) * float64(x.workload.ReadBytes))
	}
}

// expected is what a run takes with a payload, 0 if the pilot took too long to know. While its clock runs it takes no
// longer than the limit; what comes before and after has none.
func (x *Experiment) expected(payload int64) time.Duration {
	if len(x.pilots) == 0 {
		return 0
	}
	part := func(of func(pilotRun) time.Duration) time.Duration {
		var runs []pilotRun
		for _, r := range x.pilots {
			runs = append(runs, pilotRun{payload: r.payload, took: of(r)})
		}
		return scaled(runs, payload)
	}
	each := part(func(r pilotRun) time.Duration { return r.took - (r.active[0]+r.active[1])/2 })
	for i := range 2 {
		each += min(part(func(r pilotRun) time.Duration { return r.active[i] }), x.limit) / 2
	}
	if x.longer > 0 {
		each = time.Duration(float64(each) * x.longer)
	}
	return each
}

// scaled is what a run takes with a payload: as the last of the pilot, and what grew
// from the one before goes on growing.
func scaled(runs []pilotRun, payload int64) time.Duration {
	if len(runs) == 0 {
		return 0
	}
	for len(runs) > 2 && payload < runs[len(runs)-2].payload { // smaller than the last ones
		runs = runs[:len(runs)-1]
	}
	last, before := runs[len(runs)-1], pilotRun{}
	if len(runs) > 1 {
		before = runs[len(runs)-2]
	}
	growth := float64(max(last.took-before.took, 0)) / float64(last.payload-before.payload)
	return max(last.took+time.Duration(growth*float64(payload-last.payload)), last.took/100)
}

// sample is the mean time of the two cells with a payload, once their files are there, and what making these took.
func (x *Experiment) sample(ctx context.Context, payload int64) (r pilotRun, err error) {
	cells, err := ablation.New(x.o.Dir, payload, x.corners(), uint64(x.o.Seed))
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, cells.Close()) }()
	cells.Limit = x.limit
	r.payload = payload
	ends := []ablation.Cell{ablation.Cell(gap.Corner(x.bench, x.factors, 0)),
		ablation.Cell(gap.Corner(x.bench, x.factors, 1<<len(x.factors)-1))}
	for i, c := range ends {
		var took [2]time.Duration // the first run makes the files
		for k := range took {
			begun := time.Now()
			result, err := cells.Run(ctx, c)
			if err != nil {
				return r, err
			}
			took[k] = time.Since(begun)
			r.active[i] = time.Duration(result.ActiveNS)
			r.perByte = float64(result.ActiveNS) / float64(max(result.Bytes, 1))
		}
		r.took += took[1] / time.Duration(len(ends))
		r.making += max(took[0]-took[1], 0)
		r.made = ablation.Files(payload, ends[:i+1])
	}
	x.unreached = cells.Unreached()
	return r, nil
}
