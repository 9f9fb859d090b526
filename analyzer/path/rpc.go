package path

import (
	"cmp"

	"github.com/iotrace/iotrace/trace"
)

// Ask is what was asked of a server, as far as segments are told apart by it.
type Ask struct {
	Protocol          trace.Protocol
	Procedure, Server string
	Bytes             int64
}

// compare puts them into an order that is the same each time.
func (a *Ask) compare(b *Ask) int {
	if a == nil || b == nil || a == b {
		return 0
	}
	return cmp.Or(cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Procedure, b.Procedure),
		cmp.Compare(a.Server, b.Server), cmp.Compare(a.Bytes, b.Bytes))
}

// maxAsks bounds what is told apart.
const maxAsks = 1 << 12

// asked is what an RPC asked for; of what is the same there is one.
func (m *threads) askedFor(e *trace.RPC) *Ask {
	a := Ask{e.Protocol, e.Procedure, e.Server, e.Bytes}
	if m.rpcs[a] == nil && len(m.rpcs) >= maxAsks {
		a.Bytes = 0
	}
	if m.rpcs[a] == nil && len(m.rpcs) >= 2*maxAsks {
		a = Ask{Protocol: e.Protocol}
	}
	if m.rpcs[a] == nil {
		one := a
		m.rpcs[a] = &one
	}
	return m.rpcs[a]
}

// carried is an RPC that a thread carried out itself: it waits for nothing else meanwhile.
type carried struct {
	start, sent, replied, end int64
	request                   Request
}

// covers reports whether a wait lies within it.
func (a *carried) covers(from, woken int64) bool { return a.start <= from && woken <= a.end }

func (m *threads) carriedOf(e *trace.RPC) carried {
	a := carried{start: e.Start, sent: e.End(), replied: e.End(), end: e.End(),
		request: Request{File: e.File, Ask: m.askedFor(e)}}
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
	case o.what == Unsent && o.request.Ask.Server == a.request.Ask.Server && a.sent < w.now:
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
	if a.request.Ask == nil || !a.covers(e.Start, e.Woken()) {
		return false
	}
	w.open = wait{what: Server, from: from, cause: e.Cause, request: a.request}
	w.served(a)
	return true
}
