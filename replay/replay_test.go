package replay

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

const reg = trace.FileRegular

// record writes a trace of calls on files and returns its path.
func record(t *testing.T, files []trace.File, calls []trace.Syscall, async []trace.AsyncOp, lost uint64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.iotrace")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := tracefile.NewWriter(out, trace.Header{OS: "linux", Calls: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		err = errors.Join(err, w.File(&files[i]))
	}
	for i := range calls {
		err = errors.Join(err, w.Syscall(&calls[i]))
	}
	for i := range async {
		err = errors.Join(err, w.AsyncOp(&async[i]))
	}
	if lost > 0 {
		err = errors.Join(err, w.Lost(&trace.Lost{To: 100, Count: lost, Kind: trace.KindSyscall}))
	}
	if err := errors.Join(err, w.Close(trace.End{}), out.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func call(op trace.Op, tid uint32, file trace.FileID, start, took, offset, n int64) trace.Syscall {
	return trace.Syscall{Op: op, PID: 1, TID: tid, File: file, Start: start, Duration: took, Offset: offset,
		Offset2: trace.NoOffset, Requested: n, Result: n, FD: 3, FD2: -1}
}

// pipeline is a copy by two threads: one reads, the other writes what was read
// before, and syncs.
func pipeline(t *testing.T) string {
	return record(t, []trace.File{{ID: 1, Path: "/data/in", Type: reg, Size: 300}, {ID: 2, Path: "/data/out", Type: reg},
		{ID: 3, Path: "/usr/lib/x.so", Type: reg, Size: 9}},
		[]trace.Syscall{
			call(trace.OpRead, 1, 3, 0, 5, 0, 9), // of the system: left out
			call(trace.OpRead, 1, 1, 10, 10, trace.NoOffset, 100),
			call(trace.OpRead, 1, 1, 30, 10, trace.NoOffset, 200),
			call(trace.OpWrite, 2, 2, 35, 10, trace.NoOffset, 100),
			call(trace.OpWrite, 2, 2, 60, 10, trace.NoOffset, 200),
			call(trace.OpSync, 2, 2, 75, 10, trace.NoOffset, 0),
			call(trace.OpClose, 1, 2, 90, 1, trace.NoOffset, 0),
		}, nil, 0)
}

func TestProgram(t *testing.T) {
	p, err := Load(pipeline(t))
	if err != nil {
		t.Fatal(err)
	}
	if p.Threads != 2 || len(p.Files) != 2 || p.Bytes != 600 || p.WallNS != 81 || len(p.Ops) != 6 {
		t.Fatalf("%+v", p)
	}
	first, second := p.Ops[2], p.Ops[3]
	if first.Kind != trace.OpWrite || len(first.After) != 1 || first.After[0] != 0 || first.Pause != 15 {
		t.Errorf("the first write waits for the first read, then 15 ns: %+v", first)
	}
	if second.Offset != 100 || len(second.After) != 1 || second.After[0] != 1 || second.Pause != 15 {
		t.Errorf("the second write waits for the second read and follows the first: %+v", second)
	}
	if last := p.Ops[5]; len(last.After) != 1 || p.Ops[last.After[0]].Kind != trace.OpSync {
		t.Errorf("the close waits for the sync of the other thread: %+v", last)
	}
}

func TestRun(t *testing.T) {
	p, err := Load(pipeline(t))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if all, err := Repeat(t.Context(), p, Options{Dir: dir, ASAP: true}, 3); err != nil || len(all) != 3 ||
		!all[2].SameSizes {
		t.Fatal(all, err)
	}
	for _, asap := range []bool{false, true} {
		r, err := Run(t.Context(), p, Options{Dir: dir, ASAP: asap})
		if err != nil {
			t.Fatal(err)
		}
		if !r.SameSizes || !r.SameOrder || r.Replayed.Bytes != 600 || r.Replayed.Ops != 6 ||
			r.Replayed.SizeP50 != r.Recorded.SizeP50 || r.Wall <= 0 {
			t.Errorf("%+v", r)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, p, Options{Dir: dir}); !errors.Is(err, context.Canceled) {
		t.Error("a cancelled replay gave", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error("left behind:", left)
	}
	theirs := filepath.Join(dir, own.Name)
	if err := errors.Join(os.Mkdir(theirs, 0o700), os.WriteFile(theirs+"/file-0000000", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), p, Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "not made by") {
		t.Error("a directory of somebody else was used:", err)
	}
	if _, err := os.Stat(theirs + "/file-0000000"); err != nil {
		t.Error(err)
	}
}

// sessionIn is a run in a directory of its own.
func sessionIn(t *testing.T, p *Program) *session {
	t.Helper()
	space, err := output.OpenWorkspace(t.TempDir(), &own)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := space.Close(); err != nil {
			t.Error(err)
		}
	})
	s := newSession(p, Options{ASAP: true})
	if err := s.makeDir(space, dirName(0)); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWritesLandWhereRecorded replays into a directory that is looked at before
// it is cleaned.
func TestWritesLandWhereRecorded(t *testing.T) {
	p, err := Load(pipeline(t))
	if err != nil {
		t.Fatal(err)
	}
	s := sessionIn(t, p)
	if err := errors.Join(s.prepare(t.Context()), s.run(t.Context())); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{300, 300} {
		if info, err := os.Stat(s.files[i].path()); err != nil || info.Size() != want {
			t.Errorf("file %d: %v %v, want %d bytes", i, info, err, want)
		}
	}
	for i, o := range p.Ops { // whoever waits begins after what it waits for
		for _, j := range o.After {
			if s.at[i] < s.at[j]+s.took[j] {
				t.Errorf("operation %d began %d ns before %d ended", i, s.at[j]+s.took[j]-s.at[i], j)
			}
		}
	}
	if err := s.clean(); err != nil {
		t.Fatal(err)
	}
}

// TestNames: a file that is written under a passing name, looked at, changed and
// renamed over another, and one that is removed; pages of a mapped file. Numbers
// of the same inode are one file.
func TestNames(t *testing.T) {
	fs := []trace.File{
		{ID: 1, Path: "/data/tmp", Type: reg, Inode: 11}, {ID: 2, Path: "/data/final", Type: reg, Inode: 12, Size: 50},
		{ID: 3, Path: "/data/final", Type: reg, Inode: 11, Size: 100},
		{ID: 4, Path: "/data/gone", Type: reg, Inode: 14, Size: 9000},
	}
	open := call(trace.OpOpen, 1, 1, 0, 5, trace.NoOffset, 0)
	open.Flags = trace.FlagCreate
	renamed := call(trace.OpRename, 1, 1, 50, 5, trace.NoOffset, 0)
	renamed.File2 = 2
	xattr := call(trace.OpXattr, 1, 1, 42, 3, trace.NoOffset, 0)
	p, err := Load(record(t, fs, []trace.Syscall{
		open, call(trace.OpWrite, 1, 1, 10, 5, 0, 100), call(trace.OpAttr, 1, 1, 20, 5, trace.NoOffset, 0),
		call(trace.OpStat, 1, 1, 30, 5, trace.NoOffset, 0), xattr,
		renamed, call(trace.OpRead, 1, 3, 60, 5, 0, 100), call(trace.OpUnlink, 1, 4, 80, 5, trace.NoOffset, 0),
	}, nil, 0))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Files) != 3 || len(p.Ops) != 7 || p.Omitted != 1 || p.OmittedNS != 3 || p.Ops[4].Pause != 15 {
		t.Fatalf("%+v", p)
	}
	p.Ops = append(p.Ops, Op{Kind: touch, File: 0, File2: -1, Offset: 0},
		Op{Kind: touch, File: 0, File2: -1, Offset: 1 << 30})
	s := sessionIn(t, p)
	if err := errors.Join(s.prepare(t.Context()), s.run(t.Context())); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(s.dir.Path(), "file-0000001")); err != nil || info.Size() != 100 {
		t.Errorf("the name of the file that was replaced: %v %v, want 100 bytes", info, err)
	}
	for _, name := range []string{"file-0000000", "file-0000002"} {
		if _, err := os.Stat(filepath.Join(s.dir.Path(), name)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is still there (%v)", name, err)
		}
	}
	if err := s.clean(); err != nil {
		t.Fatal(err)
	}
}

