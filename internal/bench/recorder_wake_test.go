//go:build linux

package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// recordedWork records a program.
func recordedWork(t *testing.T, words ...string) *trace.Batch {
	t.Helper()
	testenv.NeedBPF(t)
	path, all := filepath.Join(t.TempDir(), "trace"), new(trace.Batch)
	if err := record(path, words); err != nil {
		t.Fatal(err)
	}
	r, err := tracefile.Each(path, func(b *trace.Batch) {
		all.Files, all.Processes = append(all.Files, b.Files...), append(all.Processes, b.Processes...)
		all.Syscalls, all.Waits = append(all.Syscalls, b.Syscalls...), append(all.Waits, b.Waits...)
	})
	if err != nil {
		t.Fatal(err)
	}
	if end, whole := r.End(); !whole || lost(end) > 0 {
		t.Fatalf("%d events are lost, the trace is whole: %v", lost(end), whole)
	}
	return all
}

// ownWork are the words of a workload of this program.
func ownWork(t *testing.T, name string, steps int) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{self, makeWakes, name, strconv.Itoa(steps)}
}

// Each thread of the ring is woken by the one before it alone, at nearly every step.
func TestRing(t *testing.T) {
	const steps = 100 * ringThreads
	woken := map[uint32]map[uint32]int{} // threads, by whom, how often
	waits := recordedWork(t, ownWork(t, "ring", steps)...).Waits
	for i := range waits {
		w := &waits[i]
		if w.Cause != trace.WaitFutex || w.By != trace.WokenByThread || w.Waker == w.TID {
			continue
		}
		if woken[w.TID] == nil {
			woken[w.TID] = map[uint32]int{}
		}
		woken[w.TID][w.Waker]++
	}
	inRing, from := 0, map[uint32]uint32{}
	for tid, by := range woken {
		for waker, times := range by {
			if times > steps/ringThreads/2 {
				inRing, from[tid] = inRing+times, waker
			}
		}
	}
	if len(from) != ringThreads || inRing < steps/2 {
		t.Fatalf("%d threads woken by one other, %d times; want %d and about %d", len(from), inRing, ringThreads, steps)
	}
	seen := map[uint32]bool{}
	for at := slices.Min(slices.Collect(maps.Keys(from))); !seen[at]; at = from[at] {
		seen[at] = true
	}
	if len(seen) != ringThreads {
		t.Errorf("a circle of %d threads, want %d", len(seen), ringThreads)
	}
}

// The shell starts as many programs as it says.
func TestStartedPrograms(t *testing.T) {
	const steps = 40
	execs := 0
	for _, p := range recordedWork(t, ownWork(t, "programs", steps)...).Processes {
		if p.Action == trace.ProcessExec && p.Command == "true" {
			execs++
		}
	}
	if execs != steps {
		t.Errorf("%d programs were started, want %d", execs, steps)
	}
}

// Each step sends once and receives once. Both name the address where the sockets are not connected.
func TestExchanges(t *testing.T) {
	const steps = 500
	for name, address := range map[string]string{"unix": "", "tcp": "", "udp": "127.0.0.1:"} {
		t.Run(name, func(t *testing.T) {
			all := recordedWork(t, ownWork(t, name, steps)...)
			paths := map[trace.FileID]string{0: ""}
			for _, f := range all.Files {
				paths[f.ID] = f.Path
			}
			sends, receives := 0, 0
			for i := range all.Syscalls {
				c := &all.Syscalls[i]
				if c.Requested != sent || c.Result != sent {
					continue
				}
				if path := paths[c.File2]; !strings.HasPrefix(path, address) || (path == "") != (address == "") {
					t.Fatalf("%s with %q, want %q", c.Op, path, address)
				}
				switch c.Op {
				case trace.OpWrite:
					sends++
				case trace.OpRead:
					receives++
				}
			}
			if sends != steps || receives != steps {
				t.Errorf("%d sends and %d receives, want %d of each", sends, receives, steps)
			}
		})
	}
}

// The program makes as many files as it says, synced or not, and leaves none.
func TestMadeFiles(t *testing.T) {
	const steps = 30
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i, w := range makingFiles(self, "", dir) {
		all := recordedWork(t, append(w.words, strconv.Itoa(steps))...)
		paths := map[trace.FileID]string{}
		for _, f := range all.Files {
			paths[f.ID] = f.Path
		}
		wrote, synced := 0, 0
		for k := range all.Syscalls {
			switch c := &all.Syscalls[k]; {
			case !strings.HasPrefix(paths[c.File], dir+"/"):
			case c.Op == trace.OpWrite && c.Result == 4096:
				wrote++
			case c.Op == trace.OpSync:
				synced++
			}
		}
		if wrote != steps || synced != i*steps {
			t.Errorf("%s: %d writes, %d syncs, want %d and %d", w.name, wrote, synced, steps, i*steps)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v, %v are left", w.name, err, left)
		}
	}
}

// What each program of the table prints last is a time, in seconds.
func TestWakeWorksPrintTheirTime(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range append(wakeWorks(self), makingFiles(self, "the disk of the tests", t.TempDir())...) {
		testenv.NeedTools(t, w.needs...)
		took, err := w.run(&session{ended: t.Context()}, &recorder{part: 1})
		if err != nil || took <= 0 {
			t.Errorf("%s: %v µs, %v", w.name, took, err)
		}
	}
}
