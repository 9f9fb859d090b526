package usage

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// maxProcedures bounds the procedures of servers that are told apart.
const maxProcedures = 1 << 10

// Servers gathers what was asked of servers, by procedure.
type Servers struct {
	span int64
	by   map[procedure]*rpcs
}

type procedure struct {
	server, name string
	protocol     trace.Protocol
}

// rpcs are what was asked by one of them.
type rpcs struct {
	flow             measure.Flow
	out, in, resent  int64
	queued, answered measure.Histogram
}

// NewServers begins without any.
func NewServers(span int64) *Servers { return &Servers{span: span, by: map[procedure]*rpcs{}} }

// RPC adds what a client asked.
func (c *Servers) RPC(e *world.RPC) {
	p := procedure{e.Server, e.Procedure, e.Protocol}
	a := c.by[p]
	if a == nil && len(c.by) >= maxProcedures {
		p = procedure{name: "others"}
		a = c.by[p]
	}
	if a == nil {
		a = new(rpcs)
		c.by[p] = a
	}
	a.flow.Add(e.Start, e.End(), e.Bytes, e.Status != 0)
	a.out += e.Out
	a.in += e.In
	a.resent += max(int64(e.Sends)-1, 0)
	if e.Queued >= 0 {
		a.queued.Add(e.Queued)
	}
	if e.RTT >= 0 {
		a.answered.Add(e.RTT)
	}
}

// Finish lists them, most time first.
func (c *Servers) Finish(p *profile.Profile) {
	for k, a := range c.by {
		p.ServerRequests = append(p.ServerRequests, profile.ServerRequests{
			Server: k.server, Protocol: k.protocol.String(), Procedure: k.name, Flow: *a.flow.Profile(c.span),
			Out: a.out, In: a.in, Resent: a.resent, Queued: a.queued.Dist(), Answered: a.answered.Dist(),
		})
	}
	sorting.Stably(p.ServerRequests, func(x, y profile.ServerRequests) int {
		return cmp.Or(cmp.Compare(y.Flow.Latency.Sum, x.Flow.Latency.Sum), cmp.Compare(x.Server, y.Server),
			cmp.Compare(x.Procedure, y.Procedure), cmp.Compare(x.Protocol, y.Protocol))
	})
}