// TestExchange: two files get each other's names, and each keeps its data.
func TestExchange(t *testing.T) {
	fs := []trace.File{
		{ID: 1, Path: "/data/a", Type: reg, Inode: 11, Size: 100}, {ID: 2, Path: "/data/b", Type: reg, Inode: 12, Size: 50},
		{ID: 3, Path: "/data/b", Type: reg, Inode: 11, Size: 100},
	}
	exchanged := call(trace.OpRename, 1, 1, 50, 5, trace.NoOffset, 0)
	exchanged.File2, exchanged.Flags = 2, trace.FlagExchange
	p, err := Load(record(t, fs, []trace.Syscall{
		call(trace.OpRead, 1, 1, 0, 5, 0, 100), call(trace.OpRead, 1, 2, 10, 5, 0, 50), exchanged,
		call(trace.OpWrite, 1, 3, 60, 5, 100, 20),
	}, nil, 0))
	if err != nil {
		t.Fatal(err)
	}
	s := sessionIn(t, p)
	if err := errors.Join(s.prepare(t.Context()), s.run(t.Context())); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int64{"file-0000000": 50, "file-0000001": 120} {
		if info, err := os.Stat(filepath.Join(s.dir.Path(), name)); err != nil || info.Size() != size {
			t.Errorf("%s: %v %v, want %d bytes", name, info, err, size)
		}
	}
	if err := s.clean(); err != nil {
		t.Fatal(err)
	}
}

