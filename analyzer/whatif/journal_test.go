package whatif

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// How a write is made durable.
type durability struct {
	flags    trace.IOFlags // of the write
	fsync    bool          // a call after it
	ring     bool          // an operation of io_uring after it, which a worker does
	worker   bool          // the end of the data's write is handled by another thread of the kernel
	unsynced int64         // ms of the program without syncs
}

const (
	writer, journal, kworker, ringWorker = 1, 150, 160, 2
	commits                              = 10
	millisecond                          = int64(1e6)
)

// A program writes, and waits until the journal is committed. Each commit is the data, the journal's blocks, a flush,
// and the commit's block that the block layer holds back until the flush is done. All of that takes half as long on a
// device with half the latency, and none of it is waited for without syncs.
func TestJournal(t *testing.T) {
	for name, d := range map[string]durability{
		"O_SYNC":                   {flags: trace.FlagSync, unsynced: commits + 1},
		"O_DSYNC, by a worker":     {flags: trace.FlagDSync, worker: true, unsynced: commits + 1},
		"O_DIRECT and O_SYNC":      {flags: trace.FlagSync | trace.FlagDirect, unsynced: 11*commits + 1},
		"fsync":                    {fsync: true, unsynced: commits + 1},
		"fsync of a ring":          {ring: true, unsynced: commits + 1},
		"write without durability": {unsynced: 51*commits + 1},
	} {
		const recorded = 51*commits + 1
		end := trace.End{Duration: (recorded + 1) * millisecond, CommandEnd: recorded * millisecond, Durable: -1}
		r := loaded(t, end, func(w *tracefile.Writer) { d.write(t, w) })
		if got := r.Predict(Change{}); off(got.Wall, recorded*millisecond) > 0.001 || got.Undecided > 0 {
			t.Errorf("%s: without a change it takes %+v, want %d ms", name, got, recorded)
		}
		// What the journal did before it woke the program for the first time was not recorded.
		if got, want := r.Predict(Change{Latency: 0.5}).Wall, (recorded-25*commits)*millisecond; off(got, want) > 0.06 {
			t.Errorf("%s: %d ns with half the latency, want %d", name, got, want)
		}
		free := Change{Change: program.Change{NoSync: true}}
		if got, want := r.Predict(free).Wall, d.unsynced*millisecond; off(got, want) > 0.02 {
			t.Errorf("%s: %d ns without syncs, want %d", name, got, want)
		}
	}
}

// write writes what is recorded of it: 1 ms on the CPU, 10 ms for the data, 40 ms for the journal, again and again.
func (d *durability) write(t *testing.T, w *tracefile.Writer) {
	t.Helper()
	d.begin(t, w)
	for i := range int64(commits) {
		at := (51*i + 1) * millisecond
		data, blocks, flushed, end := at+10*millisecond, at+20*millisecond, at+30*millisecond, at+50*millisecond
		write := func(thread uint32, queued, issued, completed int64, op trace.ReqOp, bytes int64) {
			r := trace.Request{Queued: queued, Issued: issued, Completed: completed, Device: 7, TID: thread, Op: op,
				Bytes: bytes, Sector: uint64(queued) / 512}
			if thread == journal {
				r.Flags = trace.ReqForeign
			} else {
				r.PID, r.Owner, r.File = writer, writer, 5
			}
			must(t, w.Request(&r))
		}
		wait := func(thread uint32, from, until int64, cause trace.WaitCause, by trace.WakeSource, waker uint32, done int64) {
			x := trace.Wait{Start: from, Duration: until - from, PID: thread, TID: thread, Cause: cause, By: by,
				Waker: waker, Completed: done}
			if thread == journal || thread == kworker {
				x.Flags = trace.WaitHelper
			}
			if thread == ringWorker {
				x.PID = writer
			}
			must(t, w.Wait(&x))
		}
		who := uint32(writer)
		if d.ring {
			who = ringWorker
			wait(who, max(at-millisecond, 2), at, trace.WaitOther, trace.WokenByThread, writer, 0)
			wait(writer, at, end, trace.WaitCall, trace.WokenByThread, who, 0)
		}
		write(who, at, at, data, trace.ReqWrite, 4096)
		if d.worker && i > 0 {
			wait(kworker, at-40*millisecond, data, trace.WaitOther, trace.WokenByRequest, 0, data)
			wait(who, at, data, trace.WaitIO, trace.WokenByThread, kworker, 0)
		} else {
			wait(who, at, data, trace.WaitIO, trace.WokenByRequest, 0, data)
		}
		if i > 0 {
			wait(journal, at-millisecond, data, trace.WaitOther, trace.WokenByThread, who, 0)
		}
		write(journal, data, data, blocks, trace.ReqWrite, 20480)
		wait(journal, data, blocks, trace.WaitIO, trace.WokenByRequest, 0, blocks)
		write(journal, blocks, blocks, flushed, trace.ReqFlush, 0)
		write(journal, blocks, flushed, end, trace.ReqWrite, 4096)
		wait(journal, blocks, end, trace.WaitIO, trace.WokenByRequest, 0, end)
		wait(who, data, end, trace.WaitCall, trace.WokenByThread, journal, 0)
		d.call(t, w, at, end)
	}
	must(t, w.Process(&trace.Process{Time: (51*commits + 1) * millisecond, Action: trace.ProcessExit, PID: 1, TID: 1}))
}

