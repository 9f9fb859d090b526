package path

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// walks are several along the same events, each from the end of an operation back to what that began with. An event is
// shown to those alone that are at its thread, or that wait for its request.
type walks struct {
	threads *threads
	owns    []*own // by the number of the thread; nil of those of which no event has told
	start   int64  // of the recording
	due     timeline.Heap[due]
	served  map[int64][]*walker // that wait for the request or the RPC that was completed then
	queued  []*walker           // that wait for what a device had to do first
	unsent  []*walker           // that wait for what a server had to do first
	scratch []*walker
	left    func(*walker) // is told of those that came to the start
}

func newWalks(kin Kin, start int64) *walks {
	return &walks{threads: newThreads(kin), start: start, served: map[int64][]*walker{}}
}

// thread is one of which an event tells.
func (x *walks) thread(pid, tid uint32) *own {
	t := x.threads.get(tid)
	if t.number >= len(x.owns) {
		x.owns = append(x.owns, make([]*own, t.number+1-len(x.owns))...)
	}
	m := x.owns[t.number]
	if m == nil {
		m = &own{thread: t, rest: -1, first: -1}
		if at := x.threads.kin.First(tid); at > x.start {
			m.first = at - 1
		}
		x.owns[t.number] = m
	}
	if t.pid == 0 {
		t.pid = pid
	}
	return m
}

// begin adds the walk of an operation, which goes back from what a thread did until a time.
func (x *walks) begin(m *own, at int64, of *operation) {
	of.Walk = Walk{take: of.add, threads: x.threads, start: x.start, now: at, on: m.thread, frames: of.frames[:0]}
	of.entry = entry{of: of, stamp: of.stamp + 1, due: anew}
	of.drain.start = 1<<63 - 1
	x.place(&of.walker)
}

// end takes a walk away. What was not told until an instant is told.
func (x *walks) end(w *walker, at int64) {
	switch o := &w.open; {
	case at >= w.now:
	case o.what != 0:
		what := o.what
		if what == Service || what == Server {
			what = Unknown // it would have been met
		}
		o.what = 0
		w.leaf(what, at, o.cause)
	default:
		w.ran(at)
	}
	x.remove(w)
}

func (x *walks) remove(w *walker) {
	x.leave(w)
	x.forget(w)
	w.stamp++
	w.done = true
}

// leave takes a walk from a thread. What that did meanwhile for nobody else is a part of what the walk is of.
func (x *walks) leave(w *walker) {
	if w.at == nil {
		return
	}
	m := w.at
	if i := slices.Index(m.walks, w); i >= 0 {
		m.walks = slices.Delete(m.walks, i, i+1)
	}
	if o := m.mine; o != nil && o != w.of {
		o.covered += max(min(w.from, o.To)-w.now, 0)
	}
	w.at = nil
}

// place enters a walk where it is to be found, after it has gone on.
func (x *walks) place(w *walker) {
	if w.at == nil || w.at.thread != w.on {
		x.leave(w)
		w.at, w.from = x.thread(w.on.pid, w.on.id), w.now
		w.at.walks = append(w.at.walks, w)
	}
	if o := &w.open; w.kind != o.what || w.since != o.from {
		x.forget(w)
		w.kind, w.since, w.completed = o.what, o.from, o.completed
		switch o.what {
		case Service, Server:
			x.served[o.completed] = append(x.served[o.completed], w)
		case Queued:
			x.queued = append(x.queued, w)
		case Unsent:
			x.unsent = append(x.unsent, w)
		}
	}
	if at := w.dueAt(); at != w.due {
		w.due = at
		w.stamp++
		x.due.Push(due{at, w, w.stamp})
	}
}

// forget takes a walk out of the lists of those that wait for requests.
func (x *walks) forget(w *walker) {
	switch w.kind {
	case Service, Server:
		list := x.served[w.completed]
		if i := slices.Index(list, w); i >= 0 {
			list = slices.Delete(list, i, i+1)
		}
		if x.served[w.completed] = list; len(list) == 0 {
			delete(x.served, w.completed)
		}
	case Queued:
		x.queued = without(x.queued, w)
	case Unsent:
		x.unsent = without(x.unsent, w)
	}
	w.kind, w.since = 0, 0
}

func without(list []*walker, w *walker) []*walker {
	if i := slices.Index(list, w); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// comeTo says that nothing is left that ended after an instant.
func (x *walks) comeTo(at int64) {
	for len(x.due) > 0 && x.due[0].at >= at {
		d := x.due.Pop()
		w := d.walk
		if d.stamp != w.stamp || w.done {
			continue
		}
		w.due = anew
		if w.open.what == 0 && d.at > w.floor() && d.at == w.at.first {
			x.unheard(w, d.at+1)
		} else if w.comeTo(d.at) {
			x.remove(w)
			x.left(w)
		}
		if !w.done {
			x.place(w)
		}
	}
}

// unheard is for a walk that comes to where its thread was heard first.
func (x *walks) unheard(w *walker, at int64) {
	w.ran(at)
	if len(w.frames) > 0 {
		w.leaf(Unknown, w.floor(), trace.WaitOther)
		return
	}
	x.remove(w)
	x.left(w)
}

// at are the walks at a thread; more may come, and these may go, while one looks at them.
func (x *walks) at(m *own) []*walker {
	x.scratch = append(x.scratch[:0], m.walks...)
	return x.scratch
}

// until tells what walks at a thread have to know before something else is known of it.
func (x *walks) until(m *own, at int64) {
	for _, w := range m.walks {
		w.until(m.thread, at)
	}
}

// called tells walks at a thread what they have to know before a call of it.
func (x *walks) called(m *own, e *trace.Syscall) {
	for _, w := range m.walks {
		if !w.misses(e) {
			w.until(m.thread, e.End())
		}
	}
}

// request shows a request to those that wait for it or look for it, or that wait for its device.
func (x *walks) request(e *trace.Request) {
	x.comeTo(e.Completed)
	x.requested(x.queued, e)
	x.requested(x.served[e.Completed], e)
	by, async := x.threads.kin.Submitter(e.TID)
	if t := x.threads.all[by]; t != nil && (async || t.call.polls) && t.number < len(x.owns) && x.owns[t.number] != nil {
		for _, w := range x.at(x.owns[t.number]) {
			w.looked(e)
			x.place(w)
		}
	}
}

func (x *walks) requested(list []*walker, e *trace.Request) {
	if len(list) == 0 {
		return
	}
	x.scratch = append(x.scratch[:0], list...) // which changes
	for _, w := range x.scratch {
		w.requested(e)
		x.place(w)
	}
}

// rpc shows an RPC to those that wait for it, or for its server.
func (x *walks) rpc(e *trace.RPC) {
	x.comeTo(e.End())
	if e.Served {
		return
	}
	a := x.threads.carriedOf(e)
	x.threads.get(e.TID).carried = a
	for _, list := range [][]*walker{x.unsent, x.served[e.End()]} {
		x.scratch = append(x.scratch[:0], list...) // which changes
		for _, w := range x.scratch {
			w.replied(&a)
			x.place(w)
		}
	}
}
