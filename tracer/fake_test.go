package tracer

import (
	"context"
	"sync"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// fake is a Source without a kernel: it tells the recorder of the command's
// exit, as every backend does, and otherwise what a test makes it tell. The
// privileged tests of the backends use the same driver on real events.
type fake struct {
	attachError error
	recordError chan error
	written     []trace.File
	feed        chan func(trace.Sink) error // run by Record, in order

	start time.Time
	mu    sync.Mutex
	scope Scope
	calls []string // the methods that change state, in order
}

func newFake() *fake {
	return &fake{feed: make(chan func(trace.Sink) error, 16), recordError: make(chan error, 1), start: time.Now()}
}

func (f *fake) called(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, name)
}

func (f *fake) history() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.calls...)
}

func (f *fake) Name() string          { return "fake" }
func (f *fake) Calls() []string       { return []string{"read", "write"} }
func (f *fake) Limits() []trace.Limit { return []trace.Limit{{Code: "fake", Text: "sees nothing"}} }
func (f *fake) Now() int64            { return int64(time.Since(f.start)) }
func (f *fake) Written() []trace.File { f.called("written"); return f.written }
func (f *fake) Close() error          { f.called("close"); return nil }

func (f *fake) Stats() Stats {
	return Stats{Cost: trace.Cost{ProbeCPU: 5, ProbeRuns: 7}}
}

func (f *fake) Attach(s Scope) error {
	f.called("attach")
	f.scope = s
	return f.attachError
}

func (f *fake) Record(ctx context.Context, sink trace.Sink) error {
	f.called("record")
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	waiting := f.scope.Launch != 0
	for {
		select {
		case <-ctx.Done():
			return f.rest(sink)
		case err := <-f.recordError:
			return err
		case tell := <-f.feed:
			if err := tell(sink); err != nil {
				return err
			}
		case <-tick.C:
			if waiting && !host.Running(f.scope.Launch) {
				waiting = false
				err := sink.Process(&trace.Process{Time: f.Now(), Action: trace.ProcessExit, PID: f.scope.Launch,
					TID: f.scope.Launch})
				if err != nil {
					return err
				}
			}
		}
	}
}

// rest takes what is still in the buffer.
func (f *fake) rest(sink trace.Sink) error {
	for {
		select {
		case tell := <-f.feed:
			if err := tell(sink); err != nil {
				return err
			}
		default:
			return nil
		}
	}
}

// call makes a system call event.
func call(s trace.Sink) error {
	return s.Syscall(&trace.Syscall{Start: 1, Duration: 2, PID: 3, TID: 3, Op: trace.OpRead, File: 0,
		Offset: trace.NoOffset, Requested: 4, Result: 4})
}
