package flight

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer"
)

// source is a backend that tells what a test has it tell.
type source struct {
	began time.Time
	tell  func(s trace.Sink, now func() int64) error
	over  chan struct{} // closed when that was done
}

func newSource(tell func(trace.Sink, func() int64) error) *source {
	return &source{time.Now(), tell, make(chan struct{})}
}

func (f *source) Name() string              { return "fake" }
func (f *source) Calls() []string           { return []string{"read"} }
func (f *source) Attach(tracer.Scope) error { return nil }
func (f *source) Limits() []trace.Limit     { return nil }
func (f *source) Written() []trace.File     { return nil }
func (f *source) Stats() tracer.Stats       { return tracer.Stats{} }
func (f *source) Close() error              { return nil }
func (f *source) Now() int64                { return int64(time.Since(f.began)) }

func (f *source) Record(ctx context.Context, s trace.Sink) error {
	err := f.tell(s, f.Now)
	close(f.over)
	<-ctx.Done()
	return err
}

// run runs a recorder until its source has told everything and the recorder had time to look at it.
func run(t *testing.T, f *source, o Options) (written []Written, failed []error) {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Size == 0 {
		o.Size = 1 << 20
	}
	if o.Duration == 0 {
		o.Duration = time.Second
	}
	o.Open = func() (tracer.Source, error) { return f, nil }
	o.Scope.All = true
	o.Wrote = func(w Written) { written = append(written, w) }
	hook := o.Failed
	o.Failed = func(err error) {
		if failed = append(failed, err); hook != nil {
			hook(err)
		}
	}
	if err := Record(o); err != nil {
		t.Fatal(err)
	}
	return written, failed
}

