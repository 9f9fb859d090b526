package tracer

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/iotrace/iotrace/trace"
)

// Following is a recording whose events are used as they come and kept nowhere.
type Following struct {
	Source
	mu     sync.Mutex
	cancel context.CancelFunc
	ended  chan struct{}
	err    error // of the source, once it has ended
}

// Follow attaches a source to processes. The probes are in place when it returns; Start has to follow, and Close.
func Follow(open func() (Source, error), scope Scope) (*Following, error) {
	source, err := open()
	if err != nil {
		return nil, err
	}
	if err := source.Attach(scope); err != nil {
		return nil, errors.Join(fmt.Errorf("attaching to %s: %w", scope.describe(), err), source.Close())
	}
	return &Following{Source: source, ended: make(chan struct{})}, nil
}

// Start passes events to a sink from now on, and from another goroutine. Hold keeps it off. A sink that remembers files
// is told which are gone.
func (f *Following) Start(sink trace.Sink) {
	if s, ok := f.Source.(Forgetter); ok {
		s.Forget(func(files []trace.FileID) { f.Hold(func() { Gone(sink, files) }) })
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	go func() {
		defer close(f.ended)
		f.err = f.Record(ctx, guarded{sink, &f.mu})
	}()
}

// Hold calls a function while no event is passed on.
func (f *Following) Hold(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// Ended is closed when the source has ended, of its own accord or after Stop. Stop then says why.
func (f *Following) Ended() <-chan struct{} { return f.ended }

// Stop takes what is still in the buffers. No event follows.
func (f *Following) Stop() error {
	f.cancel()
	<-f.ended
	if f.err != nil {
		return fmt.Errorf("recording: %w", f.err)
	}
	return nil
}

// Close detaches the probes.
func (f *Following) Close() error {
	if f.cancel != nil {
		_ = f.Stop() // its error was for who stopped it
	}
	return f.Source.Close()
}
