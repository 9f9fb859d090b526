package path

import "github.com/iotrace/iotrace/trace"

// A thread waits to be asked where it waits for a descriptor, a time or another thread. Whether that time is a part of
// an operation is told by who ended it: somebody outside asked for something new, and another thread of the workload
// had its part in what is to be answered. Where nobody is answered, whoever ended it asked for something new.

// asking tells the time in which threads wait to be asked.
type asking struct {
	lines Lines
	kin   Kin
	start int64 // of the recording
}

// idle reports whether a thread waited to be asked.
func (x *asking) idle(t *thread, e *trace.Wait) bool {
	switch e.Cause {
	case trace.WaitIO, trace.WaitThrottle, trace.WaitReady:
		return false
	}
	if e.Cause.Halted() {
		return false
	}
	c, _ := t.in(e.End())
	switch {
	case c.Fault:
		return false
	case c.In:
		return x.awaits(&c) && e.By != trace.WokenByRequest
	case e.Cause == trace.WaitPoll, e.Cause == trace.WaitTimeout:
		return !x.asks(t, e.End())
	case e.Cause == trace.WaitOther && e.Start <= x.start && !x.kernel(t.id):
		return true // since before the recording, which saw no call: a thread of a pool, for one, until there is work
	case e.Cause == trace.WaitOther && e.By != trace.WokenByThread:
		return e.By != trace.WokenByRequest // which a worker of the kernel waited for
	case e.Cause == trace.WaitOther:
		return x.outside(e) && !x.kernel(e.Waker)
	}
	return true
}

// awaits reports whether a call is one in which a thread waits to be asked.
func (x *asking) awaits(c *Call) bool {
	switch c.Op {
	case trace.OpAccept, trace.OpUringEnter, trace.OpAIOGetEvents:
		return true
	case trace.OpRead, trace.OpSplice:
		l := x.lines.Line(c.File)
		return l != NoLine && l != Asks
	}
	return false
}

// asks reports whether the next thing that a thread did after an instant was to read an answer of somebody else.
func (x *asking) asks(t *thread, at int64) bool {
	c := &t.call
	return c.start >= at && c.call.Op == trace.OpRead && x.lines.Line(c.call.File) == Asks
}

// outside reports whether a wait was ended by somebody who is no part of the workload: a packet, a time, a program that
// was not recorded.
func (x *asking) outside(e *trace.Wait) bool {
	if e.By != trace.WokenByThread {
		return true
	}
	recorded, _ := x.kin.Known(e.Waker)
	return !recorded
}

// kernel reports whether a helper is a thread of the kernel.
func (x *asking) kernel(id uint32) bool { return x.kin.Kernel(id) }
