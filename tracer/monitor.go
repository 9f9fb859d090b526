package tracer

import (
	"sync/atomic"
	"time"
)

// Phase is what a recording is doing.
type Phase int

// The phases of a recording, in order.
const (
	Attaching Phase = iota
	Running         // the command, or the processes attached to, run
	Draining        // the command has ended, its data is being written back
	Finishing       // the rest of the events is collected
	Waiting         // recording has ended, the command has not
	Done
)

// Monitor shows how far a recording is, to any goroutine. A nil Monitor shows
// it to nobody.
type Monitor struct {
	// OnEnter, if set, is called by the recorder when it enters a phase.
	OnEnter func(Phase)

	phase atomic.Int32
	since atomic.Int64 // wall clock, ns
	watch atomic.Pointer[watch]
}

// Phase is the current phase and how long it has lasted.
func (m *Monitor) Phase() (Phase, time.Duration) {
	since := m.since.Load()
	if since == 0 {
		return Attaching, 0
	}
	return Phase(m.phase.Load()), time.Since(time.Unix(0, since))
}

// Progress is what has been recorded so far.
func (m *Monitor) Progress() (p Progress) {
	if w := m.watch.Load(); w != nil {
		p = w.progress()
	}
	return p
}

func (m *Monitor) enter(p Phase) {
	if m == nil {
		return
	}
	m.phase.Store(int32(p))
	m.since.Store(time.Now().UnixNano())
	if m.OnEnter != nil {
		m.OnEnter(p)
	}
}

func (m *Monitor) follow(w *watch) {
	if m != nil {
		m.watch.Store(w)
	}
}
