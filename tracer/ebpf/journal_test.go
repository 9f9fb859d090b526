//go:build linux

package ebpf

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// The journal that a program waits for is written for it, from the first time on that its thread woke the program.
func TestTheJournalIsNotOthers(t *testing.T) {
	needBPF(t)
	d := newDisk(t, imageSize)
	d.format("ext4")
	dir := d.mount("ext4", "")
	rec := recordCommand(t, Options{}, nil, workload.Args("write", dir, "0", "1048576", "16384", "fsync")...)
	unmount(t, dir)
	journal, own := map[uint32]bool{}, 0
	for _, p := range rec.Processes {
		if p.Action == trace.ProcessHelper && strings.HasPrefix(p.Command, "jbd2/"+d.name) {
			journal[p.TID] = true
		}
	}
	for _, q := range rec.requests(d.id) {
		switch {
		case !journal[q.TID]:
		case q.Flags&trace.ReqForeign == 0:
			own++
		case own > 0:
			t.Errorf("the journal's request is of others: %+v", q)
		}
	}
	if own < 32 {
		t.Errorf("%d requests of the journal for 64 syncs; its threads are %v", own, journal)
	}
}

// A journal is awaited once its thread, and no other of that name or number, woke a recorded one.
func TestAwaitedJournals(t *testing.T) {
	const journal, program, unknown = 30, 40, 50
	d := newDecoder(newCallTable(), 0, nil, false)
	if err := d.begin(&recording{}); err != nil {
		t.Fatal(err)
	}
	follow := func(tid, parent uint32, name string) {
		r := iotraceHelper{Rec: uint8(iotraceRecordREC_HELPER), Parent: parent, Pid: tid, Tid: tid}
		copy(r.Comm[:], name)
		decode(t, d, &r)
	}
	wake := func(tid uint32, helper uint8) {
		decode(t, d, &iotraceWait{Rec: uint8(iotraceRecordREC_WAIT), By: uint8(trace.WokenByThread), Waker: tid,
			Helper: helper})
	}
	check := func(what string, tid uint32, file trace.FileID, own bool) {
		t.Helper()
		q := trace.Request{PID: tid, TID: tid, File: file, Op: trace.ReqWrite}
		if d.judge(&q, 0); (q.Flags&trace.ReqForeign == 0) != own {
			t.Errorf("%s: flags %#x", what, q.Flags)
		}
	}
	follow(journal, 2, "jbd2/sda1-8")
	follow(program, 1, "jbd2/sda1-8")
	wake(journal, 1)
	check("it woke a helper", journal, 0, false)
	for _, tid := range []uint32{journal, program, unknown} {
		wake(tid, 0)
	}
	check("it woke a recorded thread", journal, 0, true)
	check("of a file that nobody used", journal, 7, false)
	check("a program of that name", program, 0, false)
	check("a thread that was not announced", unknown, 0, false)
	follow(journal, 2, "kworker/0:1")
	wake(journal, 0)
	check("another thread of its number", journal, 0, false)
}

// decode hands a record to a decoder.
func decode[T any](t *testing.T, d *decoder, r *T) {
	t.Helper()
	if err := d.record(unsafe.Slice((*byte)(unsafe.Pointer(r)), unsafe.Sizeof(*r))); err != nil {
		t.Fatal(err)
	}
}

// What a journal writes is of those who changed what its transaction holds, whoever waits for it.
func TestRequestsOfTransactions(t *testing.T) {
	const journal = 30
	d := newDecoder(newCallTable(), 0, nil, false)
	for _, c := range []struct {
		what        string
		own, others uint32
		awaited     bool
		foreign     bool
		share       int64 // of others
	}{
		{"the program's alone", 5, 0, false, false, 0},
		{"others' alone, though it waits", 0, 7, true, true, 0},
		{"of both", 1, 3, true, false, 3072},
		{"of a thread of the kernel, and the program waits", 0, 0, true, false, 0},
		{"of a thread of the kernel, and nobody waits", 0, 0, false, true, 0},
	} {
		d.journals[journal] = &journalThread{followed: true, awaited: c.awaited}
		decode(t, d, &iotraceCommit{Rec: uint8(iotraceRecordREC_COMMIT), Tid: journal, Own: c.own, Others: c.others})
		for _, bytes := range []int64{0, 4096} {
			q := trace.Request{PID: journal, TID: journal, Op: trace.ReqWrite, Bytes: bytes}
			d.judge(&q, 0)
			if got := q.Flags&trace.ReqForeign != 0; got != c.foreign || q.Others != c.share*bytes/4096 {
				t.Errorf("%s: foreign %t, %d of %d bytes are others'", c.what, got, q.Others, bytes)
			}
		}
		data := trace.Request{PID: journal, TID: journal, Op: trace.ReqWrite, Bytes: 4096, File: 9}
		if d.judge(&data, 0); data.Flags&trace.ReqForeign == 0 || data.Others != 0 {
			t.Errorf("%s: data of a file that nobody used is divided too", c.what)
		}
	}
}

// A request of a log or of trees is of those who changed what it holds, whoever queued it.
func TestRequestsOfLogs(t *testing.T) {
	for _, c := range []struct {
		what        string
		own, others uint32
		marks       iotraceReqMarks
		all         bool
		foreign     bool
		share       int64
	}{
		{"the program's alone", 8192, 0, 0, false, false, 0},
		{"others' alone", 0, 8192, 0, false, true, 0},
		{"others' alone, and the program queued it", 0, 8192, iotraceReqMarksMARK_TRACED, false, true, 0},
		{"of both, and the program queued it", 2048, 6144, iotraceReqMarksMARK_TRACED, false, false, 6144},
		{"of both in part", 1024, 1024, 0, false, false, 4096},
		{"not known", 0, 0, 0, false, true, 0},
		{"others', and all are recorded", 0, 8192, iotraceReqMarksMARK_TRACED, true, false, 0},
	} {
		kept := &recording{}
		d := newDecoder(newCallTable(), 0, nil, c.all)
		if err := d.begin(kept); err != nil {
			t.Fatal(err)
		}
		r := requestHead{Rec: uint8(iotraceRecordREC_REQUEST), Marks: uint8(c.marks), Opf: 1 | reqMeta, Issued: 2,
			Completed: 3, Bytes: 8192, Pid: 40, Tid: 40, Own: c.own, Others: c.others}
		decode(t, d, &r)
		if len(kept.Requests) != 1 {
			t.Fatalf("%s: %d requests", c.what, len(kept.Requests))
		}
		q := kept.Requests[0]
		if got := q.Flags&trace.ReqForeign != 0; got != c.foreign || q.Others != c.share || q.Owner != 0 && got {
			t.Errorf("%s: foreign %t, owner %d, %d bytes are others'", c.what, got, q.Owner, q.Others)
		}
	}
}
