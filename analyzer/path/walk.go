package path

import (
	"cmp"

	"github.com/iotrace/iotrace/trace"
)

// maxDepth is how many threads may wait for each other in a chain; the 65th is not looked into.
const maxDepth = 64

// Walk goes along the path backwards. It takes the events of a recording from the last to the first, by their ends, and
// gives away each segment as soon as that is known. It keeps the last call of each thread, and whatever is open.
type Walk struct {
	take    func(Segment)
	threads threads
	start   int64
	now     int64   // all later instants are told
	on      *thread // on the path just before now
	frames  []frame
	await   *wait // of which something earlier tells what ended it
	over    *end  // of a thread that the one on the path may have asked for
	done    bool
	drain   drain
}

// end is when a thread ended.
type end struct {
	thread *thread
	at     int64
	on     *thread // that was on the path
}

// frame is a thread that waits for those after it: the path comes back to it where its wait began.
type frame struct {
	thread *thread
	floor  int64
}

// wait is one that a request ended which has still to be seen, or a timer, unless a thread ended meanwhile; or the time
// that its request was queued, in which the device may have served others.
type wait struct {
	what      What // Service, Queued, Sleeps or Timeout
	from      int64
	completed int64 // Service: of the request
	cause     trace.WaitCause
	request   *trace.Request // Queued: a copy
}

// Span is the time that a path leads through: a command began and returned, and its data was safe.
type Span struct{ Start, Wall, End int64 }

// New begins at the end of a thread. Segments are given to take, the last one first; together they are the span.
func New(id uint32, span Span, kin Kin, take func(Segment)) *Walk {
	wall := max(span.Start, span.Wall)
	w := &Walk{take: take, threads: threads{kin: kin, all: map[uint32]*thread{}}, start: span.Start, now: wall,
		drain: drain{take: take, start: wall, now: max(wall, span.End)}}
	w.on = w.threads.get(id)
	return w
}

// Done reports whether the path has come to its start.
func (w *Walk) Done() bool { return w.done }

// Finish says that there are no earlier events.
func (w *Walk) Finish() { w.comeTo(-1) }

// Call takes a call.
func (w *Walk) Call(e *trace.Syscall) {
	if w.comeTo(e.End()) {
		return
	}
	s := callOf(e)
	t := w.heard(e.PID, e.TID, s.end)
	if t == w.on && w.await == nil && s.end < w.now {
		w.ran(max(s.end, w.floor()))
	}
	t.call = s
}

// Fault takes a page fault.
func (w *Walk) Fault(e *trace.Fault) {
	if w.comeTo(e.Start + e.Duration) {
		return
	}
	s := faultOf(e)
	t := w.heard(e.PID, e.TID, s.end)
	if t == w.on && w.await == nil && s.end < w.now {
		w.ran(max(s.end, w.floor()))
	}
	t.fault = s
}

// Wait takes a time off the CPU.
func (w *Walk) Wait(e *trace.Wait) {
	if w.comeTo(e.End()) {
		return
	}
	t := w.heard(e.PID, e.TID, e.End())
	if t != w.on || w.await != nil || e.Start >= w.now {
		return
	}
	from := max(e.Start, w.floor())
	w.ran(max(from, min(w.now, e.End())))
	if e.Cause == trace.WaitReady {
		w.leaf(Ready, from, e.Cause)
		return
	}
	w.leaf(Ready, max(from, min(w.now, e.Woken())), e.Cause)
	w.blocked(e, from)
}

