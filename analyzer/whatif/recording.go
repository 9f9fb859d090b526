package whatif

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
)

// Recording is what of a trace a prediction is made from.
type Recording struct {
	threads  []thread
	requests []request // in the order of completion
	agents   []anchor  // of requests: when those are asked for that no recorded thread asks for
	devices  []*device
	marks    int // how many moments of threads others wait for
	window   timeline.Window
	command  string
	unknown  int64 // ns that threads waited for I/O without a request to be seen
	waited   int64 // ns that they waited for I/O
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

// Waited is how long threads waited for the drive in all, in ns.
func (r *Recording) Waited() int64 { return r.waited }

// Command is what was recorded, as its user typed it.
func (r *Recording) Command() string { return r.command }

// company is the most requests that a device had in flight at once.
func (r *Recording) company() int {
	most := 0
	for i := range r.devices {
		q := queue{}
		for _, x := range arrivals(r.requests, i) {
			for len(q.slots) > 0 && q.slots[0] <= float64(x.queued) {
				q.take()
			}
			q.put(float64(x.completed))
			most = max(most, len(q.slots))
		}
	}
	return most
}

// account sums up how much of the waiting for I/O has a request that explains it.
func (r *Recording) account(t *tying) {
	for _, list := range t.moments {
		for _, m := range list {
			switch m.what {
			case stalls:
				r.unknown += m.after
				r.waited += m.after
			case needs:
				r.waited += max(m.until-m.at, 0)
			}
		}
	}
}
