package whatif

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/whatif/drive"
)

// joining lets threads move with one direct call what they moved with several: as
// much as a block holds, where one request went on where the one before it ended.
// Reads are asked for with the first of them, writes with the last.
type joining struct {
	requests []Request
	devices  []*drive.Device
	block    int64
	first    []int32 // of requests: the one that is asked for in their place, gone for themselves
	next     []int32 // of requests: the next one of the same call, gone for the last
	bytes    []int64 // of requests: what the device is asked for with them
	drop     []bool  // steps that are not done
}

// joint is what one call moves.
type joint struct {
	first, last      int32
	bytes, piece     int64  // of all, and of the request that the last one is part of
	head             int32  // of that request
	end              uint64 // sector
	submitted, waits []int  // steps
}

// join joins the calls of threads. The requests stay: how they are asked for is in
// what is returned.
func join(requests []Request, devices []*drive.Device, block int64, was []Thread) (*joining, []Thread) {
	n := len(requests)
	j := &joining{
		requests: requests, devices: devices, block: block, first: nowhere(n), next: nowhere(n), bytes: make([]int64, n),
	}
	for i := range requests {
		j.bytes[i] = requests[i].Bytes
	}
	threads := slices.Clone(was)
	for i := range threads {
		threads[i].Steps = j.steps(slices.Clone(threads[i].Steps))
	}
	return j, threads
}

// steps joins the calls of a thread.
func (j *joining) steps(steps []Step) []Step {
	j.drop = append(j.drop[:0], make([]bool, len(steps))...)
	open := joint{first: gone}
	for i := range steps {
		switch x := &steps[i]; {
		case x.What == Submits && j.goesOn(&open, x.Index):
			j.add(&open, x.Index)
			open.submitted = append(open.submitted, i)
		case x.What == Submits, x.What == Follows, x.What == Ends:
			j.close(&open, steps)
			open = joint{first: gone, submitted: open.submitted[:0], waits: open.waits[:0]}
			if x.What == Submits && j.requests[x.Index].Direct {
				j.begin(&open, x.Index)
				open.submitted = append(open.submitted, i)
			}
		case x.What == Needs && open.first != gone && (x.Index == open.first || j.first[x.Index] == open.first):
			open.waits = append(open.waits, i)
		}
	}
	kept, run := steps[:0], int64(0)
	for i, x := range steps {
		x.Run, run = x.Run+run, 0
		if j.drop[i] {
			run = x.Run
			continue
		}
		kept = append(kept, x)
	}
	return kept
}

func (j *joining) begin(o *joint, n int32) {
	r := &j.requests[n]
	o.first, o.last, o.head, o.bytes, o.piece = n, n, n, r.Bytes, r.Bytes
	o.end = r.Sector + uint64(r.Bytes/512)
}

// goesOn reports whether a request is part of the call.
func (j *joining) goesOn(o *joint, n int32) bool {
	if o.first == gone {
		return false
	}
	r, first := &j.requests[n], &j.requests[o.first]
	return r.Direct && r.Op == first.Op && r.Device == first.Device && r.Sector == o.end && o.bytes+r.Bytes <= j.block
}

// add makes a request part of the call, and of the request before it if the device takes as much at once.
func (j *joining) add(o *joint, n int32) {
	r := &j.requests[n]
	if o.piece+r.Bytes <= j.devices[r.Device].MaxRequest {
		j.bytes[o.head] += r.Bytes
		j.bytes[n] = 0
		o.piece += r.Bytes
	} else {
		o.head, o.piece = n, r.Bytes
	}
	j.next[o.last], j.first[n] = n, o.first
	o.last, o.bytes, o.end = n, o.bytes+r.Bytes, o.end+uint64(r.Bytes/512)
}

// close leaves one step that asks for all of a call, and one that waits for it.
func (j *joining) close(o *joint, steps []Step) {
	if len(o.submitted) < 2 {
		return
	}
	asks, waits := 0, 0
	if j.requests[o.first].Writes() {
		asks, waits = len(o.submitted)-1, len(o.waits)-1
	}
	for i, n := range o.submitted {
		j.drop[n] = i != asks
	}
	for i, n := range o.waits {
		j.drop[n] = i != waits || n < o.submitted[asks]
		steps[n].Index = o.first
	}
	steps[o.submitted[asks]].Index = o.first
}
