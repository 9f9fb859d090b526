package whatif

import (
	"slices"
	"sort"

	"github.com/iotrace/iotrace/trace"
)

// How far a cause may lie before what it caused.
const (
	wakeLag   = 2e6 // ns from the completion of a request until a thread that waited outside of I/O runs again
	switchLag = 2e5 // ns from what one thread did until another one that waited for it runs again
	exitLag   = 5e6 // ns from the end of a child until its parent runs again
	lookBack  = 64  // completions among which the one is looked for that ended a wait
	gone      = -1  // no request
)

// tying finds what each thread waited for.
type tying struct {
	*events
	moments   map[uint32][]moment
	deeds     []deed // of all threads, by time
	exits     []deed
	stretches map[uint32][]stretch // of threads that looked again and again
	asked     []int32              // requests by the time at which they were asked for
	marks     int32
}

// deed is a moment at which a thread may have woken another one.
type deed struct {
	at     int64
	thread uint32
}

func newTying(e *events) *tying {
	t := &tying{events: e, moments: map[uint32][]moment{}}
	for id, calls := range e.calls {
		for i := range calls {
			t.deeds = append(t.deeds, deed{calls[i].start, id}, deed{calls[i].end, id})
		}
	}
	for id, waits := range e.waits {
		for i := range waits {
			t.deeds = append(t.deeds, deed{waits[i].start, id})
		}
	}
	for id := range e.process {
		if at := e.end(id); at > 0 {
			t.exits = append(t.exits, deed{at, id})
		}
	}
	for _, list := range [][]deed{t.deeds, t.exits} {
		sort.Slice(list, func(i, j int) bool { return list[i].at < list[j].at })
	}
	return t
}

// mark makes a moment of a thread one that others wait for.
func (t *tying) mark(thread uint32, at int64) int32 {
	t.moments[thread] = append(t.moments[thread], moment{at: at, what: marks, index: t.marks})
	t.marks++
	return t.marks - 1
}

// thread finds the moments of one thread.
func (t *tying) thread(id uint32) {
	t.waitsOf(id)
	t.dataOf(id)
	t.collectionsOf(id)
}

// waitsOf says for each wait of a thread what ended it.
func (t *tying) waitsOf(id uint32) {
	for _, s := range t.stretches[id] {
		t.moments[id] = append(t.moments[id], moment{
			at: s.from, until: s.until, what: follows, index: t.mark(s.end.thread, s.end.at), after: s.until - s.end.at,
		})
	}
	calls, next := t.calls[id], 0
	for _, w := range t.waits[id] {
		if within(t.stretches[id], w.start) != nil {
			continue
		}
		for next < len(calls) && calls[next].end < w.end {
			next++
		}
		var inside *call
		if next < len(calls) && calls[next].start <= w.start {
			inside = &calls[next]
		}
		m := moment{at: w.start, until: w.end, what: sleeps, after: w.end - w.start}
		m.sync = inside != nil && inside.op.Durability()
		switch r := t.completed(id, w, inside); {
		case r != gone:
			m.what, m.index, m.after = needs, r, w.end-t.requests[r].completed
		case w.cause == trace.WaitIO || w.cause == trace.WaitThrottle:
			m.what = stalls
		default:
			if by, at, ok := t.woken(id, w); ok {
				m.what, m.index, m.after = follows, t.mark(by, at), w.end-at
			}
		}
		t.moments[id] = append(t.moments[id], m)
	}
}

// completed is the request whose completion ended a wait.
func (t *tying) completed(id uint32, w wait, inside *call) int32 {
	last := sort.Search(len(t.requests), func(i int) bool { return t.requests[i].completed > w.end }) - 1
	best, rank := int32(gone), 0
	for i := last; i >= 0 && i > last-lookBack && t.requests[i].completed > w.start; i-- {
		r := &t.requests[i]
		n := 0
		switch {
		case r.thread == id:
			n = 4
		case inside != nil && r.file != 0 && r.file == inside.file:
			n = 3
		case r.process != 0 && r.process == t.process[id]:
			n = 2
		case w.cause == trace.WaitThrottle && r.op == trace.ReqWrite, w.cause == trace.WaitIO:
			n = 1
		}
		if outside := w.cause == trace.WaitCall || w.cause == trace.WaitOther; outside {
			if n < 3 && (inside == nil || !inside.op.Durability()) || w.end-r.completed > min(wakeLag, (w.end-w.start)/2) {
				continue
			}
			n = max(n, 1)
		}
		if n > rank {
			best, rank = int32(i), n
		}
	}
	return best
}

// woken is the thread that ended a wait, and when: a child that ended, or one
// that did something just before.
func (t *tying) woken(id uint32, w wait) (by uint32, at int64, ok bool) {
	for i := sort.Search(len(t.exits), func(i int) bool { return t.exits[i].at > w.end }) - 1; i >= 0; i-- {
		x := t.exits[i]
		if x.at < max(w.start, w.end-exitLag) {
			break
		}
		if x.thread != id {
			return x.thread, x.at, true
		}
	}
	for i := sort.Search(len(t.deeds), func(i int) bool { return t.deeds[i].at > w.end }) - 1; i >= 0; i-- {
		x := t.deeds[i]
		if x.at < max(w.start, w.end-switchLag) {
			break
		}
		if x.thread != id {
			return x.thread, x.at, true
		}
	}
	return 0, 0, false
}

