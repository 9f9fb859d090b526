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
)

// pilotRun is what a run takes with a payload.
type pilotRun struct {
	payload int64
	took    time.Duration
	made    int64         // bytes in files that have to be there before
	making  time.Duration // what that took
}

// pilot finds out what a run takes here: the recording tells how long its program took,
// most of which need not come back in the cells. It makes the two cells that differ most,
// that of the benchmark and that of the workload, with small payloads; as far as effects
// add up, their mean is that of all. Nothing is known if that takes too long.
func (x *Experiment) pilot(ctx context.Context) error {
	begun := time.Now()
	defer func() { x.tried = time.Since(begun) }()
	limited, cancel := context.WithTimeout(ctx, pilotLimit)
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
			x.expect(runs)
			return nil
		}
	}
}

// expect takes over what the pilot has found: what a run takes, and a replay, for which the files that the recorded
// program had read are made each time.
func (x *Experiment) expect(runs []pilotRun) {
	x.runs.said = scaled(runs, x.payload)
	x.replays.said = time.Duration(x.workload.Seconds * 1e9)
	if len(runs) == 0 {
		return
	}
	if last := runs[len(runs)-1]; last.made > 0 {
		x.replays.said += time.Duration(float64(last.making) / float64(last.made) * float64(x.workload.ReadBytes))
	}
}

// scaled is what a run takes with a payload: as the last of the pilot, and what grew
// from the one before goes on growing.
func scaled(runs []pilotRun, payload int64) time.Duration {
	if len(runs) == 0 {
		return 0
	}
	last, before := runs[len(runs)-1], pilotRun{}
	if len(runs) > 1 {
		before = runs[len(runs)-2]
	}
	growth := float64(max(last.took-before.took, 0)) / float64(last.payload-before.payload)
	return last.took + time.Duration(growth*float64(payload-last.payload))
}

// sample is the mean time of the two cells with a payload, once their files are there, and what making these took.
func (x *Experiment) sample(ctx context.Context, payload int64) (r pilotRun, err error) {
	cells, err := ablation.New(x.o.Dir, payload, x.corners(), uint64(x.o.Seed))
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, cells.Close()) }()
	r.payload = payload
	ends := []ablation.Cell{ablation.Cell(gap.Corner(x.bench, x.factors, 0)),
		ablation.Cell(gap.Corner(x.bench, x.factors, 1<<len(x.factors)-1))}
	for i, c := range ends {
		var took [2]time.Duration // the first run makes the files
		for k := range took {
			begun := time.Now()
			if _, err := cells.Run(ctx, c); err != nil {
				return r, err
			}
			took[k] = time.Since(begun)
		}
		r.took += took[1] / time.Duration(len(ends))
		r.making += max(took[0]-took[1], 0)
		r.made = ablation.Files(payload, ends[:i+1])
	}
	return r, nil
}
