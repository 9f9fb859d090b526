package path

import "github.com/iotrace/iotrace/trace"

// wait is one of which something earlier tells what ended it: its request, or a thread that ended meanwhile. It is also
// the time in which its request was queued, while the device may have served others; or in which a thread was ready,
// while a child of it may have ended.
type wait struct {
	what      What // Service, Queued, Server, Unsent, Sleeps, Timeout or Ready; 0: none
	from      int64
	cause     trace.WaitCause
	completed int64 // Service: of the request; Server: the end of the RPC
	// Queued: when the thread found the request queued, who had asked for it, and what it was.
	since   int64
	asker   uint32
	request Request // of Unsent: the RPC
	// Of Server, once the RPC was met: its number, and when it was sent. Who served it is still to be seen.
	xid  uint32
	sent int64
}

// Request takes a block request.
func (w *Walk) Request(e *trace.Request) {
	if e.Completed > w.drain.start {
		if w.drain.request(e); !w.drain.under() {
			w.drained()
		}
		return // nobody on the path has been woken by it
	}
	if !w.comeTo(e.Completed) && !w.written(e) && !w.looked(e) {
		w.requested(e)
	}
}

// requested is for a request that the open wait may be for, or that its device had to do first.
func (w *Walk) requested(e *trace.Request) {
	switch o := &w.open; {
	case o.what == Service && o.completed == e.Completed:
		w.waited(Service, max(o.from, min(w.now, e.Issued)), o.cause, requestOf(e))
		// Where it is not known when it was queued it is a flush that the block layer made: a step of what was queued
		// before the thread began to wait.
		o.what, o.since = Queued, max(o.from, min(e.Queued, e.Issued))
		o.asker, o.request = e.TID, requestOf(e)
		w.settle(e.Completed)
	case o.what == Queued && o.request.Device == e.Device && e.Issued < w.now: // it had to be done first
		w.waited(Queued, max(o.since, min(w.now, e.Completed)), o.cause, o.request)
		w.waited(Service, max(o.since, min(w.now, e.Issued)), o.cause, requestOf(e))
	}
}

// settle tells the open wait if nothing earlier can tell what ended it. It reports whether it did.
func (w *Walk) settle(at int64) bool {
	o := w.open
	switch {
	case o.xid != 0:
		if at > o.sent && o.from < w.now {
			return false
		}
		w.sent(o.sent, o.request)
	case o.what == Service || o.what == Server:
		if at >= o.completed {
			return false
		}
		w.open.what = 0
		w.leaf(Unknown, o.from, o.cause) // it was not recorded
	case o.what == Queued:
		if at > o.since && o.since < w.now {
			return false
		}
		w.open.what = 0
		w.waited(Queued, min(w.now, o.since), o.cause, o.request)
		w.asked(&o)
	case o.what == Unsent:
		if at > o.from && o.from < w.now {
			return false
		}
		w.open.what = 0
		w.waited(Unsent, o.from, o.cause, o.request)
	case at > o.from:
		return false
	default:
		w.open.what = 0
		w.leaf(o.what, o.from, o.cause)
		w.resume() // it may have been blocked before it was ready
	}
	return true
}

// asked tells the time before the request was queued that a thread waited for: somebody else had to ask for it. If
// nothing is known of who did, it was held back on its way to the queue, as by a limit.
func (w *Walk) asked(o *wait) {
	switch recorded, helper := w.threads.kin.Known(o.asker); {
	case o.asker == w.on.id:
		w.leaf(Unknown, o.from, o.cause)
	case recorded || helper:
		w.follow(o.asker, o.from, o.request)
	default:
		w.waited(Queued, o.from, o.cause, o.request)
	}
}

// held is what a thread of the kernel did that asked for somebody's request later than that waited for it, and was
// woken by nobody to do so, but by a timer: the request was held back on its way to the queue, as by a limit. Who makes
// data safe waits for more than one request.
func (w *Walk) held(what What, r Request) (What, Request) {
	n := len(w.frames)
	if n == 0 || w.frames[n-1].asked.Op == 0 || !w.on.apart || w.on.other || w.call(Call{}).Op.Durability() {
		return what, r
	}
	switch what {
	case Timeout, Sleeps, Outside, Unseen, Unknown:
		return Queued, w.frames[n-1].asked
	}
	return what, r
}

// A thread that waits for data to be written is not always woken by the request. A worker of the kernel finishes what
// the request has written (ext4's blocks are marked as such, XFS's file becomes longer), and wakes it. The worker is
// one of a pool. What it did before the request had ended was for somebody else.

// finishes reports whether a thread that waited for I/O was woken by one of the kernel, in a call that is no sync: a
// sync has more than one request written, and waits for the journal as well.
func (w *Walk) finishes(e *trace.Wait) bool {
	if e.Cause != trace.WaitIO || w.on.apart {
		return false
	}
	call, _ := w.on.in(w.now)
	by := w.threads.get(e.Waker)
	return call.In && !call.Op.Durability() && by.apart && !by.other
}

// written is for a request that a worker on the path has finished: the last one of the workload that wrote, before the
// worker woke the thread. It reports whether the path goes on with it.
func (w *Walk) written(e *trace.Request) bool {
	n := len(w.frames) - 1
	for n >= 0 && !w.frames[n].finishes {
		if w.frames[n].ask != 0 { // it is at a server, whose requests are its own
			return false
		}
		n--
	}
	if n < 0 || e.Op != trace.ReqWrite || e.Flags&trace.ReqForeign != 0 || e.Completed > w.now {
		return false
	}
	if w.open.what == Service && w.open.completed != e.Completed { // it waits for another one itself
		return false
	}
	at := max(e.Completed, w.floor())
	if w.open.what != 0 {
		w.waited(w.open.what, at, w.open.cause, w.open.request)
	} else {
		w.ran(at)
	}
	f := w.frames[n]
	w.on, w.beyond, w.frames = f.thread, f.beyond, w.frames[:n]
	r := requestOf(e)
	w.open = wait{}
	w.waited(Service, max(f.floor, min(w.now, e.Issued)), trace.WaitIO, r)
	w.open = wait{what: Queued, from: f.floor, since: max(f.floor, min(e.Queued, e.Issued)), asker: e.TID, request: r,
		cause: trace.WaitIO}
	w.settle(e.Completed)
	return true
}
