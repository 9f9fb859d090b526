package whatif

import (
	"cmp"
	"math"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// near is how far from the end of the request before it a request may begin and
// still be sequential, in sectors.
const near = 128

// device is a device of the recording.
type device struct {
	name    string
	model   Model
	used    int     // requests
	company int     // the most that it had in flight at once
	limit   int64   // bytes of a request
	rated   [2]bool // its reads and writes tell a rate from a latency
}

// newDevices are the devices of a recording.
func newDevices(e *events) []*device {
	own := make([][]*request, len(e.numbers))
	for i := range e.requests {
		r := &e.requests[i]
		own[r.device] = append(own[r.device], r)
	}
	devices := make([]*device, len(own))
	for d, n := range e.numbers {
		devices[n] = newDevice(d.Name, own[n], fitted/len(own))
		devices[n].limit = max(devices[n].limit, d.MaxRequest)
	}
	return devices
}

// newDevice fits a model to so many of the requests of a device at most, and notes
// in each what the model makes of it.
func newDevice(name string, own []*request, sample int) *device {
	slices.SortStableFunc(own, func(a, b *request) int { return cmp.Compare(a.queued, b.queued) })
	x := &device{name: name, used: len(own), company: company(own)}
	classify(own)
	sampled := own[:min(len(own), sample)]
	x.model = fit(sampled)
	x.rated = [2]bool{tellsRate(sampled, 0), tellsRate(sampled, 1)}
	q := newQueue(x.model)
	for _, r := range own {
		x.limit = max(x.limit, r.bytes)
		r.recorded = int64(q.serve(float64(r.queued), r.service, r.bytes, 0)) - r.queued
	}
	return x
}

// company is the most of some requests that were in flight at once.
func company(own []*request) int {
	var open heap[instant]
	most := 0
	for _, r := range own {
		for len(open) > 0 && open[0] <= instant(r.queued) {
			open.pop()
		}
		open.push(instant(r.completed))
		most = max(most, len(open))
	}
	return most
}

// classify says of each request what its time depends on.
func classify(own []*request) {
	var ends [2]uint64 // of the last read and write
	for _, r := range own {
		w := 0
		if r.op != trace.ReqRead {
			w = 1
		}
		distance := math.Abs(float64(r.sector) - float64(ends[w]))
		switch {
		case r.op == trace.ReqFlush || r.bytes == 0:
			r.service = flush
			continue
		case w == 0:
			r.service = randomRead
		default:
			r.service = randomWrite
		}
		if distance <= near {
			r.service++
		}
		ends[w] = r.sector + uint64(r.bytes/512)
	}
}
