package fio

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/internal/output"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// known is a trace with one operation of each sort, some of which fio cannot do.
func known(t *testing.T, path string) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := tracefile.NewWriter(out, trace.Header{OS: "linux", Calls: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	call := func(op trace.Op, start, took int64, file trace.FileID, offset, result int64, flags trace.IOFlags) error {
		return w.Syscall(&trace.Syscall{Start: start, Duration: took, PID: 7, TID: 7, Op: op, File: file, Offset: offset,
			Offset2: trace.NoOffset, Requested: 4096, Result: result, Flags: flags, FD: 3, FD2: -1})
	}
	for _, err := range []error{
		w.File(&trace.File{ID: 1, Path: "/a/old name", Device: 1, Inode: 5, Type: trace.FileRegular, Size: 9000}),
		w.File(&trace.File{ID: 2, Path: "/a/pipe", Device: 1, Inode: 6, Type: trace.FilePipe}),
		w.File(&trace.File{ID: 3, Path: "/a/new", Device: 1, Inode: 5, Type: trace.FileRegular}),
		call(trace.OpRead, 2_000_000, 5000, 1, 8192, 100, 0),
		call(trace.OpRead, 2_500_000, 5000, 2, 0, 100, 0),              // a pipe
		call(trace.OpWrite, 2_600_000, 5000, 3, trace.NoOffset, 10, 0), // nobody knows where
		call(trace.OpWrite, 2_700_000, 5000, 3, 0, -28, 0),
		call(trace.OpWrite, 4_000_000, 5000, 3, 0, 4096, trace.FlagDirect),
		call(trace.OpRead, 1_000_000, 8_000_000, 1, 0, 4096, 0), // began first
		call(trace.OpSync, 9_500_000, 1000, 3, trace.NoOffset, 0, 0),
		w.Close(trace.End{Duration: 10_000_000}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// files are what is written of that trace.
var files = map[string]string{
	"t.iolog": `fio version 3 iolog
1 0000-old_name add
1 0000-old_name open
1 0000-old_name read 0 4096
1001 0000-old_name read 8192 100
8501 0000-old_name sync 0 0
`,
	"t-direct.iolog": `fio version 3 iolog
3001 0000-old_name add
3001 0000-old_name open
3001 0000-old_name write 0 4096
`,
	"t.fio": `# Replays what was recorded: fio FILE, in this directory or a copy of it (fio 3.31 or later).
# The files are made there, never where they were; those that were read are filled first.
# 1 operations are left out: their offsets are not known.

[make 0000-old_name]
filename=0000-old_name
size=8292
rw=read
bs=1,1m
create_only=1

[replay t]
# 2 reads, 0 writes and 1 syncs in 0.009 s
stonewall=1
read_iolog=t.iolog
number_ios=2
ioengine=io_uring
iodepth=2
force_async=1

[replay t-direct]
# 0 reads, 1 writes and 0 syncs in 0.000 s
read_iolog=t-direct.iolog
number_ios=1
ioengine=psync
direct=1
`}

// What fio cannot do is left out, the rest comes in the order of its starts, by file and way.
func TestJobsLog(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.iotrace")
	known(t, path)
	if _, err := ExportLog(path, "t", output.Destination{Files: output.NewTree(dir, nil, nil)}); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// Where little was in flight together fio does one after the other: it begins each on time then.
func TestLittleAtOnceIsReplayedOneByOne(t *testing.T) {
	for engine, longest := range map[string]int64{"psync": 1_500_000, "io_uring": 4_000_000} {
		dir := t.TempDir()
		path := filepath.Join(dir, "t.iotrace")
		twoThreads(t, path, longest)
		if _, err := ExportLog(path, "t", output.Destination{Files: output.NewTree(dir, nil, nil)}); err != nil {
			t.Fatal(err)
		}
		job, err := os.ReadFile(filepath.Join(dir, "t.fio"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(job), "ioengine="+engine+"\n") {
			t.Errorf("%v ns for one of 100 writes, not by %s:\n%s", longest, engine, job)
		}
	}
}

// What were calls of threads is left to threads of the kernel, as far as there are enough for so many at once; and what
// it takes to submit an operation is made up for, where pauses are long enough for that.
func TestSubmitting(t *testing.T) {
	const us = 1000
	for _, test := range []struct {
		name        string
		depth       int64
		apart       int64 // an operation begins so long after the one before
		submitted   bool
		force, time string
	}{
		{"eight threads", 8, 250 * us, false, "1", "104"},
		{"eight threads, fewer operations", 8, 560 * us, false, "1", "102"},
		{"more than there are threads for", 9, 250 * us, false, "", "104"},
		{"a program that submits", 8, 250 * us, true, "", "104"},
		{"long pauses", 2, 5000 * us, false, "1", ""},
		{"short ones", 2, 50 * us, false, "1", "110"},
		{"none", 2, 5 * us, false, "1", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newShape()
			f := &file{}
			for i := range int64(1000) {
				s.add(&operation{action: read, file: f, start: i * test.apart, end: (i + test.depth) * test.apart, length: 4096,
					submitted: test.submitted})
			}
			s.flight.Finish()
			var b bytes.Buffer
			w := settings{bufio.NewWriter(&b)}
			w.replay(s, direct)
			w.w.Flush()
			for key, want := range map[string]string{"force_async": test.force, "replay_time_scale": test.time} {
				_, after, _ := strings.Cut(b.String(), "\n"+key+"=")
				if got, _, _ := strings.Cut(after, "\n"); got != want {
					t.Errorf("%s=%q, want %q", key, got, want)
				}
			}
		})
	}
}

// twoThreads is a trace of two threads that take turns, one write a millisecond; one of them takes longer.
func twoThreads(t *testing.T, path string, longest int64) {
	t.Helper()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := tracefile.NewWriter(out, trace.Header{OS: "linux", Calls: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	err = w.File(&trace.File{ID: 1, Path: "/a/file", Device: 1, Inode: 5, Type: trace.FileRegular})
	for i := range int64(100) {
		took := int64(50_000)
		if i == 50 {
			took = longest
		}
		err = errors.Join(err, w.Syscall(&trace.Syscall{Start: i * 1_000_000, Duration: took, PID: 7, TID: uint32(7 + i%2),
			Op: trace.OpWrite, File: 1, Offset: 4096 * i, Offset2: trace.NoOffset, Requested: 4096, Result: 4096, FD: 3,
			FD2: -1}))
	}
	if err = errors.Join(err, w.Close(trace.End{Duration: 100_000_000})); err != nil {
		t.Fatal(err)
	}
}

// fio takes the jobs of all recordings.
func TestJobsAreFio(t *testing.T) {
	testenv.NeedTools(t, "fio")
	recordings, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(recordings) < 10 {
		t.Fatalf("%d recordings, %v", len(recordings), err)
	}
	jobs := 0
	for _, path := range recordings {
		dir := t.TempDir()
		to := output.Destination{Files: output.NewTree(dir, nil, nil)}
		if _, err := ExportLog(path, "replay", to); err != nil && !errors.Is(err, errNothing) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := ExportJob(path, "like", to); err != nil && !errors.Is(err, errNothing) {
			t.Errorf("%s: %v", path, err)
		}
		for _, job := range []string{"replay.fio", "like.fio"} {
			c := exec.Command("fio", "--parse-only", job)
			c.Dir = dir
			if _, err := os.Stat(filepath.Join(dir, job)); err != nil {
				continue
			}
			jobs++
			if out, err := c.CombinedOutput(); err != nil || strings.Contains(string(out), "dropped") {
				t.Errorf("%s of %s: %v\n%s", job, path, err, out)
			}
		}
	}
	if jobs < 16 {
		t.Errorf("%d jobs of %d recordings", jobs, len(recordings))
	}
}
