package whatif

import (
	"sort"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/trace"
)

// tying finds what each thread waited for.
type tying struct {
	*events
	wakeups wakeups // of all recorded threads
	exits   wakeups // the ends of threads
	asked   []int32 // requests by the time at which they were asked for
	behind  []int32 // of requests: the flush that the block layer does before it, gone for none
	marks   int32
	guessed int64 // ns of waits of which it was not recorded what ended them
	slept   int64 // ns of all waits
}

// newTying begins with what can be told before any wait is explained.
func newTying(e *events, threads []*history) *tying {
	t := &tying{events: e}
	t.asks()
	var exits, all []wakeup
	for id, h := range e.threads {
		for i := range h.waits {
			if waker := e.threads[h.waits[i].Waker]; waker != nil && h.waits[i].By == trace.WokenByThread {
				waker.acted = append(waker.acted, h.waits[i].Woken())
			}
		}
		if at := h.end(); at > 0 && !h.helps {
			exits = append(exits, wakeup{at, id})
		}
	}
	t.exits = newWakeups(exits)
	for _, h := range threads {
		if !h.helps {
			t.streams(h)
			h.stretches = polling(&t.exits, h)
			all = h.wakeups(all)
		}
	}
	t.wakeups = newWakeups(all)
	return t
}

// mark makes a moment of a thread one that others wait for. A thread does nothing after its end, though the kernel may
// still take it apart.
func (t *tying) mark(d wakeup) (mark int32, at int64) {
	h := t.threads[d.thread]
	if at = d.at; h.exited {
		at = min(at, h.exit)
	} else {
		h.ran = max(h.ran, at)
	}
	h.add(cutPoint{at: at, what: Marks, index: t.marks})
	t.marks++
	return t.marks - 1, at
}

// waitsOf says for each wait of a thread what ended it.
func (t *tying) waitsOf(h *history) {
	for _, s := range h.stretches {
		m := cutPoint{at: s.from, until: s.until}
		t.follows(&m, s.end)
		h.add(m)
	}
	next := 0
	for i := range h.waits {
		w := &h.waits[i]
		if within(h.stretches, w.Start) != nil {
			continue
		}
		for next < len(h.calls) && h.calls[next].End < w.End() {
			next++
		}
		var inside *program.Step
		if next < len(h.calls) && h.calls[next].Start <= w.Start {
			inside = &h.calls[next]
		}
		t.slept += w.Duration
		m := cutPoint{at: w.Start, until: w.End(), what: Awaits, after: w.Duration}
		t.ended(h, w, inside, &m)
		m.ordered = t.durable(inside) || len(h.calls) == 0 && t.syncing(w)
		m.anew = h.helps && w.Cause == trace.WaitOther
		m.sync = m.ordered && !t.stays(h, inside, &m)
		h.add(m)
	}
}

// ended says what ended a wait, as it was recorded. What was not is inferred.
func (t *tying) ended(h *history, w *trace.Wait, inside *program.Step, m *cutPoint) {
	switch {
	case w.By == trace.WokenByRequest && t.needs(m, t.doneAt(w.Completed)):
	case w.By == trace.WokenByThread && t.followed(w, 0):
		t.follows(m, wakeup{w.Woken(), w.Waker})
	case w.By == trace.WokenByTimer && w.Cause != trace.WaitThrottle,
		w.By == trace.WokenByInterrupt && w.Cause != trace.WaitIO,
		w.By == trace.WokenByRPC: // a server takes as long as it took
		if h.helps {
			t.rests(m)
		} else if w.Cause == trace.WaitSleep || w.Cause == trace.WaitOther { // for as long as it chose
			m.what = Sleeps
		}
	default:
		t.infer(h, w, inside, m)
	}
}

// needs ties a wait to a request, if there is one.
func (t *tying) needs(m *cutPoint, n int32) bool {
	if n != noRequest {
		m.what, m.index, m.after = Needs, n, m.until-t.requests[n].Completed
	}
	return n != noRequest
}

// follows ties a wait to what another thread did.
func (t *tying) follows(m *cutPoint, by wakeup) {
	mark, at := t.mark(by)
	m.what, m.index, m.after = Follows, mark, m.until-at
}

// rests lets a thread that helps go on when it did. After the program has returned that is so long after its end: the
// recorder sees to it that what was written is safe.
func (t *tying) rests(m *cutPoint) {
	if by, ok := t.returned(m.until); ok {
		t.follows(m, by)
		return
	}
	m.what, m.after = Rests, m.until
}

// returned is the end of the program, if a time lies behind it.
func (t *tying) returned(at int64) (wakeup, bool) {
	if pids := t.survey.Header.PIDs; len(pids) > 0 {
		if main := t.threads[pids[0]]; main != nil && main.exited && main.known() && main.exit < at {
			return wakeup{main.exit, main.thread}, true
		}
	}
	return wakeup{}, false
}

// doneAt is the request that was completed at a time, gone if none was.
func (t *tying) doneAt(at int64) int32 {
	i := sort.Search(len(t.requests), func(i int) bool { return t.requests[i].Completed >= at })
	if i < len(t.requests) && t.requests[i].Completed == at {
		return int32(i)
	}
	return noRequest
}

// maxChain is how many helpers are looked at that woke each other.
const maxChain = 8

// followed reports whether it was recorded why the thread acted that ended a wait. One that helps acts because it was
// woken itself.
func (t *tying) followed(w *trace.Wait, chain int) bool {
	h := t.threads[w.Waker]
	switch {
	case h == nil || !h.known() || chain > maxChain:
		return false
	case !h.helps:
		return true
	}
	last := h.wokenUntil(w.Woken())
	if last == nil || h.since >= w.Start {
		return false
	}
	return last.By == trace.WokenByRequest && t.doneAt(last.Completed) != noRequest ||
		last.By == trace.WokenByThread && t.followed(last, chain+1)
}

// syncing reports whether an asynchronous operation makes data durable all the while.
func (t *tying) syncing(w *trace.Wait) bool {
	last := sort.Search(len(t.syncs), func(i int) bool { return t.syncs[i].start > w.Start }) - 1
	for i := last; i >= 0 && i > last-lookBack; i-- {
		if t.syncs[i].end >= w.Woken() {
			return true
		}
	}
	return false
}

// stays reports whether a wait for data to be durable remains without syncs: a file system that is unmounted, the data
// itself of a direct write.
func (t *tying) stays(h *history, inside *program.Step, m *cutPoint) bool {
	switch {
	case inside == nil:
		return false
	case inside.Op == trace.OpUnmount:
		return true
	case !inside.Direct() || !t.safe(inside) || m.what != Needs:
		return false
	}
	r := &t.requests[m.index]
	return r.Thread == h.thread && r.Op == trace.ReqWrite && r.file == inside.File
}

// start says when a thread begins: after its parent made it, or at its time. A worker of io_uring is made by a thread
// of its process.
func (t *tying) start(h *history, earliest int64) anchor {
	parent, at := t.threads[h.begin.parent], h.begin.at
	if !h.begun && !h.helps && h.thread != h.process {
		if parent, at = t.threads[h.process], h.first(); parent != nil {
			if w := parent.asleep(at); w != nil {
				at = w.Start
			}
		}
	}
	switch {
	case parent != nil && parent != h && parent.known():
		h.begin.at, h.begun = at, true
		mark, at := t.mark(wakeup{at, parent.thread})
		return anchor{What: AfterMark, Index: mark, After: h.begin.at - at}
	case h.begun:
		return anchor{What: AtTime, After: h.begin.at}
	}
	return anchor{What: AtTime, After: min(h.first(), earliest)}
}
