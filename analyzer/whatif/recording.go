package whatif

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// Recording is the part of a trace that a prediction is made from.
type Recording struct {
	threads   []thread
	requests  []request  // in the order of completion
	agents    []anchor   // of requests: when those are asked for that no recorded thread asks for
	followed  [3][]int32 // the first request after each mark, completion and asking
	sibling   []int32    // of requests: the next one after the same
	devices   []*device
	window    timeline.Window
	command   []string
	unknown   int64 // ns that threads waited for I/O without a request to be seen
	waited    int64 // ns that they waited for I/O
	throttled int64 // ns that they waited because too much was left to be written back
}

// Recorded is what the workload took.
func (r *Recording) Recorded() Prediction {
	return Prediction{Wall: r.window.Wall - r.window.Start, Durable: r.window.End - r.window.Start}
}

// Devices are the names of the devices that requests went to.
func (r *Recording) Devices() []string {
	var list []string
	for _, d := range r.devices {
		if d.used > 0 {
			list = append(list, d.name)
		}
	}
	slices.Sort(list)
	return list
}

// Model is what the requests to a device tell of it, false if there were none.
func (r *Recording) Model(device string) (Model, bool) {
	for _, d := range r.devices {
		if d.name == device {
			return d.model, true
		}
	}
	return Model{}, false
}

// Waited is how long threads waited for the drive in all, in ns.
func (r *Recording) Waited() int64 { return r.waited }

// Command is what was recorded, as a shell would need it.
func (r *Recording) Command() string { return visible.Command(r.command) }

// company is the most requests that a device had in flight at once.
func (r *Recording) company() int {
	most := 0
	for _, d := range r.devices {
		most = max(most, d.company)
	}
	return most
}

// account sums up how much of the waiting for I/O has a request that explains it.
func (r *Recording) account(threads []*history) {
	for _, h := range threads {
		for _, w := range h.waits {
			if w.cause == trace.WaitThrottle {
				r.throttled += w.end - w.start
			}
		}
		for i := range h.cutPoints {
			switch m := &h.cutPoints[i]; m.what {
			case stalls:
				r.unknown += m.after
				r.waited += m.after
			case needs:
				r.waited += max(m.until-m.at, 0)
			}
		}
	}
}

// link lists for each mark, completion and asking the requests that follow it.
func (r *Recording) link(marks int) {
	for k, n := range [...]int{marks, len(r.requests), len(r.requests)} {
		r.followed[k] = nowhere(n)
	}
	r.sibling = nowhere(len(r.requests))
	for i := len(r.agents) - 1; i >= 0; i-- {
		switch a := r.agents[i]; a.what {
		case afterMark, afterDone, afterAsked:
			first := &r.followed[a.what-afterMark][a.index]
			r.sibling[i], *first = *first, int32(i)
		}
	}
}
