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
	pilotSmall = 1 << 20 // bytes
	pilotLarge = 8 << 20
	pilotQuick = 500 * time.Millisecond // a run of the small one for which the large one is made too
	pilotLimit = 20 * time.Second       // for all of it
)

// pilot finds out what a run takes here: the recording tells how long its program took, most of which need not come
// back in the cells. It makes the two cells that differ most, that of the benchmark and that of the workload, with a
// small payload; as far as effects add up, their mean is that of all. 0 if that takes too long.
func (t *trial) pilot(ctx context.Context) (each time.Duration, err error) {
	limited, cancel := context.WithTimeout(ctx, pilotLimit)
	defer cancel()
	small, err := t.sample(limited, min(pilotSmall, t.payload))
	large := time.Duration(0)
	if err == nil && small < pilotQuick && t.payload > pilotSmall {
		large, err = t.sample(limited, min(pilotLarge, t.payload))
	}
	if err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		err = nil
	}
	return scaled(small, large, t.payload), err
}

// scaled is what a run takes, from that with the payload of the small pilot and, unless it is 0, the large one.
func scaled(small, large time.Duration, payload int64) time.Duration {
	if payload <= pilotSmall {
		return small
	}
	if large == 0 {
		return time.Duration(float64(small) * float64(payload) / pilotSmall)
	}
	more := max(large-small, 0)
	if payload <= pilotLarge {
		return large
	}
	return large + time.Duration(float64(more)*float64(payload-pilotLarge)/(pilotLarge-pilotSmall))
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
