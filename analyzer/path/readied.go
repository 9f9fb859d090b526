package path

import "github.com/iotrace/iotrace/trace"

// A thread may be ready while its child has the processor. It would wait for that child if it ran: what holds it up is
// the child, and no want of a processor.

// readied is for the time since a thread of a command was ready. If a child of it ended in that time, the path goes on
// with that one; and if it came back from one that it waited for later, with what that did before.
func (w *Walk) readied(since int64, cause trace.WaitCause) {
	switch {
	case since >= w.now:
	case w.on == w.parent && !w.child.made && !w.child.awaits(w.on, w.now):
		w.follow(w.child.id, since, Request{})
	default:
		w.open = wait{what: Ready, from: since, cause: cause}
	}
}

// outran is for a thread that ended while the one on the path was ready.
func (w *Walk) outran(t *thread, at int64) {
	o := w.open
	if at <= o.from || at > w.now || t.pid == w.on.pid {
		return
	}
	w.leaf(Ready, at, o.cause)
	w.open.what = 0
	w.follow(t.id, o.from, Request{})
}

// comeBack is for the thread of the last frame, at the instant when it began to wait, or was ready.
func (w *Walk) comeBack() {
	f := &w.frames[len(w.frames)-1]
	if from, to := w.on.pid, f.thread.pid; to != 0 && from != to && w.threads.kin.Parent(from) == to {
		w.child, w.parent = w.on, f.thread
	}
	if t := w.on; t.exit > 0 && w.relates(t.pid, f.thread.pid) { // the sleeps before that wait may have been for it, too
		w.over = end{t, t.exit, f.thread}
	}
	rest := f.rest
	w.on, w.beyond, w.frames = f.thread, f.beyond, w.frames[:len(w.frames)-1]
	if rest.what != 0 {
		w.open = rest
		w.sent(rest.sent, rest.request)
		return
	}
	if w.whole {
		w.resume()
	}
}
