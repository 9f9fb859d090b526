package tracer

import (
	"sync"

	"github.com/iotrace/iotrace/trace"
)

// Holder is a Sink that others use as well, and that can be held against them: what Hold returns takes any number of
// events until Release, without making sure for each of them that it is alone. The events are not to wait meanwhile.
type Holder interface {
	Sink
	Hold() Sink
	Release()
}

// guarded is a Sink that is used under a lock.
type guarded struct {
	sink Sink
	mu   *sync.Mutex
}

// Hold implements Holder.
func (g guarded) Hold() Sink {
	g.mu.Lock()
	return g.sink
}

// Release implements Holder.
func (g guarded) Release() { g.mu.Unlock() }

// Syscall implements Sink.
func (g guarded) Syscall(e *trace.Syscall) error {
	defer g.Release()
	return g.Hold().Syscall(e)
}

// AsyncOp implements Sink.
func (g guarded) AsyncOp(e *trace.AsyncOp) error {
	defer g.Release()
	return g.Hold().AsyncOp(e)
}

// Fault implements Sink.
func (g guarded) Fault(e *trace.Fault) error {
	defer g.Release()
	return g.Hold().Fault(e)
}

// Request implements Sink.
func (g guarded) Request(e *trace.Request) error {
	defer g.Release()
	return g.Hold().Request(e)
}

// Wait implements Sink.
func (g guarded) Wait(e *trace.Wait) error {
	defer g.Release()
	return g.Hold().Wait(e)
}

// Process implements Sink.
func (g guarded) Process(e *trace.Process) error {
	defer g.Release()
	return g.Hold().Process(e)
}

// File implements Sink.
func (g guarded) File(e *trace.File) error {
	defer g.Release()
	return g.Hold().File(e)
}

// Device implements Sink.
func (g guarded) Device(e *trace.Device) error {
	defer g.Release()
	return g.Hold().Device(e)
}

// Lost implements Sink.
func (g guarded) Lost(e *trace.Lost) error {
	defer g.Release()
	return g.Hold().Lost(e)
}