func when(t *testing.T, texts ...string) (list []*Condition) {
	t.Helper()
	for _, text := range texts {
		c, err := ParseCondition(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func read(t *testing.T, path string) (h trace.Header, requests []trace.Request, end trace.End) {
	t.Helper()
	r, err := tracefile.Each(path, func(b *trace.Batch) { requests = append(requests, b.Requests...) })
	if err != nil {
		t.Fatal(err)
	}
	end, whole := r.End()
	if !whole || len(r.Damage()) > 0 {
		t.Errorf("whole: %v; damage: %v", whole, r.Damage())
	}
	return r.Header(), requests, end
}

const ms = int64(time.Millisecond)

// requests tells of requests that take 1 ms each, and of one that takes longer.
func requests(before, slow, after int) *source {
	return newSource(func(s trace.Sink, now func() int64) error {
		err := errors.Join(s.Device(&trace.Device{ID: 5, Name: "sda"}),
			s.File(&trace.File{ID: 3, Path: "/data/a", Type: trace.FileRegular}),
			s.Process(&trace.Process{Action: trace.ProcessPresent, PID: 7, TID: 7, Command: "db"}))
		for at := range before + slow + after {
			latency := ms
			if at >= before && at < before+slow {
				latency = 200 * ms
			}
			time.Sleep(time.Duration(latency))
			done := now()
			err = errors.Join(err, s.Request(&trace.Request{Queued: -1, Issued: done - latency, Completed: done, Device: 5,
				Bytes: int64(4096 + at), Op: trace.ReqRead, PID: 7, TID: 7, File: 3}))
		}
		return err
	})
}

// TestCaught: a slow request is in the trace with those before and after it, and with what it was.
func TestCaught(t *testing.T) {
	t.Parallel()
	written, failed := run(t, requests(20, 1, 20), Options{Keep: time.Minute, After: 100 * time.Millisecond,
		When: when(t, "request.latency > 150ms"), Duration: 2 * time.Second})
	if len(written) != 1 || len(failed) > 0 {
		t.Fatalf("%v, %v", written, failed)
	}
	h, list, end := read(t, written[0].Path)
	slow := -1
	for i := range list {
		if list[i].Latency() == 200*ms {
			slow = i
		}
	}
	if slow < 20 || len(list) < 22 {
		t.Fatalf("the slow request is number %d of %d", slow, len(list))
	}
	r := list[slow]
	want := trace.Trigger{Condition: "request.latency > 150ms", Time: r.Completed, Start: r.Issued, Latency: 200 * ms,
		Kind: "request", Op: "read", Bytes: 4096 + 20, PID: 7, Command: "db", File: "/data/a", Device: "sda"}
	if h.Trigger == nil || *h.Trigger != want {
		t.Errorf("%+v, want %+v", h.Trigger, want)
	}
	if end.Reason != Reason || end.Duration < r.Completed+100*ms || h.Scope != "all" {
		t.Errorf("%+v", end)
	}
	if info, err := os.Stat(written[0].Path); err != nil || info.Mode().Perm() != 0o600 || info.Size() != written[0].Size {
		t.Errorf("%v, %v, want %d bytes", info, err, written[0].Size)
	}
}

// TestQuiet: without a slow request nothing is written.
func TestQuiet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	written, failed := run(t, requests(50, 0, 0), Options{Keep: time.Minute, When: when(t, "request.latency > 150ms"),
		Dir: dir})
	left, err := os.ReadDir(dir)
	if len(written)+len(failed)+len(left) > 0 || err != nil {
		t.Errorf("%v, %v, %v, %v", written, failed, left, err)
	}
}

// TestRepeats: what holds again while a trace is due is counted there, and followed for as long.
func TestRepeats(t *testing.T) {
	t.Parallel()
	written, _ := run(t, requests(1, 3, 1), Options{Keep: time.Minute, After: 500 * time.Millisecond,
		When: when(t, "request.latency > 150ms"), Duration: 3 * time.Second})
	if len(written) != 1 || written[0].Trigger.Repeats != 2 {
		t.Fatalf("%+v", written)
	}
	_, list, end := read(t, written[0].Path)
	last := int64(0)
	for i := range list {
		if list[i].Latency() == 200*ms {
			last = list[i].Completed
		}
	}
	if end.Duration != last+500*ms {
		t.Errorf("it ends at %d, the last slow request at %d", end.Duration, last)
	}
}

// noise tells of 200,000 requests that cannot be packed well, and of a large one at the end.
func noise() *source {
	return newSource(func(s trace.Sink, now func() int64) error {
		err := s.Device(&trace.Device{ID: 5, Name: "sda"})
		for at := int64(0); at < 200_000; at++ { // noise takes room
			err = errors.Join(err, s.Request(&trace.Request{Queued: -1, Issued: now(), Completed: now(), Device: 5,
				Sector: rand.Uint64() >> 30, Bytes: rand.Int64() >> 44, Op: trace.ReqRead}))
		}
		done := now()
		return errors.Join(err, s.Request(&trace.Request{Queued: -1, Issued: 0, Completed: done, Device: 5,
			Bytes: 1 << 30, Op: trace.ReqRead}))
	})
}

// TestSmall: a trace that begins late because there was no room says so.
func TestSmall(t *testing.T) {
	t.Parallel()
	written, _ := run(t, noise(), Options{Keep: time.Minute, When: when(t, "request.bytes > 512M"), Size: 1 << 20,
		Duration: 3 * time.Second})
	if len(written) != 1 {
		t.Fatalf("%v", written)
	}
	_, list, end := read(t, written[0].Path)
	if written[0].Missing <= 0 || len(list) == 0 || len(list) > 199_999 ||
		!strings.Contains(strings.Join(end.Warnings, ""), "--keep-size") {
		t.Errorf("%d requests, %q", len(list), end.Warnings)
	}
}

// TestNoRoom: a trace that cannot be written is an error that says so; nothing is left, and recording goes on.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "traces")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	f, once := requests(1, 1, 1), make(chan struct{})
	tell := f.tell
	f.tell = func(s trace.Sink, now func() int64) error {
		err := errors.Join(os.Remove(dir), tell(s, now))
		<-once
		return errors.Join(err, os.Mkdir(dir, 0o700), tell(s, now))
	}
	written, failed := run(t, f, Options{Keep: time.Minute, When: when(t, "request.latency > 150ms"), Dir: dir,
		Duration: 4 * time.Second, Failed: func(error) { close(once) }})
	if len(written) == 0 || len(failed) == 0 || !strings.Contains(failed[0].Error(), "recording goes on") ||
		!strings.Contains(failed[0].Error(), "request.latency > 150ms") {
		t.Errorf("%v, %v", written, failed)
	}
}

// TestFull: a directory that is full is an error that says what to do; nothing is left, and recording goes on.
func TestFull(t *testing.T) {
	t.Parallel()
	testenv.NeedRoot(t)
	testenv.NeedTools(t, "mount", "umount")
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "full", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	f, once := noise(), make(chan struct{})
	tellOnce := sync.OnceFunc(func() { close(once) })
	tell := f.tell
	f.tell = func(s trace.Sink, now func() int64) error {
		err := tell(s, now)
		<-once
		time.Sleep(5 * time.Second / 2) // what did not fit is forgotten then
		return errors.Join(err, requests(1, 1, 1).tell(s, now))
	}
	written, failed := run(t, f, Options{Keep: 100 * time.Millisecond, Dir: dir, Duration: 6 * time.Second, Size: 64 << 20,
		When:   when(t, "request.bytes > 512M", "request.latency > 150ms"),
		Failed: func(error) { tellOnce() }})
	if len(failed) != 1 || !errors.Is(failed[0], unix.ENOSPC) || !strings.Contains(failed[0].Error(), "--max-disk") ||
		!strings.Contains(failed[0].Error(), "recording goes on") {
		t.Errorf("%v", failed)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(written) != 1 || len(left) != 1 {
		t.Errorf("%v, %v, %v", written, left, err)
	}
}

// TestOwn: what the recorder writes itself triggers nothing, whoever sends it to the device, and is marked.
func TestOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := newSource(func(s trace.Sink, now func() int64) error {
		err := errors.Join(s.Device(&trace.Device{ID: 5, Name: "sda"}),
			s.File(&trace.File{ID: 3, Path: dir + "/#123", Type: trace.FileRegular}),
			s.File(&trace.File{ID: 4, Path: dir + "/mine", Type: trace.FileRegular}))
		time.Sleep(time.Second)
		for _, r := range []trace.Request{{PID: uint32(os.Getpid())}, {PID: 1, File: 3}, {PID: 1, File: 4}} {
			r.Completed = now()
			r.Queued, r.Issued, r.Device, r.Op = -1, r.Completed-200*ms, 5, trace.ReqWrite
			err = errors.Join(err, s.Request(&r))
		}
		return err
	})
	written, _ := run(t, f, Options{Keep: time.Minute, When: when(t, "request.latency > 150ms"), Dir: dir,
		Duration: 3 * time.Second})
	if len(written) != 1 || written[0].Trigger.File != dir+"/mine" || written[0].Trigger.Repeats != 0 {
		t.Fatalf("%+v", written)
	}
	_, list, _ := read(t, written[0].Path)
	for i := range list {
		if own := list[i].Flags&trace.ReqRecorder != 0; own != (i < 2) {
			t.Errorf("%+v is marked: %v", list[i], own)
		}
	}
	if len(list) != 3 {
		t.Errorf("%d requests", len(list))
	}
}
