package tracefile

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

var update = flag.Bool("update", false, "write the golden trace anew; never after the format was released")

const goldenPath = "testdata/v1.iotrace"

var goldenHeader = trace.Header{
	Version: 1, Tool: "iotrace test", Backend: "ebpf", OS: "linux", Kernel: "6.18.0", Arch: "amd64", Host: "golden",
	WallStart: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), CPUs: 2, Memory: 1 << 34,
	Command: []string{"cp", "a\xff", "b"}, Dir: "/data", Scope: "command", Calls: []string{"read", "write"},
	Limits: []trace.Limit{{Code: "no_faults", Text: "for a test"}},
}

// goldenEvents are the events of the golden trace, by batch.
func goldenEvents() [][]any {
	var batches [][]any
	for i := range 3 {
		batches = append(batches, sampleEvents(i))
	}
	// Columns of every width and prediction, two threads, and the edges.
	var storm []any
	x := uint64(1)
	for i := range int64(300) {
		x = x*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator
		storm = append(storm, &trace.Syscall{Start: 10_000 + 500*i + int64(x>>56), Duration: 100 + int64(x>>48&255), PID: 1,
			TID: uint32(1 + x>>63), Op: trace.OpRead + trace.Op(i&1), Call: uint16(i & 1), Flags: trace.IOFlags(x >> 44),
			FD: int32(3 + i&1), FD2: -1, File: trace.FileID(1 + i&1), Offset: 4096 * i, Offset2: trace.NoOffset, Requested: 4096,
			Result: 4096, Filled: int64(x)})
	}
	edges := []any{
		&trace.Syscall{Start: -1 << 63, Duration: 1<<63 - 1, Op: 255, Call: 1<<16 - 1, FD: -1 << 31, Result: -1 << 63,
			Requested: 1<<63 - 1},
		&trace.Process{Args: string(make([]byte, 1000)), Command: "\xff\xfe\n</script>", Status: -1, UID: 1<<32 - 1},
		&trace.File{Path: "", Inode: 1<<64 - 1, Size: -1, Flags: 255},
		&trace.Lost{From: 5, To: -5, Count: 1<<64 - 1, Kind: 77, CPU: -1},
	}
	return append(batches, storm, edges)
}

// Every later version must read what version 1 wrote.
func TestGolden(t *testing.T) {
	if *update {
		var file bytes.Buffer
		w := create(t, &file, goldenHeader)
		for _, batch := range goldenEvents() {
			for _, e := range batch {
				if err := write(w, e); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(trace.End{Duration: 123, CommandEnd: 100, Durable: -1, ExitCode: 1, Reason: "exit"}); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(goldenPath, file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(goldenPath)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if d := cmp.Diff(goldenHeader, f.Header()); d != "" {
		t.Errorf("header differs:\n%s", d)
	}
	unchecked(f.Reader)
	batches := readAll(t, f)
	for i, events := range goldenEvents() {
		if i >= len(batches) {
			t.Fatalf("%d batches", len(batches))
		}
		if d := diff(gather(events), batches[i]); d != "" {
			t.Errorf("batch %d differs:\n%s", i+1, d)
		}
	}
	end, ok := f.Reader.End()
	if !ok || end.Duration != 123 || end.ExitCode != 1 || end.Counts["syscall"] != 307 || len(f.Damage()) > 0 {
		t.Error(end, ok, f.Damage())
	}
}

// cp.iotrace is a recording of "cp /etc/services copy".
func TestRecordedTrace(t *testing.T) {
	f, err := Open("testdata/cp.iotrace")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := join(readAll(t, f))
	end, ok := f.Reader.End()
	if !ok || end.Reason != "exit" || len(f.Damage()) > 0 {
		t.Error(ok, end, f.Damage())
	}
	for _, k := range trace.KindOrder {
		if n := layouts[k].count(b); uint64(n) != end.Counts[k.String()] {
			t.Errorf("%d events of kind %s, the end says %d", n, k, end.Counts[k.String()])
		}
	}
	files := map[trace.FileID]string{}
	for _, file := range b.Files {
		files[file.ID] = file.Path
	}
	var written int64
	for i := range b.Syscalls {
		if s := &b.Syscalls[i]; strings.HasSuffix(files[s.File2], "/copy") || strings.HasSuffix(files[s.File], "/copy") {
			written += s.Bytes()
		}
	}
	if written != 12813 {
		t.Errorf("%d bytes were written to the copy", written)
	}
}

// The specification suffices to write another reader: testdata/read.py was
// written from it, and must find the same events.
func TestIndependentReader(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		testenv.Missing(t, "python3 is not installed")
	}
	for _, path := range []string{goldenPath, "testdata/cp.iotrace"} {
		out, err := exec.Command(python, "testdata/read.py", path).Output()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 77 {
			testenv.Missing(t, "neither the zstd command nor a zstd module of Python is installed")
		} else if ok {
			t.Fatalf("%s: %v\n%s", path, err, exit.Stderr)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		unchecked(f.Reader)
		b := reflect.ValueOf(join(readAll(t, f))).Elem()
		want := map[string][]any{}
		for i := range b.NumField() {
			if !b.Type().Field(i).IsExported() {
				continue
			}
			for j := range b.Field(i).Len() {
				e := b.Field(i).Index(j)
				kind := strings.ToLower(e.Type().Name())
				want[kind] = append(want[kind], plain(e))
			}
		}
		if d := cmp.Diff(want, decodeLines(t, out)); d != "" {
			t.Errorf("%s: events differ (-here +there):\n%s", path, d)
		}
	}
}

// decodeLines is the output of read.py by kind.
func decodeLines(t *testing.T, out []byte) map[string][]any {
	t.Helper()
	events := map[string][]any{}
	lines := json.NewDecoder(bytes.NewReader(out))
	lines.UseNumber()
	for {
		var line struct {
			Kind  string
			Event any
		}
		if err := lines.Decode(&line); errors.Is(err, io.EOF) {
			return events
		} else if err != nil {
			t.Fatal(err)
		}
		events[line.Kind] = append(events[line.Kind], line.Event)
	}
}

// plain is v as decoded JSON: strings in hexadecimal, numbers as digits.
func plain(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Struct:
		m := map[string]any{}
		for i := range v.NumField() {
			m[v.Type().Field(i).Name] = plain(v.Field(i))
		}
		return m
	case v.Kind() == reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, plain(v.Index(i)))
		}
		return list
	case v.Kind() == reflect.String:
		return hex.EncodeToString([]byte(v.String()))
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.CanInt():
		return json.Number(strconv.FormatInt(v.Int(), 10))
	}
	return json.Number(strconv.FormatUint(v.Uint(), 10))
}