// begin writes who helps: the journal from its first commit on, the worker from the beginning.
func (d *durability) begin(t *testing.T, w *tracefile.Writer) {
	t.Helper()
	must(t, w.Device(&trace.Device{ID: 7, Name: "sda"}))
	must(t, w.File(&trace.File{ID: 5, Path: "/data/file", Device: 7, Type: trace.FileRegular}))
	must(t, w.Syscall(&trace.Syscall{PID: writer, TID: writer, Op: trace.OpRead, Result: 10}))
	must(t, w.Process(&trace.Process{Time: 1, Action: trace.ProcessHelper, PID: journal, TID: journal, Parent: 2}))
	must(t, w.Process(&trace.Process{Time: 1, Action: trace.ProcessHelper, PID: kworker, TID: kworker, Parent: 2}))
}

// call writes the call that waited, or the operation of the ring.
func (d *durability) call(t *testing.T, w *tracefile.Writer, at, end int64) {
	t.Helper()
	c := trace.Syscall{Start: at, Duration: end - at, PID: writer, TID: writer, Op: trace.OpWrite, Flags: d.flags, File: 5,
		Requested: 4096, Result: 4096}
	switch {
	case d.ring:
		c.Op, c.File, c.Result = trace.OpUringEnter, 0, 1
		must(t, w.AsyncOp(&trace.AsyncOp{Submit: at, Complete: end, PID: writer, TID: writer, API: trace.APIUring,
			Op: trace.OpSync, File: 5}))
	case d.fsync:
		c.Op, c.Result = trace.OpSync, 0
	}
	must(t, w.Syscall(&c))
}

// What the kernel does after the program returned it does as long after its return: the recorder asks for it.
func TestAfterTheReturn(t *testing.T) {
	const ms = millisecond
	end := trace.End{Duration: 120 * ms, CommandEnd: 100 * ms, Durable: 120 * ms}
	r := loaded(t, end, func(w *tracefile.Writer) {
		new(durability).begin(t, w)
		must(t, w.Syscall(&trace.Syscall{Start: 1, Duration: 1, PID: writer, TID: writer, Op: trace.OpWrite, File: 5,
			Requested: 4096, Result: 4096}))
		must(t, w.Wait(&trace.Wait{Start: 50 * ms, Duration: 60 * ms, PID: kworker, TID: kworker, Cause: trace.WaitOther,
			By: trace.WokenByThread, Waker: 999, Flags: trace.WaitHelper}))
		must(t, w.Request(&trace.Request{Queued: 110 * ms, Issued: 110 * ms, Completed: 120 * ms, Device: 7, TID: kworker,
			Owner: writer, File: 5, Op: trace.ReqWrite, Bytes: 4096}))
		must(t, w.Process(&trace.Process{Time: 100 * ms, Action: trace.ProcessExit, PID: writer, TID: writer}))
	})
	for _, c := range []struct {
		change        Change
		wall, durable int64 // ms
	}{{Change{}, 100, 120}, {Change{CPU: 2}, 50, 70}, {Change{Latency: 3}, 100, 140}} {
		if p := r.Predict(c.change); off(p.Wall, c.wall*ms) > 0.01 || off(p.Durable, c.durable*ms) > 0.01 {
			t.Errorf("%+v: %+v, want %d and %d ms", c.change, p, c.wall, c.durable)
		}
	}
}
