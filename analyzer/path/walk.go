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
	take      func(*Segment)
	segment   Segment // that is given away
	threads   *threads
	start     int64
	now       int64   // all later instants are told
	on        *thread // on the path just before now
	frames    []frame
	beyond    uint32 // of the frames
	open      wait   // what ended it is still to be seen
	over      end    // of a thread that the one on the path may have asked for
	idled     []end  // threads that have come to wait for another one, the last ones
	eldest    int    // of them, where they are as many as are kept: it was woken last
	lately    lately
	polled    []end // those of them that did so in the last sleep of the thread on the path
	done      bool
	drain     drain
	early     []Segment // told before the time after the command was
	look      look
	submitted submissions
	delayed   delays

	whole  bool    // of a command, to which belongs what its children did
	child  *thread // that the path came back from last
	parent *thread // of it, and to which
}

// frame is a thread that waits for those after it: the path comes back to it where its wait began.
type frame struct {
	thread *thread
	floor  int64
	beyond uint32  // of those before it
	asked  Request // that it waits for, if the next thread asked for it; no Op: none
	locked trace.FileID
	// finishes says that the next thread had to finish what a request has written.
	finishes bool
	polls    bool // it waits for a descriptor
	// ask is what the next thread was asked for as a server, rest the wait for that; 0 if it is none.
	ask  uint32
	rest wait
}

// Span is the time that a path leads through: a command began and returned, and its data was durable.
type Span struct{ Start, Wall, End int64 }

// New begins at the end of a thread. Segments are given to take, the last one first; together they are the span. One is
// valid until take returns.
func New(id uint32, span Span, kin Kin, take func(*Segment)) *Walk {
	wall := max(span.Start, span.Wall)
	w := &Walk{take: take, threads: newThreads(kin), start: span.Start, now: wall, whole: true,
		drain: drain{take: take, start: wall, now: max(wall, span.End)}}
	w.on = w.threads.get(id)
	return w
}

// Along begins at an instant in the life of a thread, and leads back to an earlier one, whatever its children do.
func Along(id uint32, from, to int64, kin Kin, take func(*Segment)) *Walk {
	w := New(id, Span{from, to, to}, kin, take)
	w.whole = false
	return w
}

// Done reports whether the path has come to its start.
func (w *Walk) Done() bool { return w.done }

// Finish says that there are no earlier events.
func (w *Walk) Finish() { w.comeTo(-1) }

// Call takes a call.
func (w *Walk) Call(e *trace.Syscall) {
	if at := e.End(); !w.comeTo(at) {
		t := w.heard(e.PID, e.TID, at)
		switch {
		case t == w.on && w.misses(e):
		case e.Op == trace.OpUringSetup && w.on.asker() == e.TID:
			w.setUp(t, at)
		default:
			w.until(t, at)
		}
		t.call, t.naps = callOf(e), 0
	}
}

// setUp is for a ring that the thread on the path has set up, or the one that this works for: its thread was made then.
func (w *Walk) setUp(by *thread, at int64) {
	w.until(w.on, at)
	if w.open.what == 0 {
		w.on = by
	}
}

// Fault takes a page fault.
func (w *Walk) Fault(e *trace.Fault) {
	if at := e.Start + e.Duration; !w.comeTo(at) {
		t := w.heard(e.PID, e.TID, at)
		w.until(t, at)
		t.fault = faultOf(e)
	}
}

// Wait takes a time off the CPU.
func (w *Walk) Wait(e *trace.Wait) {
	if w.comeTo(e.End()) {
		return
	}
	t := w.heard(e.PID, e.TID, e.End())
	if t.wait = *e; t.looks() {
		t.naps++
	}
	if e.Cause == trace.WaitReady && t.submitter == w.on.asker() {
		w.delayed.note(e)
	}
	if t == w.on {
		w.waits(e)
	}
	if w.whole {
		w.idles(t, e)
	}
}

// waits tells a wait of the thread on the path.
func (w *Walk) waits(e *trace.Wait) {
	if from, blocked := w.woke(e); blocked {
		w.blocked(e, from)
	}
}