func TestAsync(t *testing.T) {
	var ops []trace.AsyncOp
	for i := range int64(4) { // two in flight
		ops = append(ops, trace.AsyncOp{TID: 1, PID: 1, Op: trace.OpWrite, API: trace.APIUring, File: 1, Offset: i * 10,
			Requested: 10, Result: 10, Submit: i / 2 * 10, Complete: i/2*10 + 10})
	}
	ops = append(ops, trace.AsyncOp{TID: 1, PID: 1, Op: trace.OpSyncRange, API: trace.APIUring, File: 1, Submit: 30,
		Complete: 35}, trace.AsyncOp{TID: 1, PID: 1, Op: trace.OpRename, API: trace.APIUring, File: 1, File2: 2, Submit: 40,
		Complete: 45})
	p, err := Load(record(t, []trace.File{{ID: 1, Path: "/data/f", Type: reg}, {ID: 2, Path: "/data/g", Type: reg}}, nil,
		ops, 0))
	if err != nil {
		t.Fatal(err)
	}
	if last := p.Ops[len(p.Ops)-1]; last.Kind != trace.OpRename || last.File2 < 0 {
		t.Errorf("%+v, want a rename to a file's name", last)
	}
	if p.Threads != 2 || p.Bytes != 40 || len(p.Ops) != 5 || p.Omitted != 1 || p.OmittedNS != 5 {
		t.Errorf("%d threads, %d bytes, %d operations, %d omitted (%d ns); want 2, 40, 5 and 1, as it is not recorded which "+
			"range a sync was of and how", p.Threads, p.Bytes, len(p.Ops), p.Omitted, p.OmittedNS)
	}
}

// A pause ends with the run, however long it was to be.
func TestInterruptedPause(t *testing.T) {
	const hour = int64(time.Hour)
	p, err := Load(record(t, []trace.File{{ID: 1, Path: "/data/f", Type: reg, Size: 100}},
		[]trace.Syscall{call(trace.OpRead, 1, 1, 0, 5, 0, 50), call(trace.OpRead, 1, 1, hour, hour+5, 50, 50)}, nil, 0))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	dir := t.TempDir()
	if _, err := Run(ctx, p, Options{Dir: dir}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, left behind: %v", err, left)
	}
}

