package trace

import (
	"iter"
	"math"
)

// Batch holds the events of one slice of time. Within a kind they are in the
// order in which they were written.
//
// The slices, and the More and Parents slices inside their elements, belong to
// the batch and are overwritten by the next Reader.Next; strings may be kept.
// Files and Devices describe what the other events of this batch and of later
// ones refer to: read them first.
type Batch struct {
	Syscalls  []Syscall
	AsyncOps  []AsyncOp
	Faults    []Fault
	Requests  []Request
	Waits     []Wait
	Processes []Process
	Files     []File
	Devices   []Device
	Lost      []Lost

	extents []Extent   // what Requests[].More points into
	parents []DeviceID // what Devices[].Parents points into
}

// Len is the number of events in the batch.
func (b *Batch) Len() int {
	n := 0
	for _, k := range kindOrder {
		n += layouts[k].count(b)
	}
	return n
}

// reset empties the batch and keeps its memory.
func (b *Batch) reset() {
	for _, k := range kindOrder {
		layouts[k].reset(b)
	}
	b.extents, b.parents = b.extents[:0], b.parents[:0]
}

// Event points at one event of a batch: element Index of the slice that holds
// the events of Kind.
type Event struct {
	Time  int64 // when it ended, ns
	Kind  Kind
	Index int
}

// kindOrder is the order of kinds within a batch of the file, and of events
// that ended at the same time: identities first, a waiting call after what it
// waited for.
var kindOrder = [...]Kind{
	KindDevice, KindFile, KindProcess, KindLost, KindRequest, KindFault, KindWait, KindAsyncOp, KindSyscall,
}

// InOrder walks the events of all kinds, merged by the time they ended. Each
// kind keeps the order in which it was written, so the result is as ordered as
// the recording (see the package comment). It allocates nothing.
//
//	for e := range b.InOrder() {
//		switch e.Kind {
//		case trace.KindSyscall:
//			s := &b.Syscalls[e.Index]
func (b *Batch) InOrder() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		var next [len(kindOrder)]int    // first event of the kind that was not visited
		var times [len(kindOrder)]int64 // its time
		var live [len(kindOrder)]bool
		for i, k := range kindOrder {
			times[i], live[i] = layouts[k].time(b, 0)
		}
		for {
			// The earliest kind may go on until it reaches the second earliest.
			first, limit, tie := -1, int64(math.MaxInt64), len(kindOrder)
			for i := range kindOrder {
				switch {
				case !live[i]:
				case first < 0:
					first = i
				case times[i] < times[first]:
					limit, tie, first = times[first], first, i
				case times[i] < limit || tie == len(kindOrder):
					limit, tie = times[i], i
				}
			}
			if first < 0 {
				return
			}
			k := kindOrder[first]
			layout := layouts[k]
			for live[first] && (times[first] < limit || times[first] == limit && first < tie) {
				if !yield(Event{Time: times[first], Kind: k, Index: next[first]}) {
					return
				}
				next[first]++
				times[first], live[first] = layout.time(b, next[first])
			}
		}
	}
}
