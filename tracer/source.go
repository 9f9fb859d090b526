// Package tracer records workloads. It knows no backend: a backend implements
// Source (tracer/ebpf, tracer/kdebug, tracer/dtrace, …), and Record drives it
// from the first probe to the last byte of the trace file.
package tracer

import (
	"context"
	"errors"

	"github.com/iotrace/iotrace/trace"
)

// ErrUnsupported is wrapped by errors that say this system lacks what a
// backend needs; the message says what, and what to do.
var ErrUnsupported = errors.New("not supported on this system")

// ErrPermission is wrapped by errors that say the caller lacks a privilege.
var ErrPermission = errors.New("permission denied")

// Cause is what an error of a backend wraps that was denied a privilege, or could not work for another reason.
func Cause(denied bool) error {
	if denied {
		return ErrPermission
	}
	return ErrUnsupported
}

// Source is a recording backend. Its life is Attach, Record, Close; the other
// methods may be called between Attach and Close, from any goroutine.
type Source interface {
	// Name is the backend's name in the trace header.
	Name() string
	// Calls names the system calls, indexed by trace.Syscall.Call.
	Calls() []string
	// Attach puts every probe in place. When it returns without an error, each
	// event in scope from now on is recorded or counted as lost. Errors wrap
	// ErrPermission or ErrUnsupported where they apply.
	Attach(scope Scope) error
	// Limits lists what this backend cannot see here. Known after Attach.
	Limits() []trace.Limit
	// Record copies events to the sink until ctx is cancelled, then takes what
	// is still in the buffers and returns. An error of the sink ends it at once.
	Record(ctx context.Context, sink trace.Sink) error
	// Now is the current time on the trace's clock.
	Now() int64
	// Written lists the files that recorded processes have written and that
	// still have a name: path, device and inode. For draining.
	Written() []trace.File
	// Stats reports losses and cost, as far as they are known by then. Final once Record has returned.
	Stats() Stats
	// Close detaches all probes and frees the buffers.
	Close() error
}

// Noter is a Source that has something to say of its recording to whoever reads the trace. Only after Record.
type Noter interface{ Notes() []string }

// Forgetter is a Source that forgets files that were not used for some minutes, if it is told to before Record. Each is
// announced anew, with another ID, when it is used again. gone is given those that no event refers to any more, but for
// what began before they were forgotten; it is called between events.
type Forgetter interface {
	Forget(gone func([]trace.FileID))
}

// Adviser is a Source that has something to say before it attaches, nil if it has not.
type Adviser interface{ Advice() error }

// Sampler is a Source that takes samples of what CPU time is spent on. Only after Record, and before Close.
type Sampler interface{ Samples() []trace.Sample }

// Stats is what a source knows about its own work.
type Stats struct {
	Lost map[trace.Kind]uint64
	Cost trace.Cost
}

// SendDevices hands the devices that are there to a sink.
func SendDevices(sink trace.Sink, devices []trace.Device) error {
	for i := range devices {
		if err := sink.Device(&devices[i]); err != nil {
			return err
		}
	}
	return nil
}
