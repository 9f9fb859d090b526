package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
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

// pilot finds out what a run takes here: the recording tells how long its program took, most of which need not come
// back in the cells. It makes the two cells that differ most, that of the benchmark and that of the workload, with small
// payloads; as far as effects add up, their mean is that of all. 0 if that takes too long.
func (t *trial) pilot(ctx context.Context) (each time.Duration, err error) {
	limited, cancel := context.WithTimeout(ctx, pilotLimit)
	defer cancel()
	var runs []pilotRun
	for size := int64(pilotSmallest); ; size *= pilotGrowth {
		payload := min(size, t.payload)
		took, err := t.sample(limited, payload)
		switch {
		case err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded):
			return scaled(runs, t.payload), nil
		case err != nil:
			return 0, err
		}
		runs = append(runs, pilotRun{payload, took})
		if took > pilotQuick || size >= min(pilotLargest, t.payload) {
			return scaled(runs, t.payload), nil
		}
	}
}

// scaled is what a run takes with a payload: as the last of the pilot, and what grew from the one before goes on growing.
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
func (t *trial) sample(ctx context.Context, payload int64) (mean time.Duration, err error) {
	cells, err := baseline.NewAblation(t.o.dir, payload, t.corners(), uint64(t.o.seed))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, cells.Close()) }()
	ends := []int{0, 1<<len(t.factors) - 1}
	for _, mask := range ends {
		for _, count := range []time.Duration{0, 1} { // the first run makes the files
			begun := time.Now()
			if _, err := cells.Run(ctx, baseline.Cell(gap.Corner(t.bench, t.factors, mask))); err != nil {
				return 0, err
			}
			mean += count * time.Since(begun) / time.Duration(len(ends))
		}
	}
	return mean, nil
}

// duration says how long the runs that are left take, and the replays that may follow.
func (t *trial) duration(runs int, each time.Duration) string {
	text := "take about " + unit.Duration(time.Duration(runs)*each)
	if each == 0 { // as slow as the recording, and as long again until the data is on the device
		longest := 2 * t.workload.SecondsPerGB() * float64(t.payload) / 1e9
		text = "take up to " + unit.Duration(time.Duration(float64(runs)*longest*1e9))
	}
	if replayable(t.workload) {
		text += fmt.Sprintf(" (and about %s more, if what was recorded has to be replayed)", unit.Duration(time.Duration(replays*t.workload.Seconds*1e9)))
	}
	return text
}
