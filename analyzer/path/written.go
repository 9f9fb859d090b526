package path

import "github.com/iotrace/iotrace/trace"

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
