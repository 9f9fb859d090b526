//go:build linux

package ebpf

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// discard is a sink that takes processes, and keeps nothing.
type discard struct{ trace.Sink }

func (discard) Process(*trace.Process) error { return nil }

// A million processes that ended, with threads that woke others, leave as much behind as some ten thousand.
func TestEndedProcessesLeaveLittle(t *testing.T) {
	d := newDecoder(newCallTable(), 0, []trace.Process{{PID: 1}}, true)
	d.sink = discard{}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for pid := uint32(10); pid < 2_000_000; pid += 2 {
		must(d.fork(&iotraceFork{Pid: pid, Tid: pid, Parent: 1}))
		must(d.fork(&iotraceFork{Pid: pid, Tid: pid + 1, Parent: pid}))
		must(d.helper(&iotraceHelper{Pid: pid, Tid: pid + 1, Parent: 1}))
		must(d.exec(&iotraceExec{Pid: pid, Parent: 1}, nil))
		d.groups.set(pid, "/a")
		d.mappings.add(pid, mapping{address: 4096, length: 4096, file: 1})
		d.files.changes.disks[7] = true
		d.files.changes.serves(&trace.Request{Device: 7, TID: pid, Op: trace.ReqWrite, Flags: trace.ReqMeta})
		if _, early := d.early.get(pid + 1); !early || !d.lives.known(pid) {
			t.Fatalf("process %d or its thread is not known", pid)
		}
		must(d.exit(&iotraceExit{Pid: pid, Tid: pid + 1}))
		must(d.exit(&iotraceExit{Pid: pid, Tid: pid, Group: 1}))
		if !d.lives.known(pid) || !d.lives.known(1) {
			t.Fatalf("process %d, which has just ended, or the first one is not known", pid)
		}
	}
	both := func(r *recent[uint32, bool]) int { return len(r.young) + len(r.old) }
	for name, n := range map[string][2]int{
		"running":  {len(d.lives.running), 1},
		"ended":    {both(&d.lives.ended), 2 * knownEnded},
		"early":    {both(&d.early), 2 * knownThreads},
		"writers":  {both(&d.files.changes.writers), 2 * knownThreads},
		"groups":   {len(d.groups.of), 0},
		"mappings": {len(d.mappings), 0},
		"selected": {len(d.selected), 1},
	} {
		if n[0] > n[1] {
			t.Errorf("%s: %d, want %d at most", name, n[0], n[1])
		}
	}
}

// The end of a process is told once, though two last threads saw each other gone, and that of the next with its number.
func TestTheEndOfAProcessIsToldOnce(t *testing.T) {
	l := newLives()
	l.begin(7)
	first, again := l.end(7), l.end(7)
	l.begin(7)
	if next := l.end(7); !first || again || !next {
		t.Errorf("ended: %t, then %t, the next process %t", first, again, next)
	}
	if !l.end(8) { // its beginning was lost
		t.Error("a process that nobody saw beginning did not end")
	}
}