// blocked tells the time from when a thread began to wait until it was woken, which is now.
func (w *Walk) blocked(e *trace.Wait, from int64) {
	switch {
	case e.Cause == trace.WaitThrottle:
		w.leaf(Throttled, from, e.Cause)
	case e.By == trace.WokenByRequest:
		w.await = &wait{what: Service, from: from, completed: e.Completed, cause: e.Cause}
	case e.By == trace.WokenByThread && e.Waker != e.TID && e.Waker != 0:
		w.follow(e.Waker, from, w.now)
	case e.By == trace.WokenByTimer && e.Cause == trace.WaitSleep:
		w.timed(Sleeps, e, from)
	case e.By == trace.WokenByTimer:
		w.timed(Timeout, e, from)
	case e.By == trace.WokenByInterrupt:
		w.leaf(Outside, from, e.Cause)
	default:
		w.leaf(Unknown, from, e.Cause)
	}
}

// Request takes a block request.
func (w *Walk) Request(e *trace.Request) {
	if e.Completed > w.drain.start {
		w.drain.request(e)
		return // nobody on the path has been woken by it
	}
	if w.comeTo(e.Completed) || w.await == nil {
		return
	}
	switch a := w.await; {
	case a.what == Service && a.completed == e.Completed:
		w.served(Service, max(a.from, min(w.now, e.Issued)), a.cause, requestOf(e))
		r := *e
		r.More = nil
		w.await = &wait{what: Queued, from: a.from, cause: a.cause, request: &r}
		w.settle(e.Completed)
	case a.what == Queued && a.request.Device == e.Device && e.Issued < w.now: // it had to be done first
		w.served(Queued, max(a.since(), min(w.now, e.Completed)), a.cause, requestOf(a.request))
		w.served(Service, max(a.since(), min(w.now, e.Issued)), a.cause, requestOf(e))
	}
}

// since is when the request was queued, if the thread waited already. Where that is not known it is a flush that the
// block layer made: a step of what was queued before the thread began to wait.
func (a *wait) since() int64 { return max(a.from, min(a.request.Queued, a.request.Issued)) }

func requestOf(e *trace.Request) Request { return Request{e.Device, e.Op, e.Flags, e.File} }

// asked tells the time before the request was queued that a thread waited for: somebody else had to ask for it. If
// nothing is known of who did, it was held back on its way to the queue, as by a limit.
func (w *Walk) asked(a *wait) {
	id := a.request.TID
	recorded, helper := w.threads.kin.Known(id)
	switch {
	case id == w.on.id:
		w.leaf(Unknown, a.from, a.cause)
	case recorded || helper:
		w.follow(id, a.from, w.now)
	default:
		w.served(Queued, a.from, a.cause, requestOf(a.request))
	}
}

// Process takes something in the life of a process.
func (w *Walk) Process(e *trace.Process) {
	if w.comeTo(e.Time) {
		return
	}
	switch e.Action {
	case trace.ProcessHelper:
		t := w.threads.get(e.TID)
		if t == w.on && w.await == nil && e.Time < w.now {
			w.ran(max(e.Time, w.floor()))
		}
		t.unseen = t.apart
	case trace.ProcessFork:
		if w.on.id != e.TID || w.await != nil || e.Time > w.now {
			return
		}
		w.ran(max(e.Time, w.floor()))
		w.on = w.threads.get(e.Parent)
	case trace.ProcessExit:
		w.exited(e)
	}
}

// heard is a thread of which an event tells. The end of a thread that is not the last of its process is none; after the
// last event it did nothing more.
func (w *Walk) heard(pid, tid uint32, at int64) *thread {
	t := w.threads.get(tid)
	t.pid = pid
	if !t.seen {
		if t.seen = true; !t.apart && pid == w.on.pid {
			w.ended(t, at)
		}
	}
	return t
}

func (w *Walk) exited(e *trace.Process) {
	t := w.threads.get(cmp.Or(e.TID, e.PID))
	t.pid, t.seen = e.PID, true
	if w.on.pid != 0 && (e.PID == w.on.pid || w.threads.kin.Parent(e.PID) == w.on.pid) {
		w.ended(t, e.Time)
	}
}

