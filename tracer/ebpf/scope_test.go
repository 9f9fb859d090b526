//go:build linux

package ebpf

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A thread of the kernel's makes no calls that would show that it is recorded; its requests are those of somebody who
// is, if it was selected.
func TestRequestsOfKernelThreads(t *testing.T) {
	const nfsd, kworker, writer = 50, 60, 70
	const mine, deleted = trace.FileID(1), trace.FileID(2)
	for _, c := range []struct {
		what  string
		all   bool
		pid   uint32
		file  trace.FileID
		owner uint32
		flags trace.ReqFlags
	}{
		{"selected", false, nfsd, 0, nfsd, 0},
		{"not selected", false, kworker, 0, 0, trace.ReqForeign},
		{"writes back what a recorded process wrote", false, kworker, mine, writer, 0},
		{"of all", true, kworker, 0, kworker, 0},
		{"of all, writes back what a recorded process wrote", true, kworker, mine, writer, 0},
		{"of all, writes back what the recorder wrote", true, kworker, deleted, 0, trace.ReqForeign | trace.ReqRecorder},
		{"of nobody who is known", false, 0, 0, 0, trace.ReqForeign},
		{"of all, of nobody who is known", true, 0, 0, 0, 0},
	} {
		d := newDecoder(newCallTable(), 0, []trace.Process{{PID: nfsd, TID: nfsd, Command: "nfsd"}}, c.all)
		*d.files.states.add(uint32(mine)) = fileState{first: mine, writer: writer, used: true}
		*d.files.states.add(uint32(deleted)) = fileState{first: deleted, own: true}
		q := trace.Request{PID: c.pid, File: c.file, Op: trace.ReqWrite}
		if d.judge(&q, 0); q.Owner != c.owner || q.Flags != c.flags {
			t.Errorf("%s: owner %d and flags %#x, want %d and %#x", c.what, q.Owner, q.Flags, c.owner, c.flags)
		}
	}
	d := newDecoder(newCallTable(), 0, []trace.Process{{PID: 0}, {PID: uint32(nfsd)}}, true)
	q := trace.Request{PID: d.self, Op: trace.ReqWrite}
	if d.judge(&q, 0); q.Flags != trace.ReqForeign|trace.ReqRecorder {
		t.Errorf("a request of the recorder has flags %#x", q.Flags)
	}
}

// A process that ran before the recording may wake others before its first call tells the probes that it is recorded.
// That makes it no helper, and its waits are not those of one.
func TestEarlyWakers(t *testing.T) {
	const program, nfsd, other, kthreadd = 50, 60, 70, 2
	present := []trace.Process{{PID: program, TID: program, Command: "python3"}, {PID: nfsd, TID: nfsd, Command: "nfsd"}}
	for _, c := range []struct {
		what        string
		all         bool
		pid, parent uint32
		helper      bool
	}{
		{"selected", false, program, 1, false},
		{"a selected thread of the kernel, which never makes a call", false, nfsd, kthreadd, true},
		{"not selected", false, other, 1, true},
		{"of all", true, other, 1, false},
		{"a thread of the kernel, of all", true, other, kthreadd, true},
	} {
		rec := &recording{}
		d := newDecoder(newCallTable(), 0, present, c.all)
		d.sink = rec
		decode(t, d, &iotraceHelper{Rec: uint8(iotraceRecordREC_HELPER), Pid: c.pid, Tid: c.pid + 1, Parent: c.parent})
		decode(t, d, &iotraceWait{Rec: uint8(iotraceRecordREC_WAIT), Pid: c.pid, Tid: c.pid + 1, Dur: 9, Helper: 1})
		if announced := len(rec.Processes) == 1; announced != c.helper {
			t.Errorf("%s: announced as a helper: %v, want %v", c.what, announced, c.helper)
		}
		if marked := rec.Waits[0].Flags&trace.WaitHelper != 0; marked != c.helper {
			t.Errorf("%s: its wait is a helper's: %v, want %v", c.what, marked, c.helper)
		}
	}
}