// dataOf makes a thread need the requests that brought the data it read, and those
// that wrote the data it made durable, also where they were complete already: at
// the earliest when they were, so that the recording follows from itself.
func (t *tying) dataOf(id uint32) {
	before := int32(gone)
	for i := range t.calls[id] {
		c := &t.calls[id][i]
		switch {
		case c.op.Reads() && c.bytes > 0 && c.offset >= 0:
			t.overlapping(t.reads[c.file], c, func(n int32, r *request) {
				if n != before && r.queued < c.start {
					t.moments[id] = append(t.moments[id], moment{at: max(c.start, r.completed), what: needs, index: n})
					before = n
				}
			})
		case c.op.Durability():
			for _, p := range t.writes[c.file] {
				if r := &t.requests[p.request]; r.completed > c.start && r.completed <= c.end {
					t.moments[id] = append(t.moments[id], moment{at: c.end, what: needs, index: p.request, sync: true})
				}
			}
		}
	}
}

// collectionsOf makes a thread need the requests of the asynchronous operations
// that it collected.
func (t *tying) collectionsOf(id uint32) {
	for i := range t.asyncs[id] {
		a := &t.asyncs[id][i]
		pieces := t.reads[a.file]
		if !a.op.Reads() {
			pieces = t.writes[a.file]
		}
		t.overlapping(pieces, a, func(n int32, r *request) {
			if r.queued >= a.start && r.thread == id {
				t.moments[id] = append(t.moments[id], moment{at: a.end, what: needs, index: n})
			}
		})
	}
}

// overlapping calls f for each request for a part of what a call moved that was
// complete when the call ended.
func (t *tying) overlapping(pieces []piece, c *call, f func(int32, *request)) {
	const longest = 4 << 20 // of a piece
	from := sort.Search(len(pieces), func(i int) bool { return pieces[i].offset > c.offset-longest })
	for _, p := range pieces[from:] {
		if p.offset >= c.offset+c.bytes {
			break
		}
		if r := &t.requests[p.request]; p.offset+p.bytes > c.offset && r.completed <= c.end && r.queued < c.end {
			f(p.request, r)
		}
	}
}

// known are the threads of which something was recorded, in order.
func (t *tying) known() []uint32 {
	var list []uint32
	for id := range t.process {
		if len(t.calls[id])+len(t.waits[id]) > 0 {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// starts says when each thread begins: after its parent made it, or at its time.
func (t *tying) starts(list []uint32, known map[uint32]bool, start int64) []anchor {
	starts := make([]anchor, len(list))
	for i, id := range list {
		first := t.first(id)
		b, ok := t.begins[id]
		switch {
		case ok && known[b.parent] && b.parent != id:
			starts[i] = anchor{afterMark, t.mark(b.parent, b.at), 0}
		case ok:
			starts[i] = anchor{what: atTime, after: b.at}
		default:
			starts[i] = anchor{what: atTime, after: min(first, start)}
		}
	}
	return starts
}

// first is when a thread was first heard of: a program is read in before it begins.
func (t *tying) first(id uint32) int64 {
	at := int64(1 << 62)
	if c := t.calls[id]; len(c) > 0 {
		at = min(at, c[0].start)
	}
	if w := t.waits[id]; len(w) > 0 {
		at = min(at, w[0].start)
	}
	for _, m := range t.moments[id] {
		at = min(at, m.at)
	}
	return at
}

// whole is a thread with all its steps, the last of which is its end.
func (t *tying) whole(id uint32, start anchor) thread {
	begin := start.after
	if b, ok := t.begins[id]; ok {
		begin = b.at
	}
	end := t.end(id)
	// What is marked after its end belongs to its end.
	moments := t.moments[id]
	for i := range moments {
		moments[i].at = max(moments[i].at, begin)
		if moments[i].until == 0 {
			moments[i].at = min(moments[i].at, end)
		}
	}
	moments = append(moments, moment{at: end, what: ends})
	main := len(t.survey.Header.PIDs) > 0 && id == t.survey.Header.PIDs[0]
	return thread{number: id, begin: start, steps: cut(begin, moments), end: end, main: main}
}

// asks makes threads ask for the requests that they did ask for.
func (t *tying) asks(known map[uint32]bool) {
	t.asked = make([]int32, len(t.requests))
	for i := range t.asked {
		t.asked[i] = int32(i)
	}
	sort.SliceStable(t.asked, func(i, j int) bool {
		return t.requests[t.asked[i]].queued < t.requests[t.asked[j]].queued
	})
	for _, n := range t.asked {
		if r := &t.requests[n]; known[r.thread] {
			t.moments[r.thread] = append(t.moments[r.thread], moment{at: r.queued, what: submits, index: n})
		}
	}
}
