package path

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// maxLate bounds the events that are held because earlier parts of a trace claim to go on for longer.
const maxLate = 1 << 20

// kinds are those that the path is made of.
var kinds = []trace.Kind{trace.KindSyscall, trace.KindFault, trace.KindRequest, trace.KindRPC,
	trace.KindWait, trace.KindProcess}

// along is what goes along the events of a trace, from the last to the first, by their ends.
type along interface {
	Call(*trace.Syscall)
	Fault(*trace.Fault)
	Request(*trace.Request)
	RPC(*trace.RPC)
	Wait(*trace.Wait)
	Process(*trace.Process)
	Done() bool // earlier ones are of no use
	Finish()    // there are none
}

// Follow goes along the path of a trace, from its end to its start. A trace is read span by span, the last one first;
// no more is held than a few of them.
func Follow(f *tracefile.File, w along) error {
	f.Only(kinds...)
	spans := f.Spans()
	earlier := latestBefore(spans)
	var o order
	if len(spans) == 0 { // interrupted before the first was complete
		if err := f.Rest(o.batch, o.add); err != nil {
			return err
		}
		o.sort()
	}
	for i := len(spans) - 1; i >= 0 && !w.Done(); i-- {
		err := f.Span(i, o.batch, o.add)
		if err != nil {
			return err
		}
		o.sort()
		o.walk(w, earlier[i])
	}
	o.walk(w, -1)
	w.Finish()
	return nil
}

// latestBefore is for each span the last end of an event in the spans before it.
func latestBefore(spans []tracefile.Span) []int64 {
	list := make([]int64, len(spans))
	latest := int64(-1)
	for i, s := range spans {
		list[i] = latest
		latest = max(latest, s.To)
	}
	return list
}

// order is events that were read and not yet walked along, by their ends.
type order struct {
	refs []ref
	held []*trace.Batch // that they lie in
	free []*trace.Batch
}

// batch is one to read into.
func (o *order) batch() *trace.Batch {
	n := len(o.free)
	if n == 0 {
		return new(trace.Batch)
	}
	b := o.free[n-1]
	o.free = o.free[:n-1]
	return b
}

// ref is one of them.
type ref struct {
	end   int64
	batch *trace.Batch
	index int32
	kind  trace.Kind
	rank  uint8 // of events with the same end: the later one is the one that waits
}

// add takes a batch, which stays as it is until all of its events are walked along.
func (o *order) add(b *trace.Batch) {
	o.held = append(o.held, b)
	for e := range b.InOrder() {
		if r := rank[e.Kind]; r > 0 {
			o.refs = append(o.refs, ref{e.Time, b, int32(e.Index), e.Kind, r})
		}
	}
}

// rank is the place of a kind among events that end at once; 0: the path is not made of it.
var rank = [...]uint8{
	trace.KindProcess: 1, trace.KindRequest: 2, trace.KindRPC: 3, trace.KindFault: 4, trace.KindWait: 5,
	trace.KindSyscall: 6, trace.NumKinds: 0,
}

func (o *order) sort() {
	later := func(a, b ref) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.rank, b.rank)) }
	if !slices.IsSortedFunc(o.refs, later) { // mostly they are
		slices.SortStableFunc(o.refs, later)
	}
}

// walk goes back to an instant, along all events that ended after it.
func (o *order) walk(w along, until int64) {
	n := len(o.refs)
	for ; n > 0 && (o.refs[n-1].end > until || n > maxLate); n-- {
		o.show(w, &o.refs[n-1])
		if w.Done() {
			n = 1
		}
	}
	o.refs = o.refs[:n]
	if n == 0 {
		o.free, o.held = append(o.free, o.held...), o.held[:0]
	}
}

func (o *order) show(w along, r *ref) {
	b := r.batch
	switch r.kind {
	case trace.KindSyscall:
		w.Call(&b.Syscalls[r.index])
	case trace.KindFault:
		w.Fault(&b.Faults[r.index])
	case trace.KindRequest:
		w.Request(&b.Requests[r.index])
	case trace.KindRPC:
		w.RPC(&b.RPCs[r.index])
	case trace.KindWait:
		w.Wait(&b.Waits[r.index])
	case trace.KindProcess:
		w.Process(&b.Processes[r.index])
	}
}
