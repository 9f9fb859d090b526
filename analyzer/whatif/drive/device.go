package drive

import (
	"cmp"
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
)

// Device is a drive of a recording, with the model that its requests tell.
type Device struct {
	Name       string
	Model      Model
	Requests   int   // that it served
	InFlight   int   // the most of them at once
	MaxRequest int64 // bytes of the largest request that it takes
	rated      [2]bool
	seen       [2]float64 // the highest rates of reads and of writes, in bytes per ns
}

// NewDevice fits a model to so many of the requests of a device at most, and notes
// in each what it asks for and what the model makes of it. It sorts the requests.
func NewDevice(name string, own []*Request, sample int) *Device {
	slices.SortStableFunc(own, func(a, b *Request) int { return cmp.Compare(a.Queued, b.Queued) })
	d := &Device{Name: name, Requests: len(own), InFlight: inFlight(own)}
	classify(own)
	sampled := own[:min(len(own), sample)]
	d.Model = fit(sampled)
	d.rated = [2]bool{tellsRate(sampled, 0), tellsRate(sampled, 1)}
	d.seen = [2]float64{highest(own, 0), highest(own, 1)}
	q := queue{Model: d.Model}
	for _, r := range own {
		d.MaxRequest = max(d.MaxRequest, r.Bytes)
		r.modelled = int64(q.serve(float64(r.Queued), r.service, r.Bytes, 0)) - r.Queued
	}
	return d
}

// inFlight is the most of some requests that were in flight at once.
func inFlight(own []*Request) int {
	var open timeline.Heap[instant]
	most := 0
	for _, r := range own {
		for len(open) > 0 && open[0] <= instant(r.Queued) {
			open.Pop()
		}
		open.Push(instant(r.Completed))
		most = max(most, len(open))
	}
	return most
}

// TellsRate reports whether the device's reads, or its writes if the request is
// one, tell a rate from a latency.
func (d *Device) TellsRate(r *Request) bool { return d.rated[r.service.direction()] }

// AsSeen is a model of the device, or one that it may become, that carries no more than was ever seen of it.
func (d *Device) AsSeen(m Model) Model {
	for k, rate := range d.seen {
		m.Rate[k] = min(m.Rate[k], rate)
	}
	return m
}

// slowest is the least that a drive is taken to carry, in bytes per ns: as much as one on USB 2.0.
const slowest = 0.03

// Passing is how much of a request's time its bytes may have taken to pass the link, in ns, where the requests do not
// tell that from the latency: as much as on a link that carries no more than was seen. 0 where they do.
func (d *Device) Passing(r *Request) float64 {
	k := r.service.direction()
	if r.Bytes == 0 || !math.IsInf(d.Model.Rate[k], 1) {
		return 0
	}
	return min(float64(r.Bytes)/max(d.seen[k], slowest), float64(r.Completed-r.Queued))
}
