package whatif

import (
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// near is how far from the end of the request before it a request may begin and
// still be sequential, in sectors.
const near = 128

// device is a device of the recording.
type device struct {
	name  string
	model Model
	fit   float64 // ratio by which the model misses recorded times on average, at least 1
	used  int     // requests
}

// newDevice fits a model to the requests of a device and notes in each what the
// model makes of it.
func newDevice(d *world.Device, number int, requests []request) *device {
	x := &device{name: d.Name}
	own := arrivals(requests, number)
	x.used = len(own)
	classify(own)
	x.model, x.fit = fit(own)
	q := newQueue(x.model)
	for _, r := range own {
		r.recorded = int64(q.serve(float64(r.queued), r.service, r.bytes, 0)) - r.queued
	}
	return x
}

// arrivals are the requests of a device in the order in which they were asked for.
func arrivals(requests []request, number int) []*request {
	var own []*request
	for i := range requests {
		if requests[i].device == number {
			own = append(own, &requests[i])
		}
	}
	slices.SortStableFunc(own, func(a, b *request) int { return int(a.queued - b.queued) })
	return own
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
