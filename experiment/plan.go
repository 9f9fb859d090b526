package experiment

import (
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
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
func payload(asked int64, quick bool, w *gap.Workload) int64 {
	if asked > 0 {
		return asked
	}
	most := float64(mostPayload)
	if quick {
		most = quickPayload
	}
	n := int64(min(most, target(quick).Seconds()*w.Rate(), float64(w.Bytes)))
	return max(n, leastPayload) >> 20 << 20
}

// target is how long the recorded workload would take for a run. A cell that needs twice as long moves a part of the
// payload only.
func target(quick bool) time.Duration {
	if quick {
		return 500 * time.Millisecond
	}
	return 2 * time.Second
}

// design is what an experiment runs: which cells, how often, and with how much data.
type design struct {
	bench    gap.Setting
	factors  []gap.Factor
	workload *gap.Workload
	blocks   int   // repetitions of each cell
	payload  int64 // of each run
	most     int   // factors of the full design
}

// corners are the cells that may be run.
func (d *design) corners() []gap.Setting {
	all := make([]gap.Setting, 1<<len(d.factors))
	for m := range all {
		all[m] = gap.Corner(d.bench, d.factors, m)
	}
	return all
}

// extra is the number of blocks that may be repeated.
func (d *design) extra() int { return d.blocks / 2 }

// cost is what the experiment will write at most, blocks that are repeated
// included, and how many runs it makes without those.
func (d *design) cost() (written int64, runs int) {
	k, screens := len(d.factors), 0
	if k > d.most {
		screens = screenBlocks * stats.PlackettBurmanRuns
		k = d.most
	}
	runs = screens + len(gap.Factorial(k, d.blocks, 0))
	writes := int64(screens + len(gap.Factorial(k, d.blocks+d.extra(), 0)))
	if !d.bench.Write {
		writes = 0
	}
	written = writes*d.payload + space(d.payload, d.corners())
	if replayable(d.workload) { // its source is made for each replay too
		written += replays * (d.workload.WriteBytes + d.workload.ReadBytes)
	}
	return written, runs
}

// runs is how many there are with another number of factors in the full design.
func (d *design) runs(most int) int {
	other := *d
	other.most = most
	_, n := other.cost()
	return n
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
