package perfetto

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// flows find out which requests a thread waited for in a call, a fault or an
// asynchronous operation: it queued them meanwhile, and they were complete before that
// ended. Requests come when they are complete, so before what waited for them.
type flows struct {
	open  map[uint32][]link // by thread
	count int               // of all
	found []uint64          // used again
}

// link is a request that nothing is known to have waited for yet.
type link struct {
	id                uint64
	queued, completed int64
	file              trace.FileID
	offset            int64
}

// Bounds of what is remembered. The oldest of a thread are forgotten first: what
// writes back waits for no call.
const (
	maxOfThread = 256
	maxOpen     = 1 << 18
)

func (f *flows) add(id uint64, r *trace.Request) {
	if f.count >= maxOpen {
		clear(f.open)
		f.count = 0
	}
	list := f.open[r.TID]
	if len(list) >= maxOfThread {
		f.count -= len(list) / 2
		list = slices.Delete(list, 0, len(list)/2)
	}
	f.open[r.TID] = append(list, link{id, r.Queued, r.Completed, r.File, r.Offset})
	f.count++
}

// claim takes the requests of a thread and a time that belongs accepts. They hold
// until the next claim.
func (f *flows) claim(tid uint32, start, end int64, belongs func(*link) bool) []uint64 {
	f.found = f.found[:0]
	list := f.open[tid]
	if len(list) == 0 {
		return nil
	}
	rest := list[:0]
	for _, l := range list {
		if l.queued >= start && l.completed <= end && belongs(&l) {
			f.found = append(f.found, l.id)
		} else {
			rest = append(rest, l)
		}
	}
	f.count -= len(f.found)
	if f.open[tid] = rest; len(rest) == 0 {
		delete(f.open, tid)
	}
	return f.found
}

// call finds the requests that a call waited for. Those that hand operations to the
// kernel leave them to the operations.
func (f *flows) call(e *trace.Syscall) []uint64 {
	if e.Op == trace.OpAIOSubmit || e.Op == trace.OpUringEnter {
		return nil
	}
	return f.claim(e.TID, e.Start, e.End(), func(*link) bool { return true })
}

// operation finds those of an asynchronous operation, by the place in the file, too.
func (f *flows) operation(e *trace.AsyncOp) []uint64 {
	return f.claim(e.TID, e.Submit, e.Complete, func(l *link) bool {
		return l.file == e.File && l.offset >= e.Offset && l.offset-e.Offset < max(e.Requested, 1)
	})
}
