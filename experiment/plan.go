package experiment

import (
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/baseline/ablation"
	"github.com/iotrace/iotrace/stats"
)

// The payload of a run.
const (
	mostPayload  = 512 << 20
	quickPayload = 64 << 20
	leastPayload = 8 << 20 // eight blocks of the usual benchmark: enough for its queue depth
	screenBlocks = 2       // repetitions of each row of a screening, so that it knows its noise
)

// payload is what each run moves: small enough that the recorded workload would
// take two seconds (half of one with --quick) for it.
func payload(o Options, w *gap.Workload) int64 {
	if o.Size > 0 {
		return o.Size
	}
	most := float64(mostPayload)
	if o.Quick {
		most = quickPayload
	}
	n := int64(min(most, target(o).Seconds()*w.Rate(), float64(w.Bytes)))
	return max(n, leastPayload) >> 20 << 20
}

// target is how long the recorded workload would take for a run. A cell that needs twice as long moves a part of the
// payload only.
func target(o Options) time.Duration {
	if o.Quick {
		return 500 * time.Millisecond
	}
	return 2 * time.Second
}

// corners are the cells that may be run.
func (x *Experiment) corners() []ablation.Cell {
	all := make([]ablation.Cell, 1<<len(x.factors))
	for m := range all {
		all[m] = ablation.Cell(gap.Corner(x.bench, x.factors, m))
	}
	return all
}

// cost is what the experiment will write at most, blocks that are repeated
// included, and how many runs it makes without those.
func (x *Experiment) cost() (written int64, runs int) {
	return x.costOf(x.payload, x.most)
}

// costOf is the same with another payload, and another number of factors in the full design.
func (x *Experiment) costOf(payload int64, most int) (written int64, runs int) {
	k, screens := len(x.factors), 0
	if k > most {
		screens = screenBlocks * stats.PlackettBurmanRuns
		k = most
	}
	runs = screens + len(gap.Factorial(k, x.o.Runs, 0))
	writes := int64(screens + len(gap.Factorial(k, x.o.Runs+x.extra(), 0)))
	if !x.bench.Write {
		writes = 0
	}
	written = writes*payload + ablation.Space(payload, x.corners())
	if replayable(x.workload) { // its source is made for each replay too
		written += replays * (x.workload.WriteBytes + x.workload.ReadBytes)
	}
	return written, runs
}
