package tracer

import (
	"sync"

	"github.com/iotrace/iotrace/trace"
)

// SharedSink is a Sink that others use as well, and that can be held against them: what Hold returns takes any number
// of events until Release, without making sure for each of them that it is alone. Meanwhile the others wait.
type SharedSink interface {
	trace.Sink
	Hold() trace.Sink
	Release()
}

// Guard makes a sink that is used under a lock of another.
func Guard(s trace.Sink, mu *sync.Mutex) SharedSink { return guarded{s, mu} }

// guarded is a SharedSink that is used under a lock.
type guarded struct {
	sink trace.Sink
	mu   *sync.Mutex
}

func (g guarded) Hold() trace.Sink {
	g.mu.Lock()
	return g.sink
}

func (g guarded) Release() { g.mu.Unlock() }

func (g guarded) Syscall(e *trace.Syscall) error {
	defer g.Release()
	return g.Hold().Syscall(e)
}

func (g guarded) AsyncOp(e *trace.AsyncOp) error {
	defer g.Release()
	return g.Hold().AsyncOp(e)
}

func (g guarded) Fault(e *trace.Fault) error {
	defer g.Release()
	return g.Hold().Fault(e)
}

func (g guarded) Request(e *trace.Request) error {
	defer g.Release()
	return g.Hold().Request(e)
}

func (g guarded) Wait(e *trace.Wait) error {
	defer g.Release()
	return g.Hold().Wait(e)
}

func (g guarded) Process(e *trace.Process) error {
	defer g.Release()
	return g.Hold().Process(e)
}

func (g guarded) File(e *trace.File) error {
	defer g.Release()
	return g.Hold().File(e)
}

func (g guarded) Device(e *trace.Device) error {
	defer g.Release()
	return g.Hold().Device(e)
}

func (g guarded) Lost(e *trace.Lost) error {
	defer g.Release()
	return g.Hold().Lost(e)
}

func (g guarded) RPC(e *trace.RPC) error {
	defer g.Release()
	return g.Hold().RPC(e)
}
