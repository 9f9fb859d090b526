package kdebug

import (
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// GroupSched is the scheduler's: who gives a processor to whom, and who wakes whom (osfmk/kern/sched_prim.c of
// xnu-11417). All of these are in the release kernels of both machines.
const (
	GroupSched   = 0x01400000 // DBG_MACH, DBG_MACH_SCHED
	Switch       = 0x01400000 // MACH_SCHED: reason, the thread that runs now, priorities; logged by the one that ran
	Handoff      = 0x01400008 // MACH_STKHANDOFF: the same
	MakeRunnable = 0x01400018 // MACH_MKRUNNABLE: thread, priority, what ended its wait; logged by the one that wakes it
	Idle         = 0x01400024 // MACH_IDLE: a processor has nothing to do
	Block        = 0x0140003C // MACH_BLOCK: the thread is about to wait
)

// timedOut is what ended a wait (THREAD_TIMED_OUT of osfmk/kern/kern_types.h).
const timedOut = 1

// waiting is what is known of the wait of a thread, in ticks; 0 is none.
type waiting struct {
	blocks bool   // it has said that it will wait
	since  uint64 // when it said so
	off    uint64 // since then it has had no processor
	asleep bool   // and did not want one
	woken  uint64
	by     trace.WakeSource
	waker  uint64
	done   int64 // ns: the request that woke it was complete
	cause  trace.WaitCause
}

// completion is the request that a thread has completed last.
type completion struct {
	thread uint64 // that issued it
	at     uint64
}

// maxHelpers bounds the threads outside of the recording whose waits are recorded.
const maxHelpers = 1 << 10

// waits follows what threads wait for.
type waits struct{ *Decoder }

func (d waits) record(r *Record) {
	switch r.DebugID & idMask {
	case Block:
		if t := d.threads[r.Thread]; t != nil {
			t.wait.blocks, t.wait.since, t.wait.woken = true, r.Time, 0
		}
	case Switch, Handoff:
		d.off(r)
		d.on(r)
	case MakeRunnable:
		d.wakes(r)
	case Idle:
		if t := d.threads[r.Thread]; t != nil {
			t.idle = r.DebugID&funcMask == FuncStart
		} else if r.DebugID&funcMask == FuncStart {
			d.thread(r.Thread).idle = true
		}
	}
}

// follows reports whether the waits of a thread are recorded.
func (t *thread) follows() bool { return t.helper || t.proc != nil && t.proc.in && !t.proc.held }

// off takes a processor from a thread.
func (d waits) off(r *Record) {
	t := d.threads[r.Thread]
	if t == nil || r.Arg[1] == r.Thread || !t.follows() {
		return
	}
	w := &t.wait
	w.off, w.asleep, w.blocks = r.Time, w.blocks, false
	if w.cause = trace.WaitReady; w.asleep {
		w.cause = d.cause(t)
	}
}

// cause is what a thread that blocks waits for.
func (d waits) cause(t *thread) trace.WaitCause {
	switch {
	case t.issued > 0:
		return trace.WaitIO
	case t.inside == 0:
		return trace.WaitOther
	}
	if c, ok := macos.Blocking[t.inside]; ok {
		return c
	}
	if callTable[t.inside].ok {
		return trace.WaitCall
	}
	return trace.WaitOther
}

// wakes takes note of who woke a thread.
func (d waits) wakes(r *Record) {
	t := d.threads[r.Arg[0]]
	if t == nil || !t.follows() || t.wait.woken != 0 {
		return
	}
	w, waker := &t.wait, d.thread(r.Thread)
	w.woken, w.by, w.waker, w.done = r.Time, trace.WokenByThread, r.Thread, 0
	switch {
	case r.Arg[2] == timedOut:
		w.by, w.waker = trace.WokenByTimer, 0
	case waker.completed.thread == t.tid && w.since > 0 && waker.completed.at >= w.since:
		w.by, w.done = trace.WokenByRequest, d.at(waker.completed.at)
	case waker.idle: // it did nothing: an interrupt came
		w.by, w.waker = trace.WokenByInterrupt, 0
	default:
		d.help(waker)
	}
}

// help follows a thread outside of the recording that woke one within it.
func (d waits) help(t *thread) {
	if t.follows() || t.proc == nil || t.proc.pid == d.self && d.self != 0 || d.helpers >= maxHelpers {
		return
	}
	t.helper = true
	d.helpers++
	d.keep(d.sink.Process(&trace.Process{Time: max(d.now, 0), Action: trace.ProcessHelper, PID: t.proc.pid,
		TID:    uint32(t.tid),
		Parent: t.proc.parent, Command: trace.Comm(t.proc.name)}))
}

// on gives a processor to a thread, and tells of its wait.
func (d waits) on(r *Record) {
	t := d.threads[r.Arg[1]]
	if t == nil || t.wait.off == 0 {
		return
	}
	w := t.wait
	t.wait = waiting{}
	if !t.follows() || r.Time < w.off || r.Arg[1] == r.Thread {
		return
	}
	start := d.at(w.off)
	e := trace.Wait{Start: max(start, 0), TID: uint32(t.tid), Cause: w.cause}
	e.Duration = max(d.at(r.Time)-e.Start, 0)
	if t.proc != nil {
		e.PID = t.proc.pid
	}
	if t.helper {
		e.Flags |= trace.WaitHelper
	}
	if w.asleep && w.woken != 0 {
		e.By, e.Waker = w.by, uint32(w.waker)
		e.Ready = min(max(d.at(r.Time)-d.at(max(w.woken, w.off)), 0), e.Duration)
		if e.By == trace.WokenByRequest {
			e.Completed, e.Cause = min(w.done, e.Woken()), trace.WaitIO
		}
		if e.By == trace.WokenByTimer && e.Cause == trace.WaitPoll {
			e.Cause = trace.WaitTimeout
		}
	}
	d.keep(d.sink.Wait(&e))
}
