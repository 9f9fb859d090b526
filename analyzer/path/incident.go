package path

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Incident puts the incident into the profile.
type Incident struct {
	survey  *survey.Survey
	names   Names
	loads   *loads
	thread  uint32 // whose operation it was; 0: none
	of      waitPlace
	others  int64
	account *Account
}

// NewIncident is for a trace with a trigger that is an event.
func NewIncident(s *survey.Survey) *Incident {
	return &Incident{survey: s, names: NamesOf(s, nil), loads: newLoads(profile.TriggerOf(s.Header.Trigger))}
}

// Named lets the collector name processes.
func (c *Incident) Named(t *world.Processes) *Incident {
	c.names.processes = t
	return c
}

// HasIncident reports whether an event met a condition.
func HasIncident(s *survey.Survey) bool {
	return s.Header.Trigger != nil && s.Header.Trigger.Kind != ""
}

// Follow finds who waited for the event, where the trace tells that, and what for. It reads the trace twice, from its
// end to where the operation began.
func (c *Incident) Follow(read func(func(*tracefile.File) error) error) error {
	t := profile.TriggerOf(c.survey.Header.Trigger)
	if c.survey.Explained == 0 || t.Kind == trace.KindLost.String() {
		return nil
	}
	w := newWaiters(t)
	if err := read(func(f *tracefile.File) error { return Follow(f, w) }); err != nil {
		return err
	}
	c.thread, c.of, c.others = w.operation(func(tid uint32) bool {
		recorded, _ := c.survey.Known(tid)
		return recorded
	})
	if c.thread == 0 {
		return nil
	}
	c.account = NewAccount(c.names.Label)
	along := Along(c.thread, c.of.from, c.of.to, c.survey, func(s *Segment) { c.account.Add(s) })
	c.names.asks = &along.threads.asks
	return read(func(f *tracefile.File) error { return Follow(f, along) })
}

// Request takes a block request.
func (c *Incident) Request(e *world.Request) { c.loads.request(e) }

// Finish says what the trace was written for.
func (c *Incident) Finish(p *profile.Profile) {
	out := &profile.Incident{Waiters: c.others}
	c.loads.finish(out)
	if c.thread != 0 {
		out.Operation = c.operation()
	}
	p.Incident = out
}

// What is told of the operation.
const (
	incidentMaxParts = 8
	incidentMaxChain = 16
)

func (c *Incident) operation() *profile.Operation {
	o := &profile.Operation{Kind: c.kind(), FromNS: c.of.from, ToNS: c.of.to, Together: 1}
	for i, x := range c.names.Parts(c.account) {
		if x.Share = float64(x.NS) / float64(max(c.account.Total, 1)); i < incidentMaxParts {
			o.Parts = append(o.Parts, *x)
		}
	}
	chain := c.account.Longest()
	o.Chain = chainOf(c.names, chain[:min(len(chain), incidentMaxChain)])
	return o
}

// kind says what the operation is.
func (c *Incident) kind() profile.OperationName {
	n := profile.OperationName{Process: c.survey.Command(c.of.pid), Fault: c.of.fault}
	f := c.survey.Files.File(c.of.file)
	switch {
	case !c.of.in:
		n.What = Unknown.String()
		if parts := c.account.Parts(); len(parts) > 0 {
			n.What = parts[0].What.String()
		}
	case c.of.fault:
	case f != nil && f.Kind == trace.FileSocket && c.of.op.Reads():
		n.Call = "receive"
	case f != nil && f.Kind == trace.FileSocket && c.of.op == trace.OpWrite:
		n.Call = "send"
	default:
		n.Call = c.of.op.String()
	}
	if f != nil && c.of.file != 0 && f.Kind != trace.FileSocket {
		n.File = f.Path
	}
	return n
}