// timed is for a wait that a timer ended. If a thread ended so soon after it that the next look would have come
// later, it was that thread that this one slept for.
func (w *Walk) timed(what What, e *trace.Wait, from int64) {
	if o := w.over; o != nil && o.on == w.on && o.at-w.now <= e.Woken()-e.Start {
		w.on, w.over = o.thread, nil
		return
	}
	w.await = &wait{what: what, from: from, cause: e.Cause}
}

// ended is for a thread that slept again and again until another one of its process, or a child, had ended: it waited
// for that. The path goes on with that one, and comes back where that was made.
func (w *Walk) ended(t *thread, at int64) {
	a := w.await
	switch {
	case t == w.on:
		return
	case a == nil && at > w.now:
		return
	case a == nil:
		w.over = &end{t, at, w.on}
		return
	case a.what != Sleeps && a.what != Timeout, at-w.now > w.now-a.from: // the next look would have come sooner
		return
	}
	w.await = nil
	w.leaf(a.what, max(min(at, w.now), a.from), a.cause)
	w.on = t
}

// follow goes on with the thread that a wait was ended by.
func (w *Walk) follow(id uint32, from, until int64) {
	if from >= until {
		return
	}
	if len(w.frames) == maxDepth {
		w.leaf(Unknown, from, trace.WaitOther)
		return
	}
	w.frames = append(w.frames, frame{w.on, from})
	w.on = w.threads.get(id)
}

// floor is the instant at which the path leaves the thread that it is at.
func (w *Walk) floor() int64 {
	if n := len(w.frames); n > 0 {
		return w.frames[n-1].floor
	}
	return w.start
}

// comeTo says that nothing is left that ended after an instant. It is true if the path has come to its start.
func (w *Walk) comeTo(at int64) bool {
	if w.done {
		return true
	}
	if at <= w.drain.start {
		w.drain.until(w.drain.start, Request{})
	}
	w.settle(at)
	for floor := w.floor(); at <= floor && w.await == nil; floor = w.floor() {
		w.ran(floor)
		n := len(w.frames)
		if n == 0 {
			w.done = true
			return true
		}
		w.on, w.frames = w.frames[n-1].thread, w.frames[:n-1]
	}
	return false
}

// settle tells a wait of which nothing earlier can tell what ended it.
func (w *Walk) settle(at int64) {
	a := w.await
	switch {
	case a == nil:
	case a.what == Service && at < a.completed: // the request was not recorded
		w.await = nil
		w.leaf(Unknown, a.from, a.cause)
	case a.what == Queued && (at <= a.since() || a.since() >= w.now):
		w.await = nil
		w.served(Queued, min(w.now, a.since()), a.cause, requestOf(a.request))
		w.asked(a)
	case a.what != Service && a.what != Queued && at <= a.from:
		w.await = nil
		w.leaf(a.what, a.from, a.cause)
	}
}

// ran tells the time since an instant, in which the thread was on a CPU.
func (w *Walk) ran(since int64) {
	for since < w.now {
		call, from := w.on.in(w.now)
		from = max(from, since)
		what := Runs
		if w.on.unseen {
			what, from = Unseen, since
		}
		w.give(Segment{From: from, What: what, Call: call})
	}
}

// leaf tells the time since an instant in which the thread waited for nothing that is followed.
func (w *Walk) leaf(what What, since int64, cause trace.WaitCause) {
	w.served(what, since, cause, Request{})
}

func (w *Walk) served(what What, since int64, cause trace.WaitCause, r Request) {
	if since < w.now {
		call, _ := w.on.in(w.now)
		w.give(Segment{From: since, What: what, Call: call, Cause: cause, Request: r})
	}
}

// give passes a segment on that ends now.
func (w *Walk) give(s Segment) {
	s.To, s.Thread, s.Depth = w.now, w.on.id, len(w.frames)
	for i := len(w.frames) - 1; i >= 0 && !s.Call.In && w.on.apart; i-- {
		s.Call, _ = w.frames[i].thread.in(w.frames[i].floor + 1)
	}
	w.now = s.From
	w.take(s)
}
