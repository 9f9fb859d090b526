//go:build linux

package ebpf

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// recording is everything a tracer saw. It implements trace.Sink.
type recording struct {
	trace.Batch
	names []string // of the calls
	files map[trace.FileID]*trace.File
	stats tracer.Stats

	hidden int // requests that no probe can have seen whole
}

func (r *recording) Syscall(e *trace.Syscall) error { r.Syscalls = append(r.Syscalls, *e); return nil }
func (r *recording) AsyncOp(e *trace.AsyncOp) error { r.AsyncOps = append(r.AsyncOps, *e); return nil }
func (r *recording) Fault(e *trace.Fault) error     { r.Faults = append(r.Faults, *e); return nil }
func (r *recording) Request(e *trace.Request) error { r.Requests = append(r.Requests, *e); return nil }
func (r *recording) RPC(e *trace.RPC) error         { r.RPCs = append(r.RPCs, *e); return nil }
func (r *recording) Wait(e *trace.Wait) error       { r.Waits = append(r.Waits, *e); return nil }
func (r *recording) Device(e *trace.Device) error   { r.Devices = append(r.Devices, *e); return nil }
func (r *recording) Lost(e *trace.Lost) error       { r.Batch.Lost = append(r.Batch.Lost, *e); return nil }

func (r *recording) Process(e *trace.Process) error {
	r.Processes = append(r.Processes, *e)
	return nil
}

func (r *recording) File(e *trace.File) error {
	r.Files = append(r.Files, *e)
	f := *e
	r.files[e.ID] = &f
	return nil
}

// call is the system's name of a call.
func (r *recording) call(s *trace.Syscall) string { return r.names[s.Call] }

// path is the path of a file, "" for none.
func (r *recording) path(id trace.FileID) string {
	if f := r.files[id]; f != nil {
		return f.Path
	}
	return ""
}

// calls lists the calls of a name on a path.
func (r *recording) calls(name, path string) []trace.Syscall {
	return slices.DeleteFunc(slices.Clone(r.Syscalls), func(s trace.Syscall) bool {
		return r.call(&s) != name || r.path(s.File) != path
	})
}

// requests lists the requests at a device.
func (r *recording) requests(dev trace.DeviceID) []trace.Request {
	return slices.DeleteFunc(slices.Clone(r.Requests), func(q trace.Request) bool { return q.Device != dev })
}

// extents splits a request into its pieces.
func extents(q *trace.Request) []trace.Extent {
	first := trace.Extent{File: q.File, Offset: q.Offset, Bytes: q.Bytes}
	for _, e := range q.More {
		first.Bytes -= e.Bytes
	}
	return append([]trace.Extent{first}, q.More...)
}

// session is a tracer at work.
type session struct {
	*Tracer
	t        testing.TB
	rec      *recording
	requests *ftrace // what the kernel says about issued and completed requests
	cancel   context.CancelFunc
	done     chan error
	ended    bool
}

// legacyProbes has all tests record with the probes for old kernels.
var legacyProbes = os.Getenv("IOTRACE_PROBES") == "legacy"

// begin attaches to a scope and records until the end of the test at the latest.
func begin(t testing.TB, o Options, scope tracer.Scope) *session {
	t.Helper()
	return beginTo(t, o, scope, nil)
}