func TestNothingToReplay(t *testing.T) {
	f := []trace.File{{ID: 1, Path: "/data/f", Type: reg, Size: 100}}
	if _, err := Load(record(t, f, []trace.Syscall{call(trace.OpClone, 1, 1, 0, 5, 0, 0)}, nil, 0)); !errors.Is(err,
		ErrEmpty) {
		t.Error("a clone:", err)
	}
	_, err := Load(record(t, f, []trace.Syscall{call(trace.OpRead, 1, 1, 0, 5, 0, 50)}, nil, 7))
	if err == nil || !strings.Contains(err.Error(), "lost 7 calls") {
		t.Error("lost calls:", err)
	}
	p, err := Load(record(t, []trace.File{{ID: 1, Path: "/data/f", Type: reg, Size: 1 << 55}},
		[]trace.Syscall{call(trace.OpRead, 1, 1, 0, 5, 0, 50)}, nil, 0))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), p, Options{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "need") {
		t.Error("too little space:", err)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b []int64
		want float64
	}{
		{[]int64{1, 2, 3}, []int64{1, 2, 3}, 0}, {[]int64{1, 2}, []int64{3, 4}, 1},
		{[]int64{1, 1, 5, 5}, []int64{1, 5, 5, 5}, 0.25},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%v %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// Advice and syncs of ranges are replayed where it is known what was asked for.
func TestAdvice(t *testing.T) {
	advice, unknown, begin := call(trace.OpAdvise, 1, 1, 0, 5, 0, 0), call(trace.OpAdvise, 1, 1, 6, 5, 0, 0),
		call(trace.OpSyncRange, 1, 1, 60, 5, 4096, 8192)
	advice.Offset2, begin.Offset2 = 2, 2 // POSIX_FADV_SEQUENTIAL, SYNC_FILE_RANGE_WRITE
	p, err := Load(record(t, []trace.File{{ID: 1, Path: "/data/x", Type: reg, Size: 65536}},
		[]trace.Syscall{advice, unknown, call(trace.OpRead, 1, 1, 20, 10, 0, 65536), begin}, nil, 0))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Ops) != 3 || p.Omitted != 1 || p.Ops[0].Kind != trace.OpAdvise || p.Ops[0].Offset2 != 2 ||
		p.Ops[2].Kind != trace.OpSyncRange || p.Ops[2].Size != 8192 {
		t.Fatalf("%+v", p)
	}
	r, err := Run(context.Background(), p, Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if !r.SameSizes || !r.SameOrder || r.Replayed.Ops != 3 {
		t.Errorf("%+v", r)
	}
}

// What would take hours to plan is refused: nearly every operation would wait
// for one of each of a million threads.
func TestTangledProgramsAreRefused(t *testing.T) {
	const room = 1 << 20
	ops := make([]Op, room)
	if p := (&Program{Ops: ops, Threads: room}); !p.tangled(room) {
		t.Error("a thread for each operation is not too many")
	}
	if p := (&Program{Ops: ops, Threads: 64}); p.tangled(room) {
		t.Error("64 threads are too many")
	}
}

// A write that waited until its data was durable is one again: it leaves nothing to be written. With --no-fsync it is a
// write like others.
func TestSynchronousWrites(t *testing.T) {
	calls := []trace.Syscall{call(trace.OpWrite, 1, 1, 0, 10, 0, 4096), call(trace.OpWrite, 1, 1, 20, 10, 4096, 4096),
		call(trace.OpWrite, 1, 1, 40, 10, 8192, 4096), call(trace.OpRead, 1, 1, 60, 10, 0, 4096)}
	calls[1].Flags, calls[2].Flags = trace.FlagDSync, trace.FlagSync|trace.FlagDSync
	calls[3].Flags = trace.FlagDSync // the descriptor's
	async := []trace.AsyncOp{{API: trace.APIUring, Op: trace.OpWrite, TID: 1, PID: 1, File: 1, Submit: 80, Complete: 90,
		Offset: 0, Requested: 4096, Result: 4096, Flags: trace.FlagDSync}}
	p, err := Load(record(t, []trace.File{{ID: 1, Path: "/data/log", Type: reg}}, calls, async, 0))
	if err != nil {
		t.Fatal(err)
	}
	want := []trace.IOFlags{0, trace.FlagDSync, trace.FlagSync | trace.FlagDSync, 0, trace.FlagDSync}
	for i := range p.Ops {
		if p.Ops[i].Sync != want[i] {
			t.Errorf("operation %d waits by %v, want %v", i, p.Ops[i].Sync, want[i])
		}
	}
	if _, err := Run(context.Background(), p, Options{Dir: t.TempDir()}); err != nil {
		t.Error(err)
	}
}