// woke tells the time since the thread was woken from a wait, and all of that if it could have run. Where it was
// blocked, the time since from is still to be told.
func (w *Walk) woke(e *trace.Wait) (from int64, blocked bool) {
	if w.open.what != 0 || e.Start >= w.now || w.interrupted(e) {
		return 0, false
	}
	on := w.on
	from = max(e.Start, w.floor())
	w.ran(max(from, min(w.now, e.End())))
	ready := from
	switch e.Cause {
	case trace.WaitReady:
	case trace.WaitTraced:
		ready = w.now // a stop costs the way to the tracer and back
	default:
		ready = max(from, min(w.now, e.Woken())) // it may have been woken before the path leaves it
	}
	if w.whole {
		w.readied(ready, e.Cause)
	} else {
		w.leaf(Ready, ready, e.Cause)
	}
	// Where the path goes on with a child meanwhile, it comes back to this wait.
	return from, w.on == on && w.open.what == 0 && from < w.now && e.Cause != trace.WaitReady
}

// blocked tells the time from when a thread began to wait until it was woken, which is now.
func (w *Walk) blocked(e *trace.Wait, from int64) {
	switch {
	case w.carriedOut(e, from):
	case e.Cause.Halted():
		w.waited(halts[e.Cause], from, e.Cause, Request{By: e.Waker})
	case e.Cause == trace.WaitThrottle:
		w.leaf(Throttled, from, e.Cause)
	case e.By == trace.WokenByRequest:
		w.open = wait{what: Service, from: from, completed: e.Completed, cause: e.Cause}
	case e.By == trace.WokenByRPC:
		w.open = wait{what: Server, from: from, completed: e.Completed, cause: e.Cause}
	case e.By == trace.WokenByThread && e.Waker != e.TID && e.Waker != 0:
		finishes, n := w.finishes(e), len(w.frames)
		w.follow(e.Waker, from, Request{})
		if len(w.frames) > n {
			w.frames[n].finishes, w.frames[n].polls = finishes, e.Cause == trace.WaitPoll
		}
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

// halts are the kinds of segments in which somebody else had halted the thread.
var halts = [trace.NumWaitCauses]What{
	trace.WaitStopped: Stopped, trace.WaitTraced: Traced, trace.WaitFrozen: Frozen, trace.WaitThaw: Thaw,
}

// Process takes something in the life of a process.
func (w *Walk) Process(e *trace.Process) {
	if w.comeTo(e.Time) {
		return
	}
	switch e.Action {
	case trace.ProcessHelper:
		t := w.threads.get(e.TID)
		w.until(t, e.Time)
		t.unseen = t.apart
	case trace.ProcessFork:
		w.threads.get(e.TID).made = true
		if w.on.id == e.TID && w.open.what == 0 && e.Time <= w.now {
			w.ran(max(e.Time, w.floor()))
			w.on = w.threads.get(e.Parent)
		}
	case trace.ProcessExit:
		w.exited(cmp.Or(e.TID, e.PID), e)
	}
}

// follow goes on with the thread that a wait was ended by, or that asked for its request, now.
func (w *Walk) follow(id uint32, from int64, r Request) {
	if from >= w.now {
		return
	}
	if len(w.frames) == maxDepth {
		w.leaf(Unknown, from, trace.WaitOther)
		return
	}
	locked := w.locked()
	if c, _ := w.on.in(from + 1); c.In && c.Op == trace.OpLock && !w.on.apart {
		locked = c.File
	}
	w.frames = append(w.frames, frame{thread: w.on, floor: from, beyond: w.beyond, asked: r, locked: locked})
	if w.on.other && w.beyond == 0 {
		w.beyond = w.on.id
	}
	w.on = w.threads.get(id)
	w.resume()
}

// resume is for a thread that the path has come to, in a wait perhaps that it came out of later.
func (w *Walk) resume() {
	if e := w.on.wait; e.Start < w.now && w.now < e.End() {
		w.waits(&e)
	}
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
	if at <= w.drain.start && w.drain.under() {
		w.drained()
	}
	for {
		for w.open.what != 0 && w.settle(at) {
		}
		floor := w.floor()
		if w.open.what != 0 || at > floor {
			return false
		}
		w.ran(floor)
		n := len(w.frames)
		if n == 0 {
			w.done = true
			return true
		}
		w.comeBack()
	}
}

// until tells the time since an instant, if the thread is on the path and on a CPU.
func (w *Walk) until(t *thread, at int64) {
	if t == w.on && w.open.what == 0 && at < w.now {
		w.ran(max(at, w.floor()))
	}
}

// ran tells the time since an instant, in which the thread was on a CPU. It was not for longer at once than its process
// was in all: before that it was ready, as a new one is that waits for its first processor.
func (w *Walk) ran(since int64) {
	w.settleLook(since)
	for since < w.now {
		call, from := w.on.in(w.now)
		from = max(from, since)
		if most := w.on.cpu; most > 0 && w.now-from > most {
			w.ran(w.now - most)
			w.leaf(Ready, from, trace.WaitReady)
			continue
		}
		what, r := Runs, Request{}
		if w.on.unseen {
			what, r = w.held(Unseen, r)
			from = since
		}
		w.segment = Segment{From: from, What: what, Call: call, Request: r}
		w.give(&w.segment)
	}
}

// leaf tells the time since an instant in which the thread waited for nothing that is followed.
func (w *Walk) leaf(what What, since int64, cause trace.WaitCause) {
	w.waited(what, since, cause, Request{})
}

// waited does so of a thread that waited for a request.
func (w *Walk) waited(what What, since int64, cause trace.WaitCause, r Request) {
	if since < w.now {
		call, _ := w.on.in(w.now)
		what, r = w.held(what, r)
		w.segment = Segment{From: since, What: what, Call: call, Cause: cause, Request: r}
		w.give(&w.segment)
	}
}

// give passes a segment on that ends now.
func (w *Walk) give(s *Segment) {
	s.To, s.Thread, s.Beyond, s.Depth, s.Ask = w.now, w.on.id, w.beyond, len(w.frames), w.ask()
	s.Call = w.call(s.Call)
	s.Behind, s.Locked = w.behind(s.Call), w.locked()
	w.now = s.From
	if w.drain.under() {
		w.early = append(w.early, *s)
		return
	}
	w.take(s)
}

// drained says that the time after the command is told. What was told of the time before it comes after that.
func (w *Walk) drained() {
	w.drain.until(w.drain.start, Request{})
	for i := range w.early {
		w.take(&w.early[i])
	}
	w.early = nil
}

// call is that of the last recorded thread on the way to the one on the path, if this makes none.
func (w *Walk) call(c Call) Call {
	polls, known := false, false
	for i := len(w.frames) - 1; i >= 0 && !c.In && (w.on.apart || w.on.ofRing()); i-- {
		f := &w.frames[i]
		c, _ = f.thread.in(f.floor + 1)
		if !known && !f.thread.apart {
			polls, known = f.polls, true
		}
	}
	c.Polls = polls && !c.In
	return c
}

// locked is the file for whose lock (flock, fcntl) the last recorded thread waits that waits for one; 0 if none does.
// Whatever the path leads to from there, it waits for that lock.
func (w *Walk) locked() trace.FileID {
	if n := len(w.frames); n > 0 {
		return w.frames[n-1].locked
	}
	return 0
}

// behind is the call of the recorded thread that waits for the one that is in a call, if both calls are for one file:
// what the first waits for is that file's lock.
func (w *Walk) behind(c Call) trace.Op {
	if !c.In || c.File == 0 {
		return 0
	}
	caller := !w.on.apart // one that is not recorded works for the caller, who waits for it
	for i := len(w.frames) - 1; i >= 0; i-- {
		switch f := &w.frames[i]; {
		case f.thread.apart:
		case !caller:
			caller = true
		default:
			if b, _ := f.thread.in(f.floor + 1); b.In && b.File == c.File {
				return b.Op
			}
			return 0
		}
	}
	return 0
}
