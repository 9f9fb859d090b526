package whatif

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
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
	devices   []*drive.Device
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
		if d.Requests > 0 {
			list = append(list, d.Name)
		}
	}
	slices.Sort(list)
	return list
}

// Model is what the requests to a device tell of it, false if there were none.
func (r *Recording) Model(device string) (drive.Model, bool) {
	for _, d := range r.devices {
		if d.Name == device {
			return d.Model, true
		}
	}
	return drive.Model{}, false
}

// Waited is how long threads waited for the drive in all, in ns.
func (r *Recording) Waited() int64 { return r.waited }

// Command is what was recorded, as a shell would need it.
func (r *Recording) Command() string { return visible.Command(r.command) }

// inFlight is the most requests that a device had in flight at once.
func (r *Recording) inFlight() int {
	most := 0
	for _, d := range r.devices {
		most = max(most, d.InFlight)
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

const fitted = 20000 // requests that models are fitted to at most, shared by all devices

// newDevices are the devices of a recording.
func newDevices(e *events) []*drive.Device {
	own := make([][]*drive.Request, len(e.numbers))
	for i := range e.requests {
		r := &e.requests[i]
		own[r.device] = append(own[r.device], &r.Request)
	}
	devices := make([]*drive.Device, len(own))
	for d, n := range e.numbers {
		devices[n] = drive.NewDevice(d.Name, own[n], fitted/len(own))
		devices[n].MaxRequest = max(devices[n].MaxRequest, d.MaxRequest)
	}
	return devices
}
