//go:build linux

package ebpf

import (
	"context"
	"path"
	"syscall"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// remembering is a sink that knows which files are gone.
type remembering struct {
	*recording
	gone    map[trace.FileID]bool
	unknown int // calls and requests that refer to one of these
}

func (r *remembering) Syscall(e *trace.Syscall) error {
	if r.gone[e.File] || r.gone[e.File2] {
		r.unknown++
	}
	return r.recording.Syscall(e)
}

func (r *remembering) Request(e *trace.Request) error {
	if r.gone[e.File] {
		r.unknown++
	}
	return r.recording.Request(e)
}

// A file that stays open is announced anew when it is used after long, by a call or as its pages are written.
func TestFilesInUseAreAnnouncedAnew(t *testing.T) {
	needBPF(t)
	needTools(t, "python3")
	w, err := tracer.Launch(tracer.Command{StdoutToStderr: true, Args: []string{"python3", "-c", `import os, sys, time
f = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
for i in range(6):
    os.pwrite(f, b"x" * 4096, 4096 * i)
    time.sleep(.7)
    if i == 3: os.unlink(sys.argv[1])
g = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
os.pwrite(g, b"x" * 8192, 0)
time.sleep(1)
os.sync()
`, testenv.WorkDir(t) + "/aged"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Abandon(); w.Signal(syscall.SIGKILL) })
	tr, err := New(Options{legacy: legacyProbes})
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Attach(tracer.Scope{Launch: uint32(w.PID())}); err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	r := &remembering{recording: &recording{names: tr.Calls(), files: map[trace.FileID]*trace.File{}},
		gone: map[trace.FileID]bool{}}
	tr.aging.every = 100 * time.Millisecond
	tr.Forget(func(ids []trace.FileID) {
		for _, id := range ids {
			r.gone[id] = true
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- tr.Record(ctx, r) }()
	if err := w.Release(); err != nil {
		t.Fatal(err)
	}
	wait(t, w)
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	r.judge(t)
}

// judge looks at what that program did.
func (r *remembering) judge(t *testing.T) {
	written, pages := 0, int64(0)
	ids := map[trace.FileID]bool{}
	for i := range r.Syscalls {
		if s := &r.Syscalls[i]; s.Op == trace.OpWrite && path.Base(r.path(s.File)) == "aged" {
			written += int(s.Result)
			ids[s.File] = true
		}
	}
	for i := range r.Requests {
		for _, e := range extents(&r.Requests[i]) {
			if r.Requests[i].Op == trace.ReqWrite && path.Base(r.path(e.File)) == "aged" {
				pages += e.Bytes
				ids[e.File] = true
			}
		}
	}
	if written != 8*4096 || pages < 8192 || len(ids) < 6 || len(r.gone) == 0 || r.unknown > 0 {
		t.Errorf("%d bytes are written in calls, %d in requests, to a file that had %d numbers; %d are gone, "+
			"%d events refer to one of these", written, pages, len(ids), len(r.gone), r.unknown)
	}
}
