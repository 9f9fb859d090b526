//go:build linux

package ebpf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// crowd is a program of many threads that all live at the same time, each of which then reads a few bytes.
const crowd = `
import os, sys, threading, time
out, n = sys.argv[1], int(sys.argv[2])
threading.stack_size(65536)
fd, go = os.open("/dev/zero", os.O_RDONLY), threading.Event()
def work():
    go.wait()
    for _ in range(5):
        os.pread(fd, 512, 4096)
threads = [threading.Thread(target=work) for _ in range(n)]
for t in threads:
    t.start()
open(out, "w").close()
while not os.path.exists(out + ".go"):
    time.sleep(0.01)
go.set()
for t in threads:
    t.join()
`

// Each task that is recorded has a slot of its own (bpf/task.h), also where another one has that which its address
// stands for, and gives it back.
func TestManyTasks(t *testing.T) {
	needBPF(t)
	needTools(t, "python3")
	if legacyProbes {
		t.Skip("the probes for old kernels keep their tasks elsewhere")
	}
	const threads = 2000
	alive := filepath.Join(workDir(t), "alive")
	freed := startFtrace(t, "pid >= 0", "sched/sched_process_free")
	s, w := launch(t, Options{}, append(python(crowd)(t, ""), alive, fmt.Sprint(threads))...)
	await(t, "the threads to live", func() bool { return size(alive) >= 0 })
	taken, moved := s.slots(t)
	if taken <= threads || moved == 0 {
		t.Errorf("%d slots are taken by %d threads, %d not by their own ones", taken, threads+1, moved)
	}
	tids, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", w.PID()))
	if err := errors.Join(err, os.WriteFile(alive+".go", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	wait(t, w)
	left := 0
	await(t, "the slots to be given back", func() bool {
		left, _ = s.slots(t)
		return left <= freed.unfreed(tids) // when no probe runs
	})
	t.Logf("%d tasks, %d of them in slots that are not their own; %d are left", taken, moved, left)
	rec := s.end()
	reads := map[uint32]int{}
	for _, c := range rec.calls("pread64", "/dev/zero") {
		reads[c.TID]++
	}
	for tid, n := range reads {
		if n != 5 {
			t.Errorf("thread %d: %d reads, want 5", tid, n)
		}
	}
	if len(reads) != threads {
		t.Errorf("%d threads read, want %d", len(reads), threads)
	}
}

// unfreed counts the tasks, by their directories in /proc, whose end no probe can have seen: process 1 had the CPU, or
// it is not in the log.
func (f *ftrace) unfreed(tasks []string) (n int) {
	f.t.Helper()
	seen := map[string]bool{}
	for _, line := range f.lines() {
		if m := freedLine.FindStringSubmatch(line); m != nil && !f.ofInit(line) {
			seen[m[1]] = true
		}
	}
	for _, path := range tasks {
		if !seen[filepath.Base(path)] {
			n++
		}
	}
	return n
}

// freedLine matches "sched_process_free: comm=python3 pid=123 prio=120".
var freedLine = regexp.MustCompile(`: sched_process_free: .* pid=(\d+) `)

// slots counts those that tasks have, and how many of them are not the tasks' own.
func (s *session) slots(t *testing.T) (taken, moved int) {
	t.Helper()
	slots := s.collection.Maps["task_slots"]
	var index uint32
	value := make([]byte, slots.ValueSize())
	for it := slots.Iterate(); it.Next(&index, &value); {
		owner := binary.NativeEndian.Uint64(value)
		if owner == 0 {
			continue
		}
		taken++
		if own := uint32(owner) * 2654435769 >> (32 - 15); own != index { // own_slot
			moved++
		}
	}
	return taken, moved
}
