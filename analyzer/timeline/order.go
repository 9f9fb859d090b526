package timeline

import (
	"cmp"
	"math"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// Visitor takes events in the order of their starts. An event belongs to the
// visitor until the second Flush after it, and is not to be changed.
type Visitor interface {
	Syscall(*trace.Syscall)
	AsyncOp(*trace.AsyncOp)
	Fault(*trace.Fault)
	// Queued is the time a request waited in the block layer, from Queued to
	// Issued. It comes in the order of Queued, Request in that of Issued.
	Queued(*trace.Request)
	Request(*trace.Request)
	RPC(*trace.RPC)
	Wait(*trace.Wait)
	Process(*trace.Process)
	// Flush says that the events up to the Flush before are about to be freed.
	Flush()
}

// Order hands on the events of a trace in the order of their starts. It has to
// be given the same batches as the Late it was made from.
type Order struct {
	visitor Visitor
	horizon int64
	high    int64
	late    []late // by start; those that are still to come
	pending []key  // by start
	fresh   []key  // of the batch that was added last
	merged  []key
	batches []*held // by sequence number, from first on
	first   uint32
	free    func(*trace.Batch)
}

// queued is a request as it arrives in the block layer.
type queued trace.Request

// key orders one event of one batch.
type key struct {
	start int64
	batch uint32
	kind  trace.Kind
	index uint32
}

// held is a batch of which some events were not handed on yet.
type held struct {
	*trace.Batch
	left    int
	flushed bool // all of it, before the last Flush
}

// rank orders events that begin at the same instant: what a process is before
// what it does, a call before what happens within it.
var rank = [...]uint8{
	trace.KindProcess: 0, trace.KindSyscall: 1, trace.KindAsyncOp: 2,
	trace.KindFault: 3, kindQueued: 4, trace.KindRequest: 5, trace.KindRPC: 6, trace.KindWait: 7,
}

// kindQueued is the kind of the keys for the time that requests were queued.
const kindQueued = trace.NumKinds

// NewOrder makes an Order that knows which events come late. Batches that it
// has done with go to free.
func NewOrder(l *Late, free func(*trace.Batch), v Visitor) *Order {
	o := &Order{visitor: v, horizon: l.horizon, late: l.events, free: free}
	slices.SortStableFunc(o.late, func(a, b late) int { return cmp.Compare(a.start, b.start) })
	return o
}

// Add takes the next batch of the trace and hands on the events that no later
// one can precede. The batch belongs to the Order until it is freed.
func (o *Order) Add(b *trace.Batch) {
	limit := o.high - o.horizon
	seq := o.first + uint32(len(o.batches))
	o.fresh = o.fresh[:0]
	enqueue(o, b.Processes, processTimes, limit, key{batch: seq, kind: trace.KindProcess})
	enqueue(o, b.Syscalls, syscallTimes, limit, key{batch: seq, kind: trace.KindSyscall})
	enqueue(o, b.AsyncOps, asyncTimes, limit, key{batch: seq, kind: trace.KindAsyncOp})
	enqueue(o, b.Faults, faultTimes, limit, key{batch: seq, kind: trace.KindFault})
	enqueue(o, b.Requests, requestTimes, limit, key{batch: seq, kind: trace.KindRequest})
	enqueue(o, b.Requests, queueTimes, limit, key{batch: seq, kind: kindQueued})
	enqueue(o, b.RPCs, rpcTimes, limit, key{batch: seq, kind: trace.KindRPC})
	enqueue(o, b.Waits, waitTimes, limit, key{batch: seq, kind: trace.KindWait})
	o.pending, o.merged = merge(o.pending, o.fresh, o.merged[:0]), o.pending
	o.batches = append(o.batches, &held{Batch: b, left: len(o.fresh)})
	o.release(max(o.high-o.horizon, o.crowded()))
}

// maxHeldBatches bounds the batches that are held back, should hundreds of
// thousands of events have begun long before they ended: events then come out
// of order.
const maxHeldBatches = 32

// crowded is the time before which events have to be handed on to keep within
// maxHeldBatches.
func (o *Order) crowded() int64 {
	limit := int64(math.MinInt64)
	if n := len(o.batches) - maxHeldBatches; n > 0 {
		for _, k := range o.pending {
			if k.batch-o.first < uint32(n) {
				limit = max(limit, k.start+1)
			}
		}
	}
	return limit
}

// Finish hands on what is left.
func (o *Order) Finish() {
	o.release(math.MaxInt64)
	o.visitor.Flush()
	o.recycle()
}

// enqueue adds the events of one kind to the fresh ones.
func enqueue[E any](o *Order, events []E, times func(*E) (start, end int64), limit int64, k key) {
	before := len(o.fresh)
	for i := range events {
		start, end := times(&events[i])
		o.high = max(o.high, end)
		if k.start = start; k.start >= limit && k.start != none {
			k.index = uint32(i)
			o.fresh = append(o.fresh, k)
		}
	}
	others, kind := o.fresh[:before], o.fresh[before:]
	if !sortNear(kind) {
		slices.SortFunc(kind, compare)
	}
	if !follows(kind, others) {
		o.fresh, o.merged = merge(others, kind, o.merged[:0]), o.fresh
	}
}

// follows reports whether none of the keys in b comes before the last one of a: one list after the other is then in
// order, as where there are events of one kind only.
func follows(b, a []key) bool { return len(a) == 0 || len(b) == 0 || !less(&b[0], &a[len(a)-1]) }

// sortNear sorts keys of one kind that are nearly in order, as those of events
// that ended in order are. It gives up, leaving them in any order, if that takes
// longer than to sort what is in none.
func sortNear(keys []key) bool {
	moves := 16 * len(keys)
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && k.start < keys[j-1].start; j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
		if moves -= i - j; moves < 0 {
			return false
		}
	}
	return true
}

