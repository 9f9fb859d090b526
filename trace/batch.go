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
	RPCs      []RPC

	Extents []Extent   // what Requests[].More points into
	Parents []DeviceID // what Devices[].Parents points into
}

// Len is the number of events in the batch.
func (b *Batch) Len() int {
	return len(b.Syscalls) + len(b.AsyncOps) + len(b.Faults) + len(b.Requests) + len(b.Waits) + len(b.Processes) +
		len(b.Files) + len(b.Devices) + len(b.Lost) + len(b.RPCs)
}

// Reset empties the batch and keeps its memory.
func (b *Batch) Reset() {
	b.Syscalls, b.AsyncOps, b.Faults = b.Syscalls[:0], b.AsyncOps[:0], b.Faults[:0]
	b.Requests, b.Waits, b.Processes = b.Requests[:0], b.Waits[:0], b.Processes[:0]
	b.Files, b.Devices, b.Lost, b.RPCs = b.Files[:0], b.Devices[:0], b.Lost[:0], b.RPCs[:0]
	b.Extents, b.Parents = b.Extents[:0], b.Parents[:0]
}

// ended is when event i of a kind ended; false if there is none.
func (b *Batch) ended(k Kind, i int) (int64, bool) {
	switch {
	case k == KindSyscall && i < len(b.Syscalls):
		return b.Syscalls[i].End(), true
	case k == KindAsyncOp && i < len(b.AsyncOps):
		return b.AsyncOps[i].Complete, true
	case k == KindFault && i < len(b.Faults):
		return b.Faults[i].Start + b.Faults[i].Duration, true
	case k == KindRequest && i < len(b.Requests):
		return b.Requests[i].Completed, true
	case k == KindWait && i < len(b.Waits):
		return b.Waits[i].Start + b.Waits[i].Duration, true
	case k == KindProcess && i < len(b.Processes):
		return b.Processes[i].Time, true
	case k == KindFile && i < len(b.Files):
		return b.Files[i].Time, true
	case k == KindDevice && i < len(b.Devices):
		return b.Devices[i].Time, true
	case k == KindLost && i < len(b.Lost):
		return b.Lost[i].To, true
	case k == KindRPC && i < len(b.RPCs):
		return b.RPCs[i].End(), true
	}
	return 0, false
}

// Event points at one event of a batch: element Index of the slice that holds
// the events of Kind.
type Event struct {
	Time  int64 // when it ended, ns
	Kind  Kind
	Index int
}

// KindOrder is the order of kinds within a batch of the file, and of events
// that ended at the same time: identities first, a waiting call after what it
// waited for.
var KindOrder = [...]Kind{
	KindDevice, KindFile, KindProcess, KindLost, KindRequest, KindRPC, KindFault, KindWait, KindAsyncOp, KindSyscall,
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
		var next [len(KindOrder)]int    // first event of the kind that was not visited
		var times [len(KindOrder)]int64 // its time
		var live [len(KindOrder)]bool
		for i, k := range KindOrder {
			times[i], live[i] = b.ended(k, 0)
		}
		for {
			// The earliest kind may go on until it reaches the second earliest.
			first, limit, tie := -1, int64(math.MaxInt64), len(KindOrder)
			for i := range KindOrder {
				switch {
				case !live[i]:
				case first < 0:
					first = i
				case times[i] < times[first]:
					limit, tie, first = times[first], first, i
				case times[i] < limit || tie == len(KindOrder):
					limit, tie = times[i], i
				}
			}
			if first < 0 {
				return
			}
			k := KindOrder[first]
			for live[first] && (times[first] < limit || times[first] == limit && first < tie) {
				if !yield(Event{Time: times[first], Kind: k, Index: next[first]}) {
					return
				}
				next[first]++
				times[first], live[first] = b.ended(k, next[first])
			}
		}
	}
}
