package path

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// A thread may wait for its own I/O and keep the CPU. It looks again and again whether that is done: by calls that find
// nothing, or in memory that the kernel writes, as that of a ring. That it waited shows in what it does next: it does
// that at once when the request is done. A thread that computes comes to it by chance, and seldom so soon.

// look is a request that the thread on the path seems to look for, up to now.
type look struct {
	Request              // no Op: there is none
	queued, issued int64 // of the request
	late           int64 // so long after it was done the thread did the next thing, less the time off the CPU
	ready          int64 // since then it was ready, and not on a CPU; 0: it was on one
	waits          bool  // it is known to look
	calls          bool  // by calls
}

// atOnce is how many times as long a thread has made no event as it took to the next one, if it looked for a request
// without calls. One that computes meets this in one of as many cases.
const atOnce = 10

// looked is for a request that the thread on the path looks for, in a call that waits without giving up the CPU, or in
// other ways. It reports whether the path goes on before the request.
func (w *Walk) looked(e *trace.Request) bool {
	c := &w.on.call
	if w.open.what != 0 || !c.polls || !c.covers(w.now) || e.PID != w.on.pid || e.Issued >= w.now {
		return w.reacted(e)
	}
	from := max(c.start, w.floor())
	w.ran(max(from, min(w.now, e.Completed)))
	w.atDevice(requestOf(e), e.Queued, e.Issued, from)
	return true
}

// atDevice tells the time since an instant in which a request was at its device, or in the queue.
func (w *Walk) atDevice(r Request, queued, issued, since int64) {
	w.waited(Service, max(since, min(w.now, issued)), trace.WaitIO, r)
	if queued >= 0 {
		w.waited(Queued, max(since, min(w.now, queued)), trace.WaitIO, r)
	}
}

// reacted is for a request that was done just before the thread on the path, which had asked for it, did something.
func (w *Walk) reacted(e *trace.Request) bool {
	off := w.open.what == Ready && w.open.cause == trace.WaitReady && w.open.from < e.Completed
	if w.open.what != 0 && !off || e.Flags&trace.ReqReadahead != 0 || e.Queued < 0 {
		return false
	}
	if w.threads.get(e.TID).submitter != w.on.asker() {
		return false
	}
	late, found := w.late(e.Completed)
	if e.TID != w.on.asker() {
		w.submitted.add(e.Queued)
	}
	if w.look.Op != 0 {
		if e.Completed > w.look.queued { // it has looked for the later one
			return false
		}
		w.ran(w.look.queued)
	}
	if !found || e.Completed > w.now {
		return false
	}
	l := look{Request: requestOf(e), queued: e.Queued, issued: e.Issued, late: late}
	if off {
		l.ready = w.open.from
		w.leaf(Ready, e.Completed, w.open.cause)
		w.open = wait{}
	}
	w.ran(e.Completed)
	w.look = l
	return true
}

// late is how long after an instant the thread on the path did the next thing, as far as it could have done so sooner;
// false if it was in a call then that does not look for requests, or if nothing is known of it.
func (w *Walk) late(at int64) (int64, bool) {
	c := &w.on.call
	if c.covers(at) {
		return 0, c.looks
	}
	next := w.submitted.after(at)
	if c.start >= at {
		next = min(next, c.start)
	}
	return next - at - w.delayed.within(at, next), next < math.MaxInt64
}

// settleLook tells the time since an instant, until which the thread on the path made no event, if it looked for a
// request in it.
func (w *Walk) settleLook(since int64) {
	l := &w.look
	switch {
	case l.Op == 0:
		return
	case w.waitsSince(since):
		w.spun(since)
	case l.ready > 0:
		w.leaf(Ready, max(since, l.ready), trace.WaitReady)
	}
	w.look = look{}
}

// waitsSince reports whether the thread on the path looked for a request since an instant.
func (w *Walk) waitsSince(since int64) bool {
	l := &w.look
	looked := w.now - max(since, l.queued)
	switch {
	case l.calls:
		return looked <= timeline.WakeUp
	case l.waits:
		return true
	}
	return atOnce*l.late <= looked
}

// spun tells the time since an instant in which the thread on the path looked for its request. Before that was queued
// it did something else: it has asked for it.
func (w *Walk) spun(since int64) {
	l := &w.look
	from := max(since, l.queued, w.floor())
	w.atDevice(l.Request, l.queued, l.issued, from)
	if from == l.queued {
		w.look = look{}
	}
}

// misses reports whether a call of the thread on the path is one more look for a request, which was not done yet.
// Between two that are further apart than a wake-up takes, the thread had something else to do.
func (w *Walk) misses(e *trace.Syscall) bool {
	l := w.look
	if l.Op == 0 || w.open.what != 0 || e.End() > w.now || !looks(e) || e.Result > 0 {
		return false
	}
	edge := w.now
	if !l.waits {
		edge += l.late
	}
	if edge-e.End() > timeline.WakeUp {
		w.look = look{}
		w.ran(e.End())
	}
	l.waits, l.calls = true, true
	w.look = l
	w.spun(e.Start)
	return true
}

// interrupted is for a time in which the thread on the path did not have the CPU. It reports whether that went by as it
// looked for a request.
func (w *Walk) interrupted(e *trace.Wait) bool {
	if w.look.Op == 0 || w.open.what != 0 || e.Cause != trace.WaitReady || e.End() > w.now || !w.waitsSince(e.End()) {
		return false
	}
	w.look.waits = true
	w.spun(e.Start)
	return true
}
