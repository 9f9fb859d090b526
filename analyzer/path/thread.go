package path

import "github.com/iotrace/iotrace/trace"

// stretch is a call or a fault of a thread.
type stretch struct {
	start, end int64
	call       Call
	polls      bool // it looks for completions, and is on a CPU while it waits
	looks      bool // it says what is done, and waits for nothing
}

// covers reports whether the thread was in it just before an instant.
func (s *stretch) covers(at int64) bool { return s.start < at && at <= s.end }

// carried is an RPC that a thread carried out itself: it waits for nothing else meanwhile.
type carried struct {
	start, sent, replied, end int64
	request                   Request
	xid                       uint32
}

// covers reports whether a wait lies within it.
func (a *carried) covers(from, woken int64) bool { return a.start <= from && woken <= a.end }

// thread is what is known of a thread from the end of the recording back to now.
type thread struct {
	id      uint32
	pid     uint32     // of its process, 0 while it is not known
	seen    bool       // something of it was: what comes first here is the last that it did
	other   bool       // of another program
	apart   bool       // not recorded itself: it makes no calls that are seen
	unseen  bool       // what it did before now was not recorded
	call    stretch    // the earliest call so far
	fault   stretch    // the earliest fault so far, which may lie within that call
	wait    trace.Wait // the earliest wait so far
	carried carried    // the earliest RPC that it ended so far
	made    bool       // after now
	naps    int        // sleeps that a timer ended, up to its next call
	cpu     int64      // that its process used in all, 0 while it is not known
	exit    int64      // when its process ended, 0 while it is not known
	copied  int64      // until when its process was a copy of the one that forked it, 0 if it was none
	number  int        // among all threads, in the order in which they were heard of
	// submitter is the thread that asks for the requests of this one, if that has asynchronous operations; else 0.
	submitter uint32
}

// in is the call or fault that the thread was in just before an instant, and when that began.
func (t *thread) in(at int64) (Call, int64) {
	switch {
	case t.fault.covers(at):
		return t.fault.call, t.fault.start
	case t.call.covers(at):
		since := t.call.start
		if t.fault.end > since && t.fault.end < at {
			since = t.fault.end
		}
		return t.call.call, since
	}
	c := Call{Copy: at <= t.copied}
	return c, max(t.before(at, t.fault.end), t.before(at, t.call.end), t.before(at, t.copied))
}

// before is an end that lies before an instant, so that what ended then is no longer part of it.
func (t *thread) before(at, end int64) int64 {
	if end < at {
		return end
	}
	return 0
}

// Kin is what has to be known of threads and processes beforehand.
type Kin interface {
	// Known says of the number of a thread whether that was recorded, or followed as a helper from some time on.
	Known(tid uint32) (recorded, helper bool)
	// Kernel reports whether a thread that was not recorded is one of the kernel.
	Kernel(tid uint32) bool
	// First is when a recorded thread was heard first, if it waited before that; else 0.
	First(tid uint32) int64
	// Until is until when a recorded thread did something at least; it may compute, and make no event.
	Until(tid uint32) int64
	// Copied is until when a thread was that of a process which had been forked and had not executed a program, 0 if it
	// did not execute one, or if that was not recorded.
	Copied(tid uint32) int64
	// Parent is the process that made a process, 0 if that was not recorded.
	Parent(pid uint32) uint32
	// Submitter is the thread that a thread queues requests for, itself mostly, and whether that one has asynchronous
	// operations.
	Submitter(tid uint32) (thread uint32, async bool)
}

// threads are those that were heard of, by number.
type threads struct {
	kin  Kin
	all  map[uint32]*thread
	last *thread // that was asked for
	asks asks
}

func newThreads(kin Kin) *threads { return &threads{kin: kin, all: map[uint32]*thread{}} }

func (m *threads) get(id uint32) *thread {
	if m.last != nil && m.last.id == id {
		return m.last
	}
	t := m.all[id]
	if t == nil {
		recorded, helper := m.kin.Known(id)
		t = &thread{id: id, number: len(m.all), apart: !recorded, unseen: !recorded && !helper,
			other: !recorded && !m.kin.Kernel(id), copied: m.kin.Copied(id)}
		if by, async := m.kin.Submitter(id); async {
			t.submitter = by
		}
		m.all[id] = t
	}
	m.last = t
	return t
}

func callOf(e *trace.Syscall) stretch {
	return stretch{e.Start, e.End(), Call{Op: e.Op, In: true, File: e.File}, e.Flags&trace.FlagPolled != 0, looks(e)}
}

func faultOf(e *trace.Fault) stretch {
	c := Call{Op: trace.OpRead, In: true, Fault: true, File: e.File}
	return stretch{start: e.Start, end: e.Start + e.Duration, call: c}
}

// looks reports whether a call looks for what is done, and waits for nothing.
func looks(e *trace.Syscall) bool {
	switch e.Op {
	case trace.OpAIOGetEvents:
		return true
	case trace.OpUringEnter:
		return e.Requested == 0
	case trace.OpRead:
		return e.Errno() == int64(trace.ErrAgain)
	}
	return false
}

// looks reports whether a thread wakes from a sleep now and then to look after others: it works for nobody.
func (t *thread) looks() bool {
	return t.wait.By == trace.WokenByTimer && t.wait.Cause == trace.WaitSleep
}
