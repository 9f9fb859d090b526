package convert

import (
	"fmt"

	"github.com/iotrace/iotrace/trace"
)

// Plausible passes on the events that can be true, and counts the others. Any
// number can stand in a text; one such event would be as long as all others.
type Plausible struct {
	trace.Sink
	left  uint64 // out
	first string // why the first one was
}

// Checked is an import whose events can be true, of one input or of several.
func Checked[In any](read func(In, trace.Sink) (Counts, error)) func(In, trace.Sink) (Counts, error) {
	return func(in In, sink trace.Sink) (Counts, error) {
		p := &Plausible{Sink: sink}
		c, err := read(in, p)
		c.AddNote(p.Note())
		return c, err
	}
}

// Note says what was left out, "" if nothing was.
func (p *Plausible) Note() string {
	if p.left == 0 {
		return ""
	}
	return fmt.Sprintf("%d events cannot be true and are left out; the first: %s", p.left, p.first)
}

// pass gives an event to the sink unless there is something impossible about it.
func pass[T any](p *Plausible, impossible string, put func(*T) error, e *T) error {
	if impossible == "" {
		return put(e)
	}
	if p.left++; p.left == 1 {
		p.first = impossible
	}
	return nil
}

func (p *Plausible) Syscall(e *trace.Syscall) error {
	e.Tame()
	return pass(p, e.Impossible(), p.Sink.Syscall, e)
}

func (p *Plausible) AsyncOp(e *trace.AsyncOp) error {
	e.Tame()
	return pass(p, e.Impossible(), p.Sink.AsyncOp, e)
}

func (p *Plausible) Fault(e *trace.Fault) error { return pass(p, e.Impossible(), p.Sink.Fault, e) }
func (p *Plausible) Request(e *trace.Request) error {
	return pass(p, e.Impossible(), p.Sink.Request, e)
}
func (p *Plausible) Wait(e *trace.Wait) error { return pass(p, e.Impossible(), p.Sink.Wait, e) }
func (p *Plausible) Process(e *trace.Process) error {
	return pass(p, e.Impossible(), p.Sink.Process, e)
}
func (p *Plausible) File(e *trace.File) error     { return pass(p, e.Impossible(), p.Sink.File, e) }
func (p *Plausible) Device(e *trace.Device) error { return pass(p, e.Impossible(), p.Sink.Device, e) }
func (p *Plausible) Lost(e *trace.Lost) error     { return pass(p, e.Impossible(), p.Sink.Lost, e) }
func (p *Plausible) RPC(e *trace.RPC) error       { return pass(p, e.Impossible(), p.Sink.RPC, e) }