// less is compare, for most keys without a call.
func less(a, b *key) bool { return a.start < b.start || a.start == b.start && compare(*a, *b) < 0 }

func compare(a, b key) int {
	if a.start != b.start {
		return cmp.Compare(a.start, b.start)
	}
	if a.kind != b.kind {
		return cmp.Compare(rank[a.kind], rank[b.kind])
	}
	return cmp.Compare(a.index, b.index)
}

// merge appends the keys of two lists in their order; a key of a comes before one
// of b that is equal.
func merge(a, b, to []key) []key {
	for len(a) > 0 && len(b) > 0 {
		if less(&b[0], &a[0]) {
			to, b = append(to, b[0]), b[1:]
		} else {
			to, a = append(to, a[0]), a[1:]
		}
	}
	return append(append(to, a...), b...)
}

// release hands on all events that began before limit.
func (o *Order) release(limit int64) {
	n := 0
	for _, k := range o.pending {
		if k.start >= limit {
			break
		}
		if len(o.late) > 0 {
			o.takeLate(k.start)
		}
		o.take(k)
		n++
	}
	o.pending = append(o.pending[:0], o.pending[n:]...)
	o.takeLate(limit)
	o.visitor.Flush()
	o.recycle()
	for _, b := range o.batches {
		b.flushed = b.left == 0
	}
}

// takeLate takes the late events that began before a time.
func (o *Order) takeLate(limit int64) {
	for len(o.late) > 0 && o.late[0].start < limit {
		o.visit(o.late[0].event)
		o.late[0].event = nil
		o.late = o.late[1:]
	}
}

func (o *Order) take(k key) {
	b := o.batches[k.batch-o.first]
	b.left--
	switch k.kind {
	case trace.KindSyscall:
		o.visitor.Syscall(&b.Syscalls[k.index])
	case trace.KindAsyncOp:
		o.visitor.AsyncOp(&b.AsyncOps[k.index])
	case trace.KindFault:
		o.visitor.Fault(&b.Faults[k.index])
	case trace.KindRequest:
		o.visitor.Request(&b.Requests[k.index])
	case kindQueued:
		o.visitor.Queued(&b.Requests[k.index])
	case trace.KindWait:
		o.visitor.Wait(&b.Waits[k.index])
	case trace.KindRPC:
		o.visitor.RPC(&b.RPCs[k.index])
	case trace.KindProcess:
		o.visitor.Process(&b.Processes[k.index])
	}
}

// visit hands on a late event.
func (o *Order) visit(event any) {
	switch e := event.(type) {
	case *trace.Syscall:
		o.visitor.Syscall(e)
	case *trace.AsyncOp:
		o.visitor.AsyncOp(e)
	case *trace.Fault:
		o.visitor.Fault(e)
	case *trace.Request:
		o.visitor.Request(e)
	case *queued:
		o.visitor.Queued((*trace.Request)(e))
	case *trace.Wait:
		o.visitor.Wait(e)
	case *trace.RPC:
		o.visitor.RPC(e)
	case *trace.Process:
		o.visitor.Process(e)
	}
}

// recycle frees the batches at the front, as far as all of their events were
// handed on before the last Flush.
func (o *Order) recycle() {
	n := 0
	for n < len(o.batches) && o.batches[n].flushed {
		o.free(o.batches[n].Batch)
		n++
	}
	o.batches = append(o.batches[:0], o.batches[n:]...)
	o.first += uint32(n)
}
