package path

import "github.com/iotrace/iotrace/trace"

// A thread may sleep until another one of its process, or a child, has ended, and look for that again and again. It
// waits for that one: the path goes on with it, and comes back where it was made. So it does if the other one has not
// ended, but waits from then on for the one that looks.

// end is when a thread ended.
type end struct {
	thread *thread // nil: there is none
	at     int64
	on     *thread // that was on the path
}

// heard is a thread of which an event tells. The end of a thread that is not the last of its process is none; after the
// last event it did nothing more.
func (w *Walk) heard(pid, tid uint32, at int64) *thread {
	t := w.threads.get(tid)
	if !t.seen {
		if t.seen, t.pid = true, pid; !t.apart && pid == w.on.pid {
			w.ended(t, at)
		}
	}
	w.lately.note(t)
	return t
}

func (w *Walk) exited(tid uint32, e *trace.Process) {
	t := w.threads.get(tid)
	t.pid, t.seen, t.cpu, t.exit = e.PID, true, e.CPU, e.Time
	if w.relates(e.PID, w.on.pid) {
		w.ended(t, e.Time)
	}
}

// relates reports whether a process is another one or a child of it.
func (w *Walk) relates(pid, to uint32) bool {
	return to != 0 && (pid == to || w.threads.kin.Parent(pid) == to)
}

// timed is for a wait that a timer ended. If a thread ended so soon after it that the next look would have come
// later, it was that thread that this one slept for.
func (w *Walk) timed(what What, e *trace.Wait, from int64) {
	if o := w.over; o.thread != nil && o.on == w.on && o.at-w.now <= e.Woken()-e.Start && !o.thread.awaits(w.on, w.now) {
		w.on, w.over = o.thread, end{}
		w.resume()
		return
	}
	t := w.worked()
	if t == nil && w.whole && (what == Timeout || w.watches(from)) {
		t = w.lately.worker(w.on, w.now)
	}
	if t != nil {
		w.on, w.polled = t, w.polled[:0]
		w.resume()
		return
	}
	w.polled = w.polled[:0]
	for _, o := range w.idled {
		if o.thread != w.on && from < o.at && o.at < w.now {
			w.polled = append(w.polled, end{o.thread, o.at, w.on})
		}
	}
	w.idled = w.idled[:0]
	w.open = wait{what: what, from: from, cause: e.Cause}
}

// A sleep within which other threads have come to wait is the last one of a loop if one of them worked during the sleep
// before it already. It is told as a sleep to its beginning: nothing earlier could end it.

// maxIdled bounds the threads that are kept for that.
const maxIdled = 16

// idles is for a wait of a thread.
func (w *Walk) idles(t *thread, e *trace.Wait) {
	if t.apart || e.By != trace.WokenByThread || e.Cause == trace.WaitIO {
		return
	}
	x := end{t, e.Start, nil}
	if len(w.idled) < maxIdled {
		w.idled, w.eldest = append(w.idled, x), 0
		return
	}
	w.idled[w.eldest] = x // the earliest to be woken is the nearest to the sleep
	w.eldest = (w.eldest + 1) % maxIdled
}

// worked is the one of those threads that was the last to come to wait, of those that worked already as the sleep ended
// that is looked at; nil if none did.
func (w *Walk) worked() *thread {
	var last end
	for _, o := range w.polled {
		t := o.thread
		idle := t.wait.Start < w.now && w.now < t.wait.End() && t.wait.By == trace.WokenByTimer
		if o.on == w.on && !t.made && !idle && !t.awaits(w.on, w.now) && (last.thread == nil || o.at > last.at) {
			last = o
		}
	}
	return last.thread
}

// awaits reports whether a thread was in a wait at an instant that another one was to end: it ended as it was told to.
func (t *thread) awaits(other *thread, at int64) bool {
	e := &t.wait
	return e.Start < at && at < e.End() && e.By == trace.WokenByThread && e.Waker == other.id
}

// ended looks whether the thread on the path slept for the end of another one.
func (w *Walk) ended(t *thread, at int64) {
	o := &w.open
	switch {
	case t == w.on, o.what == 0 && at > w.now:
		return
	case o.what == 0:
		w.over = end{t, at, w.on}
		return
	case o.what == Ready:
		w.over = end{t, at, w.on}
		w.outran(t, at)
		return
	case o.what != Sleeps && o.what != Timeout, at-w.now > w.now-o.from: // the next look would have come sooner
		return
	}
	w.leaf(o.what, max(min(at, w.now), o.from), o.cause)
	o.what = 0
	w.on = t
}

// A runtime has one more thread, which wakes from a sleep now and then and looks after the others. It wakes one of them
// when another has held up the work for too long, and ends no wait of its own accord. So the path goes on with
// one that worked as it comes to such a thread, which had looked before and had woken nobody.

// watches reports whether the thread on the path, in a sleep that began at a time, looks after others: it sleeps again
// and again and makes no call, and a thread of its process, which it has woken, waited already when it looked before.
func (w *Walk) watches(from int64) bool {
	n := len(w.frames)
	return n > 0 && w.on.naps > 1 && w.frames[n-1].thread.pid == w.on.pid && w.frames[n-1].floor < from
}

// A thread may also be ready while its child has the processor. It would wait for that child if it ran: what holds it
// up is the child, and no want of a processor.

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
