package path

import "github.com/iotrace/iotrace/trace"

func (m *threads) carriedOf(e *trace.RPC) carried {
	a := carried{start: e.Start, sent: e.End(), replied: e.End(), end: e.End(),
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
	a := w.threads.carriedOf(e)
	w.threads.get(e.TID).carried = a
	w.replied(&a)
}

// replied is for an RPC that the open wait may be for, or that its server had to do first.
func (w *Walk) replied(a *carried) {
	switch o := &w.open; {
	case o.what == Server && o.completed == a.end:
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
	w.waited(Server, max(o.from, min(w.now, a.sent)), o.cause, a.request)
	o.what = Unsent
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
