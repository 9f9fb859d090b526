package gap

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

func record(t *testing.T, files []trace.File, calls []trace.Syscall) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.iotrace")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := tracefile.NewWriter(out, trace.Header{OS: "linux", Calls: []string{"x"}})
	for i := range files {
		err = errors.Join(err, w.File(&files[i]))
	}
	for i := range calls {
		c := &calls[i]
		c.PID, c.TID, c.FD, c.FD2, c.Offset2 = 1, 1, 3, -1, trace.NoOffset
		err = errors.Join(err, w.Syscall(c))
	}
	if err := errors.Join(err, w.Close(trace.End{}), out.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func file(id trace.FileID, path string, size int64) trace.File {
	return trace.File{ID: id, Path: path, Type: trace.FileRegular, Size: size}
}

// copying is a copy of 100 MB by 1 MB blocks: 2 ms to read, 3 ms to write, 20 µs
// around each call and 200 ms of thinking in the middle, after a script and a
// library were read.
func copying() ([]trace.File, []trace.Syscall) {
	files := []trace.File{file(1, "/data/in", 100e6), file(2, "/data/out", 0), file(3, "/usr/lib/libc.so", 2e6),
		file(4, "/home/me/copy.py", 900)}
	calls := []trace.Syscall{
		{Op: trace.OpRead, File: 3, Start: 0, Duration: 1e6, Result: 832, Offset: trace.NoOffset},
		{Op: trace.OpRead, File: 4, Start: 5e6, Duration: 1e6, Result: 900, Offset: trace.NoOffset},
	}
	at := int64(1e9)
	for i := range int64(100) {
		if i == 50 {
			at += 200e6
		}
		calls = append(calls, trace.Syscall{Op: trace.OpRead, File: 1, Start: at, Duration: 2e6, Offset: i * 1e6,
			Requested: 1e6, Result: 1e6, Filled: 1e6})
		at += 2e6 + 20e3
		calls = append(calls, trace.Syscall{Op: trace.OpWrite, File: 2, Start: at, Duration: 3e6, Offset: i * 1e6,
			Requested: 1e6, Result: 1e6})
		at += 3e6 + 20e3
	}
	calls = append(calls, trace.Syscall{Op: trace.OpSync, File: 2, Start: at, Duration: 50e6, Offset: trace.NoOffset})
	return files, calls
}

func TestSurvey(t *testing.T) {
	w, err := Survey(record(t, files(copying()), calls(copying())))
	if err != nil {
		t.Fatal(err)
	}
	if !w.Copies() || w.Bytes != 100e6 || w.CallBytes != 200e6 || w.Files != 1 || w.Block != 1e6 || !w.Buffered ||
		w.Warm || !w.Fresh || w.Random || w.Syncs != 1 {
		t.Errorf("%+v", w)
	}
	near(t, "seconds", w.Seconds, 0.5+0.2+0.004+0.05, 1e-6)
	near(t, "think time", w.ThinkSeconds, 0.20002, 1e-6)
	near(t, "around a call", w.CallGap, 20e-6, 1e-6)
	near(t, "depth", w.Depth, 1, 1e-9)
	near(t, "latency", w.Latency, 0.0025, 1e-9)
	ids := ""
	for _, f := range Factors(w, direct) {
		ids += f.ID
	}
	if ids != "RQCADT" {
		t.Error("factors", ids)
	}
}

func files(f []trace.File, _ []trace.Syscall) []trace.File    { return f }
func calls(_ []trace.File, c []trace.Syscall) []trace.Syscall { return c }

// TestSmallFiles: allocation is part of what files cost, and a script is no payload.
func TestSmallFiles(t *testing.T) {
	fs := []trace.File{file(1, "/home/me/run.py", 300)}
	cs := []trace.Syscall{{Op: trace.OpRead, File: 1, Start: 0, Duration: 10, Result: 300, Offset: 0}}
	at := int64(1000)
	for i := range trace.FileID(1000) {
		fs = append(fs, file(i+2, "/data/f", 0))
		for _, op := range []trace.Op{trace.OpOpen, trace.OpWrite, trace.OpAttr, trace.OpClose} {
			c := trace.Syscall{Op: op, File: i + 2, Start: at, Duration: 10_000, Offset: trace.NoOffset}
			if op == trace.OpWrite {
				c.Result, c.Offset = 4096, 0
			}
			cs, at = append(cs, c), at+20_000
		}
	}
	w, err := Survey(record(t, fs, cs))
	if err != nil {
		t.Fatal(err)
	}
	if w.Files != 1000 || w.FileSize() != 4096 || w.MetaCalls != 3000 || w.ReadBytes != 0 {
		t.Fatalf("%+v", w)
	}
	all := Factors(w, direct)
	if got := Corner(direct, all, 1<<len(all)-1); got.FileSize != 4096 || got.Looks != 0 || got.Changes != 1 ||
		!got.Fresh {
		t.Errorf("%+v", got)
	}
	for _, f := range all {
		if f.ID == "A" || f.ID == "R" || f.ID == "P" {
			t.Error("not a difference of its own:", f.ID)
		}
	}
}

// TestKernelCopy: a copy by the kernel has no request size of its own, and is one
// in the cell too.
func TestKernelCopy(t *testing.T) {
	fs := []trace.File{file(1, "/data/in", 100e6), file(2, "/data/out", 0)}
	c := trace.Syscall{Op: trace.OpCopyRange, File: 1, File2: 2, Start: 0, Duration: 1e8, Offset: 0, Requested: 1 << 62,
		Result: 100e6, Filled: 100e6}
	w, err := Survey(record(t, fs, []trace.Syscall{c}))
	if err != nil {
		t.Fatal(err)
	}
	if !w.Copies() || !w.InKernel || !w.Buffered || w.Covered.Bytes != 1 {
		t.Fatalf("%+v", w)
	}
	all := Factors(w, direct)
	for _, f := range all {
		if f.ID == "B" {
			t.Error("a request size:", f)
		}
	}
	if got := Corner(direct, all, 1<<len(all)-1); !got.InKernel || !got.Read || !got.Buffered ||
		got.Block != direct.Block {
		t.Errorf("%+v", got)
	}
}

// TestFilesMakeTheSize: calls as large as the files allow are no difference of
// their own; smaller ones are.
func TestFilesMakeTheSize(t *testing.T) {
	for block, want := range map[int64]bool{4096: false, 512: true} {
		w := &Workload{Bytes: 4096e3, WriteBytes: 4096e3, CallBytes: 4096e3, Seconds: 1, Files: 1000, Block: block, Depth: 8,
			Fresh: true}
		found := false
		for _, f := range Factors(w, direct) {
			found = found || f.ID == "B"
		}
		if found != want {
			t.Errorf("calls of %d bytes: a factor %v, want %v", block, found, want)
		}
	}
}

// TestZeros: what was read from /dev/zero are zeros.
func TestZeros(t *testing.T) {
	zero := file(1, "/dev/zero", 0)
	zero.Type = trace.FileChar
	var cs []trace.Syscall
	for i := range int64(10) {
		cs = append(cs, trace.Syscall{Op: trace.OpRead, File: 1, Start: i * 100, Duration: 10, Result: 4096,
			Offset: trace.NoOffset},
			trace.Syscall{Op: trace.OpWrite, File: 2, Start: i*100 + 20, Duration: 50, Result: 4096, Offset: i * 4096})
	}
	w, err := Survey(record(t, []trace.File{zero, file(2, "/data/out", 0)}, cs))
	if err != nil {
		t.Fatal(err)
	}
	if w.Copies() || w.Compressible != 1 {
		t.Fatalf("%+v", w)
	}
	last := func(s Setting) string { all := Factors(w, s); return all[len(all)-1].ID }
	if last(direct) != "Z" {
		t.Error("zeros are a difference to a benchmark that writes none")
	}
	zeros := direct
	zeros.Compressible = 1
	if last(zeros) == "Z" {
		t.Error("zeros are no difference to a benchmark that writes them")
	}
}

// TestWithoutRecorder: what the probes took is no part of the workload.
func TestWithoutRecorder(t *testing.T) {
	w, err := Survey(record(t, files(copying()), calls(copying())))
	if err != nil {
		t.Fatal(err)
	}
	before := w.Seconds
	w.WithoutRecorder(5e-6)
	near(t, "seconds", before-w.Seconds, 201*5e-6, 1e-9)
	near(t, "recorder", w.RecorderSeconds, 201*5e-6, 1e-9)
	near(t, "around a call", w.CallGap, 15e-6, 1e-6)
	w.CoverFrom(2 * before)
	near(t, "covered", w.Covered.Seconds, 0.5, 1e-9)
}

func TestNoPayload(t *testing.T) {
	_, err := Survey(record(t, []trace.File{file(1, "/data/f", 9)},
		[]trace.Syscall{{Op: trace.OpClone, File: 1, Start: 0, Duration: 5}}))
	if !errors.Is(err, ErrNoPayload) {
		t.Error(err)
	}
}

// TestAnswers are those that need no experiment.
func TestAnswers(t *testing.T) {
	copied := &Workload{Bytes: 1e9, ReadBytes: 1e9, WriteBytes: 1e9, CallBytes: 2e9, Seconds: 1e9 / 1980e6, Files: 1,
		Block: 1 << 20, Depth: 1}
	fast := &Workload{Bytes: 1e9, WriteBytes: 1e9, CallBytes: 1e9, Seconds: 1e9 / 4500e6, Files: 1, Block: 1 << 20,
		Depth: 8}
	slowest := *copied
	slowest.Seconds = 1e9 / 2350e6
	b := Benchmark{}
	b.Read.Value, b.Write.Value = 5085e6, 4400e6
	clone := &profile.Profile{Copies: []profile.Copy{{Method: "reflink", Bytes: 1e9}}}
	lossy := &profile.Profile{Lost: profile.Lost{Total: 3, Kinds: map[string]uint64{"syscall": 3}}}
	fewer := &profile.Profile{Lost: profile.Lost{Total: 3, Kinds: map[string]uint64{"request": 3}}}
	for _, c := range []struct {
		name string
		p    *profile.Profile
		w    *Workload
		b    Benchmark
		want string
	}{
		{"a clone moved nothing", clone, nil, b, "cloned"},
		{"nothing was moved", &profile.Profile{}, nil, b, "no_gap"},
		{"calls were lost", lossy, copied, b, "lost"},
		{"requests were lost", fewer, copied, b, "differences"},
		{"the serial bound explains it", &profile.Profile{}, &slowest, b, "bound"},
		{"faster than the benchmark", &profile.Profile{}, fast, b, "no_gap"},
		{"an experiment is needed", &profile.Profile{}, copied, b, "differences"},
		{"nothing known of the benchmark", &profile.Profile{}, copied, Benchmark{}, "differences"},
	} {
		r := Views(c.p, c.w, direct, c.b)
		if r.Answer.Code != c.want || r.Settled() != (c.want != "differences") {
			t.Errorf("%s: %+v, want %s", c.name, r.Answer, c.want)
		}
	}
	near(t, "read share", Views(&profile.Profile{}, copied, direct, b).ReadShare, 0.70796, 2e-5)
}
