package top

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// devices are those that were seen, with how they are built on one another.
type devices struct {
	known map[trace.DeviceID]*device
	order []*device // by when they were used first
}

// device is one that was described or used.
type device struct {
	trace.Device
	used    bool
	uppers  []*device               // that are built on it
	device  moved                   // requests since the start that nothing above it asked for
	systems map[trace.DeviceID]bool // file systems that were seen on it
}

// maxDevices bounds the devices that are told apart; number 0 stands for all further ones.
const maxDevices = 1024

func newDevices() *devices { return &devices{known: map[trace.DeviceID]*device{}} }

func (t *devices) get(id trace.DeviceID) *device {
	d := t.known[id]
	if d == nil && len(t.known) >= maxDevices && id != 0 {
		return t.get(0)
	}
	if d == nil {
		d = &device{systems: map[trace.DeviceID]bool{}}
		d.ID, d.Name = id, world.DeviceNumber(id)
		t.known[id] = d
	}
	return d
}

// describe takes the identity of a device.
func (t *devices) describe(e *trace.Device) {
	d := t.get(e.ID)
	parents := slices.Clone(e.Parents)
	d.Device = *e
	if d.Parents = parents; d.Name == "" {
		d.Name = world.DeviceNumber(e.ID)
	}
	for _, id := range parents {
		if p := t.get(id); p != d && !slices.Contains(p.uppers, d) {
			p.uppers = append(p.uppers, d)
		}
	}
}

// uses is the device of a request.
func (t *devices) uses(id trace.DeviceID) *device {
	d := t.get(id)
	if !d.used {
		d.used = true
		t.order = append(t.order, d)
	}
	return d
}

// above reports whether a device is built on this one, in any number of steps. A source may say that devices are built
// on one another in a circle: depth bounds the search.
func (d *device) above(id trace.DeviceID, depth int) bool {
	return depth > 0 && slices.ContainsFunc(d.uppers, func(u *device) bool { return u.ID == id || u.above(id, depth-1) })
}

// covered reports whether a device that is used is built on this one.
func (d *device) covered(depth int) bool {
	return depth > 0 && slices.ContainsFunc(d.uppers, func(u *device) bool { return u.used || u.covered(depth-1) })
}

// layers is how many devices may be built on one another.
const layers = 8

// deviceUse is what a device did in an interval.
type deviceUse struct {
	read, write       flow
	flushes, discards int64
	errors            int64
	inFlight          int64 // ns of all requests together, from issue to completion
	busy              cover
}

// flow is requests in one direction.
type flow struct {
	bytes   int64
	latency measure.Histogram
}

// add adds a request that has completed.
func (u *deviceUse) add(q *trace.Request) {
	if world.Failed(q) {
		u.errors++
	}
	switch q.Op {
	case trace.ReqRead:
		u.read.add(q)
	case trace.ReqWrite:
		u.write.add(q)
	case trace.ReqFlush:
		u.flushes++
	case trace.ReqDiscard, trace.ReqWriteZeroes:
		u.discards++
	}
	if q.Op == trace.ReqRead || q.Op == trace.ReqWrite {
		u.inFlight += max(q.Latency(), 0)
	}
}

func (f *flow) add(q *trace.Request) {
	f.bytes += q.Bytes
	f.latency.Add(max(q.Latency(), 0))
}
