package conversion

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// A server takes a call up after the client has sent it, and sends the reply before the client has it. So each call
// that both recorded bounds how far their clocks are apart, from both sides. What all calls allow is as good as the
// fastest of them, whatever the clocks on the walls say.

// maxCalls bounds the calls of a host that are looked at.
const maxCalls = 1 << 18

// span is when a call was under way: at a client from when it was sent to the reply, at a server while it was served.
type span struct{ from, to int64 }

// remoteCalls are those of a host that have a number: what it asked, and what it was asked.
type remoteCalls struct{ asked, served map[uint32]span }

// readCalls reads the remote calls of a trace.
func readCalls(path string) (c remoteCalls, err error) {
	f, err := tracefile.Open(path)
	if err != nil {
		return c, err
	}
	defer f.Close()
	f.Only(trace.KindRPC)
	c = remoteCalls{asked: map[uint32]span{}, served: map[uint32]span{}}
	for b := (trace.Batch{}); ; {
		if err := f.Next(&b); errors.Is(err, io.EOF) {
			return c, nil
		} else if err != nil {
			return c, err
		}
		for i := range b.RPCs {
			c.add(&b.RPCs[i])
		}
	}
}

// add leaves out what was sent more than once: the server may have answered any of them.
func (c *remoteCalls) add(e *trace.RPC) {
	switch {
	case e.XID == 0:
	case e.Served && len(c.served) < maxCalls:
		c.served[e.XID] = span{e.Start, e.End()}
	case !e.Served && e.Sends == 1 && e.Queued >= 0 && e.RTT >= 0 && len(c.asked) < maxCalls:
		sent := e.Start + e.Queued
		c.asked[e.XID] = span{sent, sent + e.RTT}
	}
}

// apart is how much later one recording began than another.
type apart struct {
	ns, off int64 // and how far that may be wrong
	calls   int   // that say so; 0: it is not known
}

// between is how much later the recording of a server began than that of its client.
func between(client, server *remoteCalls) apart {
	var bounds []span
	for xid, s := range server.served {
		if a, ok := client.asked[xid]; ok {
			if b := (span{a.from - s.from, a.to - s.to}); b.from <= b.to {
				bounds = append(bounds, b)
			}
		}
	}
	return most(bounds)
}

// most is what most of the bounds allow. Some may be of two calls that have one number; and the clocks may drift.
func most(bounds []span) apart {
	if len(bounds) == 0 {
		return apart{}
	}
	type edge struct {
		at   int64
		step int
	}
	edges := make([]edge, 0, 2*len(bounds))
	for _, b := range bounds {
		edges = append(edges, edge{b.from, 1}, edge{b.to, -1})
	}
	sorting.Stably(edges, func(x, y edge) int { return cmp.Or(cmp.Compare(x.at, y.at), y.step-x.step) })
	best, allow, within := span{}, 0, 0
	for i, e := range edges {
		if within += e.step; within > allow {
			allow, best = within, span{e.at, edges[i+1].at}
		}
	}
	a := apart{ns: best.from + (best.to-best.from)/2, calls: allow}
	var beyond []int64
	for _, b := range bounds {
		beyond = append(beyond, max(b.from-a.ns, a.ns-b.to, 0))
	}
	slices.Sort(beyond)
	a.off = max(best.to-a.ns, beyond[len(beyond)*19/20])
	return a
}
