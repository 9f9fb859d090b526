package program

import (
	"cmp"
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
)

// tying finds what each thread waited for.
type tying struct {
	*events
	wakeups wakeups // of all threads
	exits   wakeups // the ends of threads
	asked   []int32 // requests by the time at which they were asked for
	marks   int32

	processes
}

// newTying begins with what can be told before any wait is explained.
func newTying(e *events, threads []*history) *tying {
	t := &tying{events: e}
	t.asks()
	var exits, all []wakeup
	for id, h := range e.threads {
		if at := h.end(); at > 0 {
			exits = append(exits, wakeup{at, id})
		}
	}
	t.exits = newWakeups(exits)
	for _, h := range threads {
		h.stretches = polling(&t.exits, h)
		all = h.wakeups(all)
	}
	t.wakeups, t.processes = newWakeups(all), newProcesses(threads)
	return t
}

// mark makes a moment of a thread one that others wait for.
func (t *tying) mark(d wakeup) int32 {
	t.threads[d.thread].add(cutPoint{at: d.at, what: Marks, index: t.marks})
	t.marks++
	return t.marks - 1
}

// waitsOf says for each wait of a thread what ended it.
func (t *tying) waitsOf(h *history) {
	for _, s := range h.stretches {
		h.add(cutPoint{at: s.from, until: s.until, what: Follows, index: t.mark(s.end), after: s.until - s.end.at})
	}
	next := 0
	for _, w := range h.waits {
		if within(h.stretches, w.start) != nil {
			continue
		}
		for next < len(h.calls) && h.calls[next].end < w.end {
			next++
		}
		var inside *call
		if next < len(h.calls) && h.calls[next].start <= w.start {
			inside = &h.calls[next]
		}
		m := cutPoint{at: w.start, until: w.end, what: Sleeps, after: w.end - w.start}
		m.sync = inside != nil && inside.op.Durability()
		switch r := t.completed(h, w, inside); {
		case r != gone:
			m.what, m.index, m.after = Needs, r, w.end-t.requests[r].Completed
		case w.cause == trace.WaitIO || w.cause == trace.WaitThrottle:
			m.what = Stalls
		case w.cause == trace.WaitSleep: // for as long as it chose
		default:
			if by, ok := t.ended(h, w); ok {
				m.what, m.index, m.after = Follows, t.mark(by), w.end-by.at
			} else if w.cause == trace.WaitPoll || w.cause == trace.WaitTimeout || w.cause == trace.WaitCall {
				m.what = Awaits
			}
		}
		h.add(m)
	}
}

// completed is the request whose completion ended a wait.
func (t *tying) completed(h *history, w wait, inside *call) int32 {
	last := sort.Search(len(t.requests), func(i int) bool { return t.requests[i].Completed > w.end }) - 1
	best, rank := int32(gone), 0
	for i := last; i >= 0 && i > last-lookBack && t.requests[i].Completed > w.start; i-- {
		r := &t.requests[i]
		n := 0
		switch {
		case r.Thread == h.thread:
			n = 4
		case inside != nil && r.file != 0 && r.file == inside.file:
			n = 3
		case r.process != 0 && r.process == h.process:
			n = 2
		case w.cause == trace.WaitThrottle && r.Op == trace.ReqWrite, w.cause == trace.WaitIO:
			n = 1
		}
		if outside := w.cause == trace.WaitCall || w.cause.Elsewhere(); outside {
			if n < 3 && (inside == nil || !inside.op.Durability()) || w.end-r.Completed > min(wakeLag, (w.end-w.start)/2) {
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

// ended is what ended a wait outside of I/O: a child, the thread that ended the process, what another one did just
// before, or, if it waited for another one, that this one computed until then.
func (t *tying) ended(h *history, w wait) (by wakeup, ok bool) {
	if w.cause == trace.WaitChild {
		by, ok = t.child(h, w)
	}
	if process := t.threads[h.process]; !ok && process != nil && killed(h, w, process.exit) {
		by, ok = t.processes.computing(h, w)
	}
	if !ok {
		by, ok = t.woken(h, w)
	}
	if !ok && w.cause == trace.WaitFutex {
		by, ok = t.processes.computing(h, w)
	}
	return by, ok
}

// killed reports whether a wait was the last thing that a thread did before its process ended: it ended in it.
func killed(h *history, w wait, exit int64) bool {
	return w.end <= exit && exit-w.end < exitLag && h.waits[len(h.waits)-1] == w &&
		(len(h.calls) == 0 || h.calls[len(h.calls)-1].start < w.end)
}

// child is the end of the child that was waited for, however long the kernel took to take it apart.
func (t *tying) child(h *history, w wait) (wakeup, bool) {
	last := t.exits.until(w.end)
	for i := last; i >= 0 && i > last-lookBack && t.exits.list[i].at >= w.start; i-- {
		by := t.exits.list[i]
		if c := t.threads[by.thread]; c.exited && c.begun && c.begin.parent == h.thread {
			return by, true
		}
	}
	return wakeup{}, false
}

// woken is what ended a wait: a child that ended, or a thread that did something
// just before.
func (t *tying) woken(h *history, w wait) (wakeup, bool) {
	if by, ok := t.exits.lastOther(w.end, h.thread); ok && by.at >= max(w.start, w.end-exitLag) {
		return by, true
	}
	by, ok := t.wakeups.lastOther(w.end, h.thread)
	return by, ok && by.at >= max(w.start, w.end-switchLag)
}

// start says when a thread begins: after its parent made it, or at its time.
func (t *tying) start(h *history, earliest int64) Anchor {
	switch parent := t.threads[h.begin.parent]; {
	case h.begun && parent != nil && parent != h && parent.known():
		return Anchor{What: AfterMark, Index: t.mark(wakeup{h.begin.at, parent.thread})}
	case h.begun:
		return Anchor{What: AtTime, After: h.begin.at}
	}
	return Anchor{What: AtTime, After: min(h.first(), earliest)}
}

// asks makes threads ask for the requests that they did ask for.
func (t *tying) asks() {
	t.asked = make([]int32, len(t.requests))
	for i := range t.asked {
		t.asked[i] = int32(i)
	}
	slices.SortStableFunc(t.asked, func(a, b int32) int {
		return cmp.Compare(t.requests[a].Queued, t.requests[b].Queued)
	})
	for _, n := range t.asked {
		if h := t.asker(n); h != nil {
			r := &t.requests[n]
			if c := h.during(r.Queued); c != nil && c.direct {
				r.Direct, r.CallBytes = true, c.bytes
			}
			h.add(cutPoint{at: r.Queued, what: Submits, index: n})
		}
	}
}

// asker is the recorded thread that asked for a request, nil if none did: also if the one that it is of was asleep.
func (t *tying) asker(n int32) *history {
	r := &t.requests[n]
	if h := t.threads[r.Thread]; h != nil && h.known() && h.asleep(r.Queued) == nil {
		return h
	}
	return nil
}
