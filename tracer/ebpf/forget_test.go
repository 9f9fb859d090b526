//go:build linux

package ebpf

import (
	"context"
	"fmt"
	"path"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// However many files come and go, those of the last turns are known, and no others: but for those that are announced
// again, that a mapping is of, or that the probes know by a mark without a name.
func TestFilesAge(t *testing.T) {
	const each, turns = 200, 100
	table := newFileTable()
	table.mounts.list = []host.Mount{{Major: 8, Minor: 1, Root: "/", Point: "/"}}
	next := uint32(0)
	tell := func(name string, inode uint64, as func(*iotraceIdent)) (trace.File, bool) {
		next++
		record, names := ident(next, inode, name)
		as(record)
		return table.announce(record, names, 0)
	}
	plain := func(*iotraceIdent) {}
	disk := func(r *iotraceIdent) { r.Mode = 0o060644 }
	sda, _ := tell("sda", 1, disk)
	mapped, _ := tell("mapped", 2, plain)
	hot, _ := tell("hot", 3, plain)
	cold, _ := tell("cold", 4, plain)
	held := mappings{7: {{file: mapped.ID}}}
	var gone []trace.FileID
	var before []uint32 // the last numbers as the last turns began
	for turn := range turns {
		for n := range each {
			tell(fmt.Sprint("new", turn, "-", n), uint64(100+turn*each+n), plain)
			table.named(fmt.Sprint("/missing", turn, "-", n), 0)
		}
		if again, fresh := tell("hot", 3, plain); fresh || again.ID != hot.ID {
			t.Fatalf("turn %d: the file in use is %d, new: %t", turn, again.ID, fresh)
		}
		if asked, fresh := table.named("/named", 0); fresh && turn > 0 {
			t.Fatalf("turn %d: the name in use is %d, new", turn, asked.ID)
		}
		now, valid := table.age(held.files())
		if gone = append(gone, now...); turn >= validFor && valid != before[0]+1 {
			t.Fatalf("turn %d: the first valid number is %d, want %d", turn, valid, before[0]+1)
		}
		before = append(before, next)
		before = before[max(0, len(before)-validFor):]
		if names, most := table.names.kept(), 2*each*(remembered+1)+5; names > most {
			t.Fatalf("turn %d: %d names, want at most %d", turn, names, most)
		}
		if paths := table.byPath.kept(); paths != table.names.kept() {
			t.Fatalf("turn %d: %d paths", turn, paths)
		}
	}
	slices.Sort(gone)
	if all := 2 * each * (turns - remembered); len(gone) < all || len(slices.Compact(slices.Clone(gone))) != len(gone) {
		t.Errorf("%d files are gone, of at least %d", len(gone), all)
	}
	for _, id := range []trace.FileID{sda.ID, mapped.ID, hot.ID} {
		if slices.Contains(gone, id) || table.path(id) == "" {
			t.Errorf("file %d is gone", id)
		}
	}
	if again, fresh := tell("cold", 4, plain); !fresh || again.ID == cold.ID || !slices.Contains(gone, cold.ID) {
		t.Errorf("the file that was not used is %d, new: %t", again.ID, fresh)
	}
}

// kept is how many values are.
func (r *recent[K, V]) kept() (n int) {
	for range r.all() {
		n++
	}
	return n
}

// Files that others leave no room for age as well.
func TestCrowdedFilesAge(t *testing.T) {
	const each, turns = 2 * knownFiles, 20
	table := newFileTable()
	table.mounts.list = []host.Mount{{Major: 8, Minor: 1, Root: "/", Point: "/"}}
	table.age(nil)
	gone, lost := 0, map[trace.FileID]bool{}
	for turn := range turns {
		for n := range each {
			table.named(fmt.Sprint("/", turn, "-", n), 0)
			if f, _ := table.named("/hot", 0); lost[f.ID] {
				t.Fatalf("turn %d: the name in use is that of a file that is gone", turn)
			}
		}
		now, _ := table.age(nil)
		gone += len(now)
		for _, id := range now {
			lost[id] = true
		}
		if told, left := (turn+1)*each, (remembered+1)*each; told-gone > left {
			t.Fatalf("turn %d: %d of %d files are gone, want all but %d", turn, gone, told, left)
		}
	}
}

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