// beginTo is begin with a sink between the tracer and the recording.
func beginTo(t testing.TB, o Options, scope tracer.Scope, wrap func(trace.Sink) trace.Sink) *session {
	t.Helper()
	o.legacy = o.legacy || legacyProbes
	tr, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	s := &session{Tracer: tr, t: t, done: make(chan error, 1),
		requests: startFtrace(t, "nr_sector >= 0", "block/block_rq_issue", "block/block_rq_complete")}
	if err := tr.Attach(scope); err != nil {
		t.Fatalf("attaching: %v", err)
	}
	s.rec = &recording{names: tr.Calls(), files: map[trace.FileID]*trace.File{}}
	var sink trace.Sink = s.rec
	if wrap != nil {
		sink = wrap(sink)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	go func() { s.done <- tr.Record(ctx, sink) }()
	t.Cleanup(func() {
		if !s.ended {
			s.cancel()
			<-s.done
			s.Close()
		}
	})
	return s
}

// end stops recording and returns what was recorded. Losing anything is an
// error of the test, but for requests that no probe can see.
func (s *session) end() *recording {
	s.t.Helper()
	rec := s.finish()
	rec.hidden = s.requests.hidden()
	for kind, n := range rec.stats.Lost {
		if kind != trace.KindRequest || n > uint64(rec.hidden) {
			s.t.Errorf("%d events of kind %s were lost", n, kind)
		}
	}
	return rec
}

// endBeside is end of a recording of all processes, while others may use other
// devices than the test's own: as many requests may be lost there as the kernel
// completed and the recording does not have, beside those that no probe can see. What it has of the test's device is
// compared with what others say of that.
func (s *session) endBeside(own trace.DeviceID) *recording {
	s.t.Helper()
	rec := s.finish()
	completed, recorded := 0, len(rec.Requests)-len(rec.requests(own))
	const event = ": block_rq_complete: "
	device := fmt.Sprintf(event+"%d,%d ", own.Major(), own.Minor())
	for _, line := range s.requests.lines() {
		if strings.Contains(line, event) && !strings.Contains(line, device) {
			completed++
		}
	}
	for kind, n := range rec.stats.Lost {
		if kind != trace.KindRequest || n > uint64(max(completed-recorded, 0)+s.requests.hidden()) {
			s.t.Errorf("%d events of kind %s were lost; of other devices %d requests were completed and %d recorded", n, kind,
				completed, recorded)
		}
	}
	return rec
}

// finish is end for tests that expect losses.
func (s *session) finish() *recording {
	s.t.Helper()
	s.ended = true
	s.cancel()
	if err := <-s.done; err != nil {
		s.t.Fatalf("recording: %v", err)
	}
	s.rec.stats = s.Stats()
	for name, p := range s.collection.Programs {
		if st, err := p.Stats(); err == nil && st.RecursionMisses > 0 {
			s.t.Logf("%s was skipped %d times", name, st.RecursionMisses)
		}
	}
	if err := s.Close(); err != nil {
		s.t.Fatalf("closing: %v", err)
	}
	return s.rec
}

// commandLimit bounds the time of a recorded command.
const commandLimit = 2 * time.Minute

// recordCommand records a command and what follow does once it has returned.
func recordCommand(t testing.TB, o Options, follow func(), args ...string) *recording {
	t.Helper()
	s, w := launch(t, o, args...)
	wait(t, w)
	if follow != nil {
		follow()
	}
	return s.end()
}

// launch starts a recorded command.
func launch(t testing.TB, o Options, args ...string) (*session, *tracer.Workload) {
	t.Helper()
	return launchTo(t, o, nil, args...)
}

// launchTo is launch with a sink between the tracer and the recording.
func launchTo(t testing.TB, o Options, wrap func(trace.Sink) trace.Sink,
	args ...string) (*session, *tracer.Workload) {
	t.Helper()
	w, err := tracer.Launch(tracer.Command{Args: args, StdoutToStderr: true})
	if err != nil {
		t.Fatalf("launching %q: %v", args, err)
	}
	t.Cleanup(func() { w.Abandon(); w.Signal(syscall.SIGKILL) })
	s := beginTo(t, o, tracer.Scope{Launch: uint32(w.PID())}, wrap)
	if err := w.Release(); err != nil {
		t.Fatalf("releasing %q: %v", args, err)
	}
	return s, w
}

// wait waits for a command that has to succeed.
func wait(t testing.TB, w *tracer.Workload) {
	t.Helper()
	select {
	case <-w.Exited():
	case <-time.After(commandLimit):
		w.Signal(syscall.SIGKILL)
		t.Fatal("the recorded command did not end")
	}
	if code := w.ExitCode(); code != 0 {
		t.Fatalf("the recorded command exited with %d", code)
	}
}
