//go:build linux

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/ebpf"
)

// readers are iotrace itself, all its probes, with more and more of what is done
// with an event.
var readers = []struct {
	name string
	open func(dir string) (sink, error)
}{
	{"all probes of iotrace, its reader awake and decoding", func(string) (sink, error) { return stormNothing{}, nil }},
	{"encoding and compression", func(string) (sink, error) { return encoder(io.Discard) }},
	{"writing to a file", func(dir string) (sink, error) {
		f, err := os.Create(filepath.Join(dir, "storm.iotrace"))
		if err != nil {
			return nil, err
		}
		return encoder(f)
	}},
}

// sink takes events, and ends.
type sink interface {
	trace.Sink
	Close(trace.End) error
}

func encoder(w io.Writer) (sink, error) { return tracefile.NewWriter(w, trace.Header{Tool: "storm"}) }

// underReader measures the calls while iotrace records them, or another process.
func (s *stormSession) underReader(n int, recorded bool) (c cost, err error) {
	out, err := readers[n].open(s.dir)
	if err != nil {
		return cost{}, err
	}
	source, err := ebpf.New(ebpf.Options{})
	if err != nil {
		return cost{}, err
	}
	defer source.Close()
	w, err := newWorkload(s.pairs)
	if err != nil {
		return cost{}, err
	}
	defer w.end()
	launch := w.pid()
	if !recorded {
		launch = os.Getpid() // which becomes no other program
	}
	if err := source.Attach(tracer.Scope{Launch: uint32(launch)}); err != nil {
		return cost{}, err
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- source.Record(ctx, out) }()
	if err = w.load(); err == nil {
		c, err = w.perCall()
	}
	stop()
	err = errors.Join(err, <-ended, out.Close(trace.End{}))
	for kind, lost := range source.Stats().Lost {
		if lost > 0 {
			s.lost[kind] += lost
		}
	}
	return c, err
}

// stormNothing is a sink that keeps nothing.
type stormNothing struct{}

func (stormNothing) Syscall(*trace.Syscall) error { return nil }
func (stormNothing) AsyncOp(*trace.AsyncOp) error { return nil }
func (stormNothing) Fault(*trace.Fault) error     { return nil }
func (stormNothing) Request(*trace.Request) error { return nil }
func (stormNothing) Wait(*trace.Wait) error       { return nil }
func (stormNothing) Process(*trace.Process) error { return nil }
func (stormNothing) File(*trace.File) error       { return nil }
func (stormNothing) Device(*trace.Device) error   { return nil }
func (stormNothing) Lost(*trace.Lost) error       { return nil }
func (stormNothing) RPC(*trace.RPC) error         { return nil }
func (stormNothing) Close(trace.End) error        { return nil }

// position is where a side of a ring buffer has come to, at the beginning of its page.
func position(page []byte) *atomic.Uint64 { return (*atomic.Uint64)(unsafe.Pointer(&page[0])) }
