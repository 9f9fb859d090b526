package path

import "github.com/iotrace/iotrace/trace"

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
	await   *wait // for its request
	done    bool
	drain   drain
}

// frame is a thread that waits for those after it: the path comes back to it where its wait began.
type frame struct {
	thread *thread
	floor  int64
}

// wait is one that a request ended which has still to be seen.
type wait struct {
	from, completed int64
	cause           trace.WaitCause
}

// Span is the time that a path leads through: a command began and returned, and its data was safe.
type Span struct{ Start, Wall, End int64 }

// New begins at the end of a thread. Segments are given to take, the last one first; together they are the span.
func New(id uint32, span Span, known Known, take func(Segment)) *Walk {
	wall := max(span.Start, span.Wall)
	w := &Walk{take: take, threads: threads{known: known, all: map[uint32]*thread{}}, start: span.Start, now: wall,
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
	t := w.threads.get(e.TID)
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
	t := w.threads.get(e.TID)
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
	t := w.threads.get(e.TID)
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
		w.await = &wait{from, e.Completed, e.Cause}
	case e.By == trace.WokenByThread && e.Waker != e.TID && e.Waker != 0:
		w.follow(e.Waker, from, w.now)
	case e.By == trace.WokenByTimer && e.Cause == trace.WaitSleep:
		w.leaf(Sleeps, from, e.Cause)
	case e.By == trace.WokenByTimer:
		w.leaf(Timeout, from, e.Cause)
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
	if w.comeTo(e.Completed) || w.await == nil || w.await.completed != e.Completed {
		return
	}
	from, cause := w.await.from, w.await.cause
	w.await = nil
	what := Request{e.Device, e.Op, e.Flags, e.File}
	w.served(Service, max(from, min(w.now, e.Issued)), cause, what)
	queued := e.Queued
	if queued < 0 {
		queued = e.Issued
	}
	w.served(Queued, max(from, min(w.now, queued)), cause, what)
	if from < w.now {
		w.asked(e, from, cause)
	}
}

// asked tells the time before the request was queued that a thread waited for: somebody else had to ask for it.
func (w *Walk) asked(e *trace.Request, from int64, cause trace.WaitCause) {
	if e.TID == 0 || e.TID == w.on.id {
		w.leaf(Unknown, from, cause)
		return
	}
	w.follow(e.TID, from, w.now)
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
	}
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
	if w.await != nil && at < w.await.completed { // the request was not recorded
		from, cause := w.await.from, w.await.cause
		w.await = nil
		w.leaf(Unknown, from, cause)
	}
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
