package path

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/internal/heap"
	"github.com/iotrace/iotrace/trace"
)

// walks are several along the same events, each from the end of an operation back to what that began with. An event is
// shown to those alone that are at its thread, or that wait for its request.
type walks struct {
	threads *threads
	start   int64 // of the recording
	due     heap.Heap[due]
	served  map[int64][]*Walk // that wait for the request that was completed then
	queued  []*Walk           // that wait for what a device had to do first
	scratch []*Walk
	left    func(*Walk) // is told of those that came to the start
}

// own is what is kept of a thread while there are several walks.
type own struct {
	walks []*Walk // that are at it
	// rest is until when it did something that belongs to no operation yet, -1 if there is nothing like that.
	rest int64
	seen bool
	mine *operation // that nobody is answered by
	// first is just before the thread was heard first: it waited until then, for what is not known.
	first int64
}

// set is how a walk is known to the others.
type set struct {
	of    *operation
	at    *thread // whose walks it is among
	stamp uint32
	due   int64
	from  int64 // it came there then
	// What it was last entered for.
	kind      What
	since     int64
	completed int64
}

// anew is due of a walk that is to be entered for it again.
const anew = -2

func newWalks(kin Kin, start int64) *walks {
	return &walks{threads: newThreads(kin), start: start, served: map[int64][]*Walk{}}
}

// thread is one of which an event tells.
func (x *walks) thread(pid, tid uint32) *thread {
	t := x.threads.get(tid)
	if t.own == nil {
		t.own = &own{rest: -1, first: -1}
		if at := x.threads.kin.First(tid); at > x.start {
			t.own.first = at - 1
		}
	}
	if t.pid == 0 {
		t.pid = pid
	}
	return t
}

// begin adds the walk of an operation, which goes back from what a thread did until a time.
func (x *walks) begin(t *thread, at int64, of *operation) {
	of.walk = Walk{take: of.add, threads: x.threads, start: x.start, now: at, on: t, frames: of.walk.frames[:0],
		set: &of.set}
	of.walk.drain.start = 1<<63 - 1
	of.set = set{of: of, stamp: of.set.stamp + 1, due: anew}
	x.place(&of.walk)
}

// end takes a walk away. What was not told until an instant is told.
func (x *walks) end(w *Walk, at int64) {
	switch o := &w.open; {
	case at >= w.now:
	case o.what != 0:
		what := o.what
		if what == Service {
			what = Unknown // the request would have been met
		}
		o.what = 0
		w.leaf(what, at, o.cause)
	default:
		w.ran(at)
	}
	x.remove(w)
}

func (x *walks) remove(w *Walk) {
	s := w.set
	x.leave(w)
	x.forget(w)
	s.stamp++
	w.done = true
}

// leave takes a walk from a thread. What that did meanwhile for nobody else is a part of what the walk is of.
func (x *walks) leave(w *Walk) {
	s := w.set
	if s.at == nil {
		return
	}
	m := s.at.own
	if i := slices.Index(m.walks, w); i >= 0 {
		m.walks = slices.Delete(m.walks, i, i+1)
	}
	if o := m.mine; o != nil && o != s.of {
		o.covered += max(min(s.from, o.To)-w.now, 0)
	}
	s.at = nil
}

// place enters a walk where it is to be found, after it has gone on.
func (x *walks) place(w *Walk) {
	s := w.set
	if s.at != w.on {
		x.leave(w)
		x.thread(w.on.pid, w.on.id)
		w.on.own.walks = append(w.on.own.walks, w)
		s.at, s.from = w.on, w.now
	}
	if o := &w.open; s.kind != o.what || s.since != o.from {
		x.forget(w)
		s.kind, s.since, s.completed = o.what, o.from, o.completed
		switch o.what {
		case Service:
			x.served[o.completed] = append(x.served[o.completed], w)
		case Queued:
			x.queued = append(x.queued, w)
		}
	}
	if at := w.dueAt(); at != s.due {
		s.due = at
		s.stamp++
		x.due.Push(due{at, w, s.stamp})
	}
}

// forget takes a walk out of the lists of those that wait for requests.
func (x *walks) forget(w *Walk) {
	switch s := w.set; s.kind {
	case Service:
		list := x.served[s.completed]
		if i := slices.Index(list, w); i >= 0 {
			list = slices.Delete(list, i, i+1)
		}
		if x.served[s.completed] = list; len(list) == 0 {
			delete(x.served, s.completed)
		}
	case Queued:
		if i := slices.Index(x.queued, w); i >= 0 {
			x.queued = slices.Delete(x.queued, i, i+1)
		}
	}
	w.set.kind, w.set.since = 0, 0
}

// dueAt is when the walk has to be looked at even if nothing happens.
func (w *Walk) dueAt() int64 {
	switch o := &w.open; o.what {
	case 0:
		if w.now > w.floor() { // there is something left to tell of the thread
			return max(w.floor(), w.on.own.first)
		}
		return w.floor()
	case Service:
		return o.completed - 1
	case Queued:
		return max(o.since, 0)
	default:
		return o.from
	}
}

// comeTo says that nothing is left that ended after an instant.
func (x *walks) comeTo(at int64) {
	for len(x.due) > 0 && x.due[0].at >= at {
		d := x.due.Pop()
		w := d.walk
		if d.stamp != w.set.stamp || w.done {
			continue
		}
		w.set.due = anew
		if w.open.what == 0 && d.at > w.floor() && d.at == w.on.own.first {
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
func (x *walks) unheard(w *Walk, at int64) {
	w.ran(at)
	if len(w.frames) > 0 {
		w.leaf(Unknown, w.floor(), trace.WaitOther)
		return
	}
	x.remove(w)
	x.left(w)
}

// at are the walks at a thread; more may come, and these may go, while one looks at them.
func (x *walks) at(t *thread) []*Walk {
	x.scratch = append(x.scratch[:0], t.own.walks...)
	return x.scratch
}

// until tells what walks at a thread have to know before something else is known of it.
func (x *walks) until(t *thread, at int64) {
	for _, w := range t.own.walks {
		w.until(t, at)
	}
}

// request shows a request to those that wait for it, or for its device.
func (x *walks) request(e *trace.Request) {
	x.comeTo(e.Completed)
	x.requested(x.queued, e)
	x.requested(x.served[e.Completed], e)
}

func (x *walks) requested(list []*Walk, e *trace.Request) {
	if len(list) == 0 {
		return
	}
	x.scratch = append(x.scratch[:0], list...) // which changes
	for _, w := range x.scratch {
		w.requested(e)
		x.place(w)
	}
}
