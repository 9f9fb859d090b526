package fio

import (
	"cmp"
	"fmt"
	"math"

	"github.com/iotrace/iotrace/trace"
)

// disks are the devices of a trace that holds requests alone: what was asked of each is what fio does to a file.
type disks struct {
	all    map[trace.DeviceID]*disk
	failed int64 // requests with an error, or without a size
}

// disk is a device and the file that stands for it.
type disk struct {
	file
	places
	ends map[action]int64 // of what was read, and written, on the device
}

// asked are those of requests that fio knows.
var asked = map[trace.ReqOp]action{trace.ReqRead: read, trace.ReqWrite: write, trace.ReqFlush: sync,
	trace.ReqDiscard: trim}

// name takes in what devices are called.
func (d *disks) name(b *trace.Batch) {
	for i := range b.Devices {
		d.of(b.Devices[i].ID).Path = cmp.Or(b.Devices[i].Name, "device")
	}
}

// of is the disk of a number.
func (d *disks) of(id trace.DeviceID) *disk {
	k := d.all[id]
	if k == nil {
		// All of a device is there before.
		k = &disk{file: file{File: trace.File{Path: fmt.Sprintf("%d-%d", id.Major(), id.Minor()), Size: math.MaxInt64}},
			ends: map[action]int64{}}
		d.all[id] = k
	}
	return k
}

// operation is what a request was, from when it was queued until it was complete; false if fio can do none of it. Its
// offset is the device's.
func (d *disks) operation(e *trace.Request) (o operation, k *disk, ok bool) {
	o = operation{action: asked[e.Op], start: e.Issued, end: e.Completed, length: e.Bytes, direct: true, submitted: true}
	if e.Queued >= 0 && e.Queued < e.Issued {
		o.start = e.Queued
	}
	if o.action == sync {
		o.length = 0
	} else if o.offset = int64(e.Sector) * 512; o.action == "" || e.Bytes <= 0 || e.Sector > 1<<54 {
		return o, nil, false
	}
	if k = d.of(e.Device); e.Error != 0 || e.Flags&(trace.ReqForeign|trace.ReqRecorder) != 0 {
		return o, nil, false
	}
	o.file = &k.file
	return o, k, true
}

// learn takes in what a request used, in the first reading.
func (d *disks) learn(e *trace.Request) {
	o, k, ok := d.operation(e)
	if !ok {
		d.failed++
		return
	}
	k.uses[direct]++
	if o.action == sync {
		return
	}
	k.add(o.offset, o.length)
	k.ends[o.action] = max(k.ends[o.action], o.offset+o.length)
}

// settle gives everything its place in files, and returns how many operations there are and how much they move.
func (d *disks) settle() (operations int, bytes int64) {
	for _, k := range d.all {
		k.settle()
		if end := k.ends[read]; end > 0 {
			k.readEnd = k.at(end-1) + 1
		}
		if end := k.ends[write]; end > 0 {
			k.wroteEnd = k.at(end-1) + 1
		}
		operations += k.uses[direct]
		bytes += max(k.readEnd, k.wroteEnd)
	}
	return operations, bytes
}

// hand hands on what a request was.
func (d *disks) hand(e *trace.Request, take func(*operation)) {
	o, k, ok := d.operation(e)
	if !ok {
		return
	}
	if o.action != sync {
		o.offset = k.at(o.offset)
	}
	take(&o)
}

// Queued and Request come of each request, the first only of those that were queued before they were issued.
func (v *visitor) Queued(e *trace.Request) {
	if v.recording.disks != nil {
		v.recording.disks.hand(e, v.take)
	}
}

func (v *visitor) Request(e *trace.Request) {
	if v.recording.disks != nil && (e.Queued < 0 || e.Queued >= e.Issued) {
		v.recording.disks.hand(e, v.take)
	}
}

// comment says in a job what its files stand for; of a trace with calls there is nothing to say.
func (d *disks) comment(s settings) {
	if d == nil {
		return
	}
	s.comment("Requests of disks: each disk is a file of its used parts, side by side in their order.")
	if d.failed > 0 {
		s.comment("%d requests are left out: failed, without a size, or of a kind that fio has not.", d.failed)
	}
}
