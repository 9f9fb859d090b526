package path

import "github.com/iotrace/iotrace/trace"

func (m *threads) carriedOf(e *trace.RPC) carried {
	a := carried{start: e.Start, sent: e.End(), replied: e.End(), end: e.End(), xid: e.XID,
		request: Request{File: e.File, Ask: m.asks.of(e)}}
	if e.Queued >= 0 {
		a.sent = e.Start + e.Queued
	}
	if e.RTT >= 0 {
		a.replied = a.sent + e.RTT
	}
	if e.Foreign {
		a.request.By = e.PID
	}
	return a
}

// RPC takes what a client asked of a server.
func (w *Walk) RPC(e *trace.RPC) {
	if w.comeTo(e.End()) {
		return
	}
	if e.Served {
		w.servedBy(e)
		return
	}
	a := w.threads.carriedOf(e)
	w.threads.get(e.TID).carried = a
	w.replied(&a)
}

// replied is for an RPC that the open wait may be for, or that its server had to do first.
func (w *Walk) replied(a *carried) {
	switch o := &w.open; {
	case o.what == Server && o.completed == a.end && o.xid == 0:
		o.request = a.request
		w.served(a)
		w.settle(a.end)
	case o.what == Unsent && w.threads.asks.sameServer(o.request.Ask, a.request.Ask) && a.sent < w.now:
		w.waited(Unsent, max(o.from, min(w.now, a.end)), o.cause, o.request)
		w.served(a)
	}
}

// served tells the time of the open wait until an RPC was sent: its reply was taken, and before that the server was
// busy with it. Before it was sent others had to be, of the same client.
func (w *Walk) served(a *carried) {
	o := &w.open
	w.waited(Reply, max(o.from, min(w.now, a.replied)), o.cause, a.request)
	if w.whole && a.xid != 0 { // the server may have been recorded, too
		o.what, o.request, o.xid, o.sent = Server, a.request, a.xid, a.sent
		return
	}
	w.sent(a.sent, a.request)
}

// sent tells the time in which a server had an RPC.
func (w *Walk) sent(at int64, r Request) {
	o := &w.open
	w.waited(Server, max(o.from, min(w.now, at)), o.cause, r)
	o.what, o.xid = Unsent, 0
}

// servedBy is for an RPC at its server. If it is what the path waits for, it leads into the thread that served it. In
// the rest of the time it was on its way, or waited for a thread to take it up.
func (w *Walk) servedBy(e *trace.RPC) {
	o := w.open
	if o.what != Server || o.xid == 0 || o.xid != e.XID {
		return
	}
	from := max(o.from, o.sent, min(w.now, e.Start))
	if e.TID == w.on.id || len(w.frames) == maxDepth || from >= w.now {
		return
	}
	w.waited(Server, max(from, min(w.now, e.End())), o.cause, o.request)
	w.open = wait{}
	w.frames = append(w.frames, frame{thread: w.on, floor: from, beyond: w.beyond, locked: w.locked(), rest: o,
		ask: o.request.Ask})
	w.on = w.threads.get(e.TID)
	w.resume()
}

// ask is what the server on the path was asked for; 0 if the path is at no server.
func (w *Walk) ask() uint32 {
	for i := len(w.frames) - 1; i >= 0; i-- {
		if ask := w.frames[i].ask; ask != 0 {
			return ask
		}
	}
	return 0
}

// carriedOut tells a wait within an RPC of the thread's own.
func (w *Walk) carriedOut(e *trace.Wait, from int64) bool {
	a := &w.on.carried
	if a.request.Ask == 0 || !a.covers(e.Start, e.Woken()) {
		return false
	}
	w.open = wait{what: Server, from: from, cause: e.Cause, request: a.request}
	w.served(a)
	return true
}
