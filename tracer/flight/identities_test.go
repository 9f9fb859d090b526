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

// However many processes come and go, those are known that run or ended lately, and the last of those that ended.
func TestProcessesThatEndedAreForgotten(t *testing.T) {
	ring := newRing(t, 1<<30)
	process := func(a trace.ProcessAction, pid uint32, at int64) {
		e := trace.Process{Time: at, Action: a, PID: pid, TID: pid, Parent: 1, Command: "c", Args: fmt.Sprint("run", at)}
		if err := ring.Process(&e); err != nil {
			t.Fatal(err)
		}
	}
	const keep, each, first = 10 * second, 200, uint32(1000)
	process(trace.ProcessPresent, 1, 0)
	n := 0
	for now := int64(0); now < 600*second; now += second {
		for range each {
			pid := first + uint32(n%30_000) // numbers come again
			n++
			process(trace.ProcessFork, pid, now)
			process(trace.ProcessExec, pid, now)
			if n%10_000 != 0 || now < 300*second {
				process(trace.ProcessExit, pid, now)
			}
		}
		ring.Forget(now - keep)
		lately := each * int((keep+int64(afterlife))/second+2)
		if known := len(ring.identities.list()); known > lately+2+n/10_000 {
			t.Fatalf("%d processes are known after %d, %d ended lately", known, n, lately)
		}
	}
	for _, pid := range []uint32{1, first + 9_999, first + 19_999, first + 29_999} { // the others run
		if p, ok := ring.ProcessOf(pid); !ok || p.Command != "c" {
			t.Errorf("process %d is forgotten", pid)
		}
	}
	ring.Forget(3600 * second)
	if known := len(ring.identities.list()); known != mostEnded+4 {
		t.Errorf("%d processes are known when all is quiet, want those that run and the last %d", known, mostEnded)
	}
}

// A file that no event refers to any more is forgotten. The blocks that refer to it describe it.
func TestFilesThatAreGone(t *testing.T) {
	ring := newRing(t, 1<<30)
	const most = 1000
	var told []trace.FileID
	for id := trace.FileID(1); id <= 50*most; id++ {
		f := trace.File{Time: int64(id), ID: id, Path: fmt.Sprint("/data/", id), Type: trace.FileRegular}
		if err := ring.File(&f); err != nil {
			t.Fatal(err)
		}
		if told = append(told, id); len(told) == most {
			ring.Gone(told)
			told = told[:0]
		}
		if n := ring.files.len(); n > most {
			t.Fatalf("%d files are known after %d", n, id)
		}
	}
	got := &trace.Log{}
	if err := ring.Between(0, 60*most).Write(&kept{got}); err != nil {
		t.Fatal(err)
	}
	if len(got.Files) != 50*most {
		t.Errorf("the trace has %d files, want %d", len(got.Files), 50*most)
	}
}
