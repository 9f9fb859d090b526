package flight

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
)

// Processes that were not told to run something else share what is known of the one that they are copies of, and those
// of a program and a group share their names.
func TestProcessesShareTexts(t *testing.T) {
	i := newIdentities()
	text := strings.Clone // as a source has made it for the event
	i.learn(&trace.Process{Action: trace.ProcessExec, PID: 1, TID: 1, Args: text("make\x00all"), Exe: text("/bin/make"),
		Cgroup: text("/a")})
	i.learn(&trace.Process{Action: trace.ProcessFork, PID: 2, TID: 2, Parent: 1, Cgroup: text("/a")})
	i.learn(&trace.Process{Action: trace.ProcessExec, PID: 3, TID: 3, Parent: 1, Args: text("make\x00one"),
		Exe: text("/bin/make"), Cgroup: text("/a")})
	first, _ := i.processes.get(1)
	copied, _ := i.processes.get(2)
	other, _ := i.processes.get(3)
	same := func(a, b string) bool { return unsafe.StringData(a) == unsafe.StringData(b) }
	if copied.Args != first.Args || !same(copied.Args, first.Args) || !same(copied.Exe, first.Exe) ||
		!same(copied.Cgroup, first.Cgroup) {
		t.Errorf("%+v of %+v", copied, first)
	}
	if other.Args != "make\x00one" || !same(other.Exe, first.Exe) || !same(other.Cgroup, first.Cgroup) {
		t.Errorf("%+v beside %+v", other, first)
	}
}

// What is known of files is bounded by all of their names: those of containers have two.
func TestNamesOfFilesAreBounded(t *testing.T) {
	i, long := newIdentities(), strings.Repeat("x", 2000)
	for id := trace.FileID(1); id < 40_000; id++ {
		i.files.put(id, trace.File{ID: id, Path: fmt.Sprint("/", id), Host: long})
	}
	sum := 0
	i.files.each(func(_ trace.FileID, f *trace.File) { sum += len(f.Path) + len(f.Host) })
	if sum > mostText+2*(len(long)+10) {
		t.Errorf("%d bytes, want %d", sum, mostText)
	}
}
