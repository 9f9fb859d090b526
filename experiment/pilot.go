package experiment

import (
	"context"
	"errors"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline"
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
}

// pilot finds out what a run takes here: the recording tells how long its program took,
// most of which need not come back in the cells. It makes the two cells that differ most,
// that of the benchmark and that of the workload, with small payloads; as far as effects
// add up, their mean is that of all. 0 if that takes too long.
func (x *Experiment) pilot(ctx context.Context) (each time.Duration, err error) {
	limited, cancel := context.WithTimeout(ctx, pilotLimit)
	defer cancel()
	var runs []pilotRun
	for size := int64(pilotSmallest); ; size *= pilotGrowth {
		payload := min(size, x.payload)
		took, err := x.sample(limited, payload)
		switch {
		case err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded):
			return scaled(runs, x.payload), nil
		case err != nil:
			return 0, err
		}
		runs = append(runs, pilotRun{payload, took})
		if took > pilotQuick || size >= min(pilotLargest, x.payload) {
			return scaled(runs, x.payload), nil
		}
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

// sample is the mean time of the two cells with a payload, once their files are there.
func (x *Experiment) sample(ctx context.Context, payload int64) (mean time.Duration, err error) {
	cells, err := baseline.NewAblation(x.o.Dir, payload, x.corners(), uint64(x.o.Seed))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, cells.Close()) }()
	ends := []int{0, 1<<len(x.factors) - 1}
	for _, mask := range ends {
		for _, count := range []time.Duration{0, 1} { // the first run makes the files
			begun := time.Now()
			if _, err := cells.Run(ctx, baseline.Cell(gap.Corner(x.bench, x.factors, mask))); err != nil {
				return 0, err
			}
			mean += count * time.Since(begun) / time.Duration(len(ends))
		}
	}
	return mean, nil
}
