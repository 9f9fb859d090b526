package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/convert/formats"
	"github.com/iotrace/iotrace/internal/samples"
	"github.com/iotrace/iotrace/replay"
)

// What docs/trace-format.md promises of any file of at most 10 MB.
const (
	hostileMemory = 600 << 20
	hostileTime   = 10 * time.Second
)

// originals are the real recordings that are changed.
func originals(t testing.TB) (files [][]byte) {
	t.Helper()
	paths, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recordings:", err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) < 16_000 { // the others take long
			files = append(files, b)
		}
	}
	return files
}

// bounded runs f. What takes more memory or more CPU time than promised, or
// never ends, ends the process: nothing else stops an allocation without bound.
func bounded(what string, f func()) {
	done := make(chan struct{})
	defer close(done)
	began := cpuTime()
	go func() {
		heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for {
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
			metrics.Read(heap)
			n, took := heap[0].Value.Uint64(), cpuTime()-began
			if n > hostileMemory || took > hostileTime {
				debug.SetTraceback("all")
				panic(fmt.Sprintf("%s: %d MiB, %v of CPU time", what, n>>20, took))
			}
		}
	}()
	f()
}

// command runs iotrace and returns what it printed.
func command(args ...string) (status int, out, warnings string) {
	s, o, e := cli.FakeStreams()
	bounded(strings.Join(args, " "), func() { status = run(args, s, nil) })
	return status, o.String(), e.String()
}

// exports are the command lines for all formats that are one stream.
func exports(path string) (lines [][]string) {
	for _, e := range formats.Exporters {
		if e.Export != nil {
			lines = append(lines, []string{"export", "--to", e.To, "-o", "-", path})
		}
	}
	return lines
}

// folders are those for formats of fio and blktrace, whose directory is beside the trace.
func folders(path string) (lines [][]string) {
	for _, e := range []*formats.Exporter{&formats.FioLog, &formats.FioJob, &formats.Blkparse} {
		lines = append(lines, []string{"export", "-f", "--to", e.To, "-o", filepath.Join(filepath.Dir(path), e.To), path})
	}
	return lines
}

// readAll gives a file to everything that reads traces, and returns what show
// printed as JSON and what events warned of.
func readAll(t testing.TB, dir string, file []byte) (shown, warned string) {
	t.Helper()
	path := filepath.Join(dir, "hostile.iotrace")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	lines := [][]string{{"show", "--json", path}, {"report", "-o", "-", path}, {"events", path}, {"whatif", path}}
	lines = slices.Concat(lines, exports(path), folders(path))
	if len(file)%4 == 0 { // which say little that these do not
		lines = append(lines, []string{"show", path}, []string{"events", "--json", path}, []string{"diff", path, path})
	}
	for _, args := range lines {
		status, out, warnings := command(args...)
		switch {
		case args[0] == "show" && args[1] == "--json":
			shown = out
		case args[0] == "events" && args[1] == path:
			warned = warnings
		}
		if status != 0 && status != 1 {
			t.Errorf("%v: status %d", args, status)
		}
	}
	bounded("gap", func() { _, _ = gap.Survey(path) })
	bounded("replay", func() { _, _ = replay.Load(path) })
	return shown, warned
}

func FuzzFrames(f *testing.F) { fuzzHostile(f, samples.Payloads) }

func FuzzEvents(f *testing.F) { fuzzHostile(f, samples.Events) }

// fuzzHostile changes recordings by programs that the fuzzer writes.
func fuzzHostile(f *testing.F, change func(file, changes []byte) ([]byte, error)) {
	files := originals(f)
	for i := range files {
		f.Add(uint8(i), []byte{})
		f.Add(uint8(i), []byte{9, 3, 0, 0, 17, 200, 1, 2, 0, 5, 12, 18})
	}
	f.Fuzz(func(t *testing.T, which uint8, changes []byte) {
		if len(changes) > 1000 {
			return
		}
		file, err := change(files[int(which)%len(files)], changes)
		if err != nil {
			return // a header too long to be written, say
		}
		if len(file) > 10e6 {
			return
		}
		readAll(t, t.TempDir(), file)
	})
}
