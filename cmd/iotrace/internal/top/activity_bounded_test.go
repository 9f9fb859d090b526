package top

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

// However many processes and files come and go, no table grows with the time; what is not told apart is counted.
func TestTablesAreBounded(t *testing.T) {
	a := newActivity(activityOptions{Every: second,
		Process: func(uint32) (trace.Process, bool) { return trace.Process{}, false }})
	moved := int64(0)
	for n := range uint32(3 * generation) {
		pid, id := 100+n, trace.FileID(n+1)
		at := int64(n) * second / 1000
		for a.Next() <= at {
			for _, p := range a.Take(a.Next()).Processes {
				moved += p.Calls.Write
			}
		}
		must(t, a.Process(&trace.Process{Time: at, Action: trace.ProcessFork, PID: pid, TID: pid, Parent: 1, Command: "x"}))
		must(t, a.File(&trace.File{Time: at, ID: id, Path: fmt.Sprint(n), Device: disk, Inode: uint64(n + 1),
			Type: trace.FileRegular, FSType: "ext4"}))
		must(t, a.Syscall(write(at, at, pid, id, 1)))
		must(t, a.Process(&trace.Process{Time: at, Action: trace.ProcessExit, PID: pid, TID: pid}))
	}
	if n := len(a.processes.known); n > maxEnded+1000 {
		t.Errorf("%d processes are remembered", n)
	}
	if n := len(a.files.young.byID) + len(a.files.old.byID); n > 2*generation {
		t.Errorf("%d files are remembered", n)
	}
	if len(a.open) > 1 {
		t.Errorf("%d intervals are open", len(a.open))
	}
	for _, p := range a.Take(a.Next()).Processes {
		moved += p.Calls.Write
	}
	if moved != 3*generation {
		t.Errorf("%d bytes of %d", moved, 3*generation)
	}
}

// Beyond what an interval tells apart, processes are counted together and files left out, and it says how many.
func TestOthers(t *testing.T) {
	a := newActivity(activityOptions{Every: second})
	for n := range maxFiles + 7 {
		must(t, a.File(&trace.File{ID: trace.FileID(n + 1), Path: fmt.Sprint(n), Device: disk, Inode: uint64(n + 1),
			Type: trace.FileRegular, FSType: "ext4"}))
		must(t, a.Syscall(write(0, 1, uint32(n%(maxProcesses+5)), trace.FileID(n+1), 1)))
	}
	i := a.Take(second)
	if i.Omitted != (Omitted{5, 7}) || len(i.Files) != maxFiles || len(i.Processes) != maxProcesses+1 {
		t.Errorf("%+v, %d files, %d processes", i.Omitted, len(i.Files), len(i.Processes))
	}
	rest := slices.IndexFunc(i.Processes, func(p Process) bool { return p.Command == nameOthers })
	if rest < 0 || i.Processes[rest].PID != 0 || i.Processes[rest].Calls.Write == 0 {
		t.Error("nothing is said of the others")
	}
}

// A file that is used now and then keeps its name, however many others there are; one that was forgotten has none.
func TestNamesInUseAreKept(t *testing.T) {
	a := newActivity(activityOptions{Every: second})
	tell := func(id trace.FileID) {
		must(t, a.File(&trace.File{ID: id, Path: fmt.Sprint(id), Device: disk, Inode: uint64(id),
			Type: trace.FileRegular, FSType: "ext4"}))
	}
	tell(1)
	tell(2)
	for id := range trace.FileID(3 * generation) {
		if tell(id + 3); id%(generation/2) == 0 {
			a.files.get(1)
		}
	}
	if f := a.files.get(1); f.path != "1" {
		t.Errorf("a file in use is called %q", f.path)
	}
	if f := a.files.get(2); f != a.files.unnamed {
		t.Errorf("%q is still known", f.path)
	}
}

// Files that are gone take no room. One that comes back within an interval is the one that it was.
func TestFilesThatAreGone(t *testing.T) {
	const most = 1000
	a := newActivity(activityOptions{Every: second})
	tell := func(id trace.FileID, number uint64) {
		must(t, a.File(&trace.File{ID: id, Path: fmt.Sprint(number), Device: disk, Inode: number,
			Type: trace.FileRegular, FSType: "ext4"}))
		must(t, a.Syscall(write(int64(id), int64(id)+1, 50, id, 1)))
	}
	var gone []trace.FileID
	tell(1, 1)
	for id := trace.FileID(2); id < 50*most; id++ {
		if id%most == 0 {
			a.Take(a.Next())
			tell(id, 1) // under a further name
		} else {
			tell(id, uint64(id))
		}
		if gone = append(gone, id-1); len(gone) == most {
			a.Gone(gone)
			gone = gone[:0]
		}
		young := &a.files.young
		if len(young.byID) > most || len(young.byInode) > 2*most {
			t.Fatalf("%d files and %d inodes are remembered after %d", len(young.byID), len(young.byInode), id)
		}
	}
	a.Take(a.Next())
	tell(60*most, 7)
	a.Gone([]trace.FileID{60 * most})
	tell(60*most+1, 7)
	if i := a.Take(a.Next()); len(i.Files) != 1 || i.Files[0].Calls.Write != 2 || i.Files[0].Path != "7" {
		t.Errorf("%+v", i.Files)
	}
}

// A process that has ended is known by its name for as long as what it wrote may be written back, and a number that is
// used again is another process.
func TestEndedProcesses(t *testing.T) {
	a := scene(t)
	must(t, a.Process(&trace.Process{Action: trace.ProcessExit, PID: 50, TID: 50}))
	named := func() string { return a.processes.get(50).command }
	for range keptFor / 2 {
		a.Take(a.Next())
	}
	if named() != "postgres" {
		t.Errorf("%q", named())
	}
	must(t, a.Process(&trace.Process{Action: trace.ProcessFork, PID: 50, TID: 50, Parent: 1, Command: "sh"}))
	for range 2 * keptFor {
		a.Take(a.Next())
	}
	if named() != "sh" {
		t.Errorf("%q", named())
	}
}

// The time covered is that of all instants that lie in a span, in whatever order spans come; folded up, it can only be
// short of what came too late.
func TestCover(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var c cover
		covered := map[int64]bool{}
		for range rapid.IntRange(0, 40).Draw(r, "n") {
			from := rapid.Int64Range(0, 100).Draw(r, "from")
			to := from + rapid.Int64Range(-2, 20).Draw(r, "ns")
			c.add(from, to)
			for at := from; at < to; at++ {
				covered[at] = true
			}
			if c.total() != int64(len(covered)) {
				r.Fatalf("%d of %d: %v", c.total(), len(covered), c.spans)
			}
		}
	})
	var c cover
	for n := range int64(10 * maxSpans) {
		c.add(2*n, 2*n+1)
	}
	if c.total() != 10*maxSpans || len(c.spans) > maxSpans {
		t.Errorf("%d in %d spans", c.total(), len(c.spans))
	}
	if c.add(0, 2); c.total() != 10*maxSpans {
		t.Error("what was folded up is counted again")
	}
}
