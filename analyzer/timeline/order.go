package timeline

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/iotrace/iotrace/trace"
)

// Visitor takes events in the order of their starts. An event belongs to the
// visitor for the length of the call only, and is not to be changed.
type Visitor interface {
	Syscall(*trace.Syscall)
	AsyncOp(*trace.AsyncOp)
	Fault(*trace.Fault)
	// Queued is the time a request waited in the block layer, from Queued to
	// Issued. It comes in the order of Queued, Request in that of Issued.
	Queued(*trace.Request)
	Request(*trace.Request)
	Wait(*trace.Wait)
	Process(*trace.Process)
}

// Order hands on the events of a trace in the order of their starts. It has to
// be given the same batches as the Late it was made from. Visitors see the same
// events, each in a goroutine of its own, a batch at a time.
type Order struct {
	visitors []Visitor
	horizon  int64
	high     int64
	late     []late // by start; those that are still to come
	pending  []key  // by start
	fresh    []key  // of the batch that was added last
	merged   []key
	run      []any   // events to be handed on
	batches  []*held // by sequence number, from first on
	first    uint32
	free     func(*trace.Batch)
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
	left int
}

// rank orders events that begin at the same instant: what a process is before
// what it does, a call before what happens within it.
var rank = [...]uint8{
	trace.KindProcess: 0, trace.KindSyscall: 1, trace.KindAsyncOp: 2,
	trace.KindFault: 3, kindQueued: 4, trace.KindRequest: 5, trace.KindWait: 6,
}

// kindQueued is the kind of the keys for the time that requests were queued.
const kindQueued = trace.KindLost + 1

// NewOrder makes an Order that knows which events come late. Batches that it
// has done with go to free.
func NewOrder(l *Late, free func(*trace.Batch), v ...Visitor) *Order {
	o := &Order{visitors: v, horizon: l.horizon, late: l.events, free: free}
	slices.SortStableFunc(o.late, func(a, b late) int { return cmp.Compare(a.start, b.start) })
	return o
}

// Add takes the next batch of the trace and hands on the events that no later
// one can precede. The batch belongs to the Order until it is freed.
func (o *Order) Add(b *trace.Batch) {
	limit := o.high - o.horizon
	seq := o.first + uint32(len(o.batches))
	o.fresh = o.fresh[:0]
	o.fresh = enqueue(o.fresh, b.Processes, processStart, limit, key{batch: seq, kind: trace.KindProcess})
	o.fresh = enqueue(o.fresh, b.Syscalls, syscallStart, limit, key{batch: seq, kind: trace.KindSyscall})
	o.fresh = enqueue(o.fresh, b.AsyncOps, asyncStart, limit, key{batch: seq, kind: trace.KindAsyncOp})
	o.fresh = enqueue(o.fresh, b.Faults, faultStart, limit, key{batch: seq, kind: trace.KindFault})
	o.fresh = enqueue(o.fresh, b.Requests, requestStart, limit, key{batch: seq, kind: trace.KindRequest})
	o.fresh = enqueue(o.fresh, b.Requests, queueStart, limit, key{batch: seq, kind: kindQueued})
	o.fresh = enqueue(o.fresh, b.Waits, waitStart, limit, key{batch: seq, kind: trace.KindWait})
	slices.SortFunc(o.fresh, compare)
	o.merge()
	o.batches = append(o.batches, &held{b, len(o.fresh)})
	o.high = max(o.high, latest(b))
	o.release(o.high - o.horizon)
}

// Finish hands on what is left.
func (o *Order) Finish() { o.release(math.MaxInt64) }

// Held is how many events wait for their turn.
func (o *Order) Held() int { return len(o.pending) + len(o.late) }

func enqueue[E any](keys []key, events []E, start func(*E) int64, limit int64, k key) []key {
	for i := range events {
		if k.start = start(&events[i]); k.start >= limit && k.start != none {
			k.index = uint32(i)
			keys = append(keys, k)
		}
	}
	return keys
}

func compare(a, b key) int {
	if a.start != b.start {
		return cmp.Compare(a.start, b.start)
	}
	if a.kind != b.kind {
		return cmp.Compare(rank[a.kind], rank[b.kind])
	}
	return cmp.Compare(a.index, b.index)
}

// merge adds the fresh keys to the pending ones.
func (o *Order) merge() {
	a, b, m := o.pending, o.fresh, o.merged[:0]
	for len(a) > 0 && len(b) > 0 {
		if compare(b[0], a[0]) < 0 {
			m, b = append(m, b[0]), b[1:]
		} else {
			m, a = append(m, a[0]), a[1:]
		}
	}
	m = append(append(m, a...), b...)
	o.pending, o.merged = m, o.pending[:0]
}

// release hands on all events that began before limit.
func (o *Order) release(limit int64) {
	n := 0
	o.run = o.run[:0]
	for _, k := range o.pending {
		if k.start >= limit {
			break
		}
		o.takeLate(k.start)
		o.take(k)
		n++
	}
	o.pending = append(o.pending[:0], o.pending[n:]...)
	o.takeLate(limit)
	o.hand()
	o.recycle()
}

// takeLate takes the late events that began before a time.
func (o *Order) takeLate(limit int64) {
	for len(o.late) > 0 && o.late[0].start < limit {
		o.run = append(o.run, o.late[0].event)
		o.late[0].event = nil
		o.late = o.late[1:]
	}
}

func (o *Order) take(k key) {
	b := o.batches[k.batch-o.first]
	b.left--
	var e any
	switch k.kind {
	case trace.KindSyscall:
		e = &b.Syscalls[k.index]
	case trace.KindAsyncOp:
		e = &b.AsyncOps[k.index]
	case trace.KindFault:
		e = &b.Faults[k.index]
	case trace.KindRequest:
		e = &b.Requests[k.index]
	case kindQueued:
		e = (*queued)(&b.Requests[k.index])
	case trace.KindWait:
		e = &b.Waits[k.index]
	case trace.KindProcess:
		e = &b.Processes[k.index]
	}
	o.run = append(o.run, e)
}

// fewEvents is the number below which a goroutine costs more than it saves.
const fewEvents = 64

// hand shows the events of the run to all visitors.
func (o *Order) hand() {
	if len(o.run) < fewEvents {
		for _, v := range o.visitors {
			visit(o.run, v)
		}
		return
	}
	var done sync.WaitGroup
	for _, v := range o.visitors[1:] {
		done.Go(func() { visit(o.run, v) })
	}
	visit(o.run, o.visitors[0])
	done.Wait()
}

func visit(events []any, v Visitor) {
	for _, e := range events {
		switch e := e.(type) {
		case *trace.Syscall:
			v.Syscall(e)
		case *trace.AsyncOp:
			v.AsyncOp(e)
		case *trace.Fault:
			v.Fault(e)
		case *trace.Request:
			v.Request(e)
		case *queued:
			v.Queued((*trace.Request)(e))
		case *trace.Wait:
			v.Wait(e)
		case *trace.Process:
			v.Process(e)
		}
	}
}

// recycle frees the batches at the front of which every event was handed on.
func (o *Order) recycle() {
	clear(o.run)
	n := 0
	for n < len(o.batches) && o.batches[n].left == 0 {
		o.free(o.batches[n].Batch)
		n++
	}
	o.batches = append(o.batches[:0], o.batches[n:]...)
	o.first += uint32(n)
}
