package experiment

import (
	"math/bits"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
)

// forecast is what runs and replays take, as a pilot has found.
type forecast struct {
	pilots []pilotRun
	longer float64       // what the cells between the ends take, as a factor; 0: not known
	limit  time.Duration // of a run
}

// pilotRun is what a run takes with a payload.
type pilotRun struct {
	payload int64
	took    time.Duration
	active  [2]time.Duration // within took, while the clocks of both cells ran
	perByte float64          // ns, of the workload's cell
	made    int64            // bytes in files that have to be there before
	making  time.Duration    // what that took
}

// run is what one takes with a payload, 0 if the pilot took too long to know. While its clock runs it takes no
// longer than the limit; what comes before and after has none.
func (f *forecast) run(payload int64) time.Duration {
	if len(f.pilots) == 0 {
		return 0
	}
	part := func(of func(pilotRun) time.Duration) time.Duration {
		var runs []pilotRun
		for _, r := range f.pilots {
			runs = append(runs, pilotRun{payload: r.payload, took: of(r)})
		}
		return scaled(runs, payload)
	}
	each := part(func(r pilotRun) time.Duration { return r.took - (r.active[0]+r.active[1])/2 })
	for i := range 2 {
		each += min(part(func(r pilotRun) time.Duration { return r.active[i] }), f.limit) / 2
	}
	if f.longer > 0 {
		each = time.Duration(float64(each) * f.longer)
	}
	return each
}

// replay is what a replay takes, for which the files that the recorded program had read are made each time. What the
// recording met need not be here; the workload's cell is what it does.
func (f *forecast) replay(w *gap.Workload) time.Duration {
	took := time.Duration(w.Seconds * 1e9)
	if len(f.pilots) == 0 {
		return took
	}
	last := f.pilots[len(f.pilots)-1]
	if last.perByte > 0 {
		took = time.Duration(last.perByte * float64(w.Bytes))
	}
	if last.made > 0 {
		took += time.Duration(float64(last.making) / float64(last.made) * float64(w.ReadBytes))
	}
	return took
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

// longer is the mean of the runs of a block, both ends twice more among them, over the mean of the ends. Cells that are
// not known are between those nearest in the number of differences.
func longer(took []time.Duration) float64 {
	k := bits.Len(uint(len(took) - 1))
	sum, n := make([]float64, k+1), make([]float64, k+1)
	for mask, t := range took {
		if t > 0 {
			sum[bits.OnesCount(uint(mask))] += float64(t)
			n[bits.OnesCount(uint(mask))]++
		}
	}
	ends := (took[0] + took[len(took)-1]).Seconds() * 1e9 / 2
	if took[0] == 0 || took[len(took)-1] == 0 {
		return 1
	}
	total, below := 4*ends, 0
	for mask := range took {
		level := bits.OnesCount(uint(mask))
		for below = level; n[below] == 0; below-- {
		}
		above := level
		for n[above] == 0 {
			above++
		}
		mean := sum[below] / n[below]
		if above > below {
			mean += (sum[above]/n[above] - mean) * float64(level-below) / float64(above-below)
		}
		total += mean
	}
	return total / float64(len(took)+4) / ends
}
