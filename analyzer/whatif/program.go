package whatif

import (
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Program is what a recording tells of the program that was recorded, of all its
// processes.
type Program struct {
	Threads     []Thread
	Requests    []Request       // in the order of completion
	Causes      []anchor        // of requests: after what those are asked for that no recorded thread asks for
	Marks       int             // moments of threads that others wait for
	Devices     []*world.Device // that requests went to
	Window      timeline.Window
	Command     []string
	Waited      int64   // ns that threads waited for I/O
	Unexplained int64   // ns of these without a request to be seen
	Guessed     float64 // share of the waiting of which it was not recorded what ended it, and which is guessed
	Throttled   int64   // ns that they waited because too much was left to be written back
}

// newProgram puts together what was gathered.
func newProgram(e *events) *Program {
	e.order()
	threads := e.known()
	t := newTying(e, threads)
	causes := causes(t)
	for _, h := range threads {
		t.waitsOf(h)
	}
	data(e, threads)
	p := &Program{
		Requests: e.requests, Causes: causes, Devices: e.devices,
		Window: survey.Window(e.survey), Command: e.survey.Header.Command,
	}
	starts := make([]anchor, len(threads))
	for i, h := range threads {
		starts[i] = t.start(h, p.Window.Start)
	}
	p.Guessed = float64(t.guessed) / float64(max(t.slept, 1))
	p.account(threads)
	for i, h := range threads {
		x := h.whole(starts[i])
		x.Main = len(e.survey.Header.PIDs) > 0 && h.thread == e.survey.Header.PIDs[0]
		p.Threads = append(p.Threads, x)
		h.cutPoints = nil
	}
	p.Marks = int(t.marks)
	return p
}

// account sums up how much of the waiting for I/O has a request that explains it.
func (p *Program) account(threads []*history) {
	for _, h := range threads {
		for _, w := range h.waits {
			if w.Cause == trace.WaitThrottle {
				p.Throttled += w.Duration
			}
		}
		for i := range h.cutPoints {
			switch m := &h.cutPoints[i]; m.what {
			case Stalls:
				p.Unexplained += m.after
				p.Waited += m.after
			case Needs:
				p.Waited += max(m.until-m.at, 0)
			}
		}
	}
}
