package whatif

import (
	"sort"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/trace"
)

// How far a cause may lie before what it caused.
const (
	wakeLag   = 2e6 // ns from the completion of a request until a thread that waited outside of I/O runs again
	switchLag = 2e5 // ns from what one thread did until another one that waited for it runs again
	exitLag   = 5e6 // ns from the end of a child until its parent runs again
	lookBack  = 64  // completions among which the one is looked for that ended a wait
)

// infer guesses what ended a wait of which that was not recorded: by a kernel that does not tell, or by a thread that
// was not followed yet. It is the only place where anything is guessed of a wait.
func (t *tying) infer(h *history, w *trace.Wait, inside *program.Step, m *cutPoint) {
	switch {
	case t.needs(m, t.completed(h, w, inside)):
	case !h.helps && (w.Cause == trace.WaitIO || w.Cause == trace.WaitThrottle):
		m.what = Stalls
	case w.Cause == trace.WaitSleep: // for as long as it chose
		m.what = Sleeps
	case h.helps:
		t.rests(m)
	case w.By == trace.WokenByThread:
	default:
		if by, ok := t.woken(h, w); ok {
			t.follows(m, by)
		} else if w.Cause != trace.WaitPoll && w.Cause != trace.WaitTimeout && w.Cause != trace.WaitCall {
			m.what = Sleeps
		}
	}
	if m.what == Needs || m.what == Follows {
		t.guessed += w.Duration
	}
}

// completed is the request whose completion may have ended a wait.
func (t *tying) completed(h *history, w *trace.Wait, inside *program.Step) int32 {
	last := sort.Search(len(t.requests), func(i int) bool { return t.requests[i].Completed > w.Woken() }) - 1
	best, rank := int32(noRequest), 0
	for i := last; i >= 0 && i > last-lookBack && t.requests[i].Completed > w.Start; i-- {
		r := &t.requests[i]
		n := 0
		switch {
		case r.Thread == h.thread:
			n = 4
		case inside != nil && r.file != 0 && r.file == inside.File:
			n = 3
		case r.process != 0 && r.process == h.process:
			n = 2
		case w.Cause == trace.WaitThrottle && r.Op == trace.ReqWrite, w.Cause == trace.WaitIO:
			n = 1
		}
		if outside := w.Cause == trace.WaitCall || w.Cause.Elsewhere(); outside {
			if n < 3 && !t.durable(inside) || w.Woken()-r.Completed > min(wakeLag, w.Duration/2) {
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

// woken is what may have ended a wait: a child that ended, however long the kernel took to take it apart, or a thread
// that ended or did something just before.
func (t *tying) woken(h *history, w *trace.Wait) (wakeup, bool) {
	last := t.exits.until(w.End())
	for i := last; i >= 0 && i > last-lookBack && t.exits.list[i].at >= w.Start && w.Cause == trace.WaitChild; i-- {
		by := t.exits.list[i]
		if c := t.threads[by.thread]; c.exited && c.begun && c.begin.parent == h.thread {
			return by, true
		}
	}
	if by, ok := t.exits.lastOther(w.End(), h.thread); ok && by.at >= max(w.Start, w.End()-exitLag) {
		return by, true
	}
	by, ok := t.wakeups.lastOther(w.End(), h.thread)
	return by, ok && by.at >= max(w.Start, w.End()-switchLag)
}
