package path

import (
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// Whose a thread is.
type Whose uint8

// The threads of a path.
const (
	Workload Whose = iota
	Kernel         // a helper that works for the workload: its requests are the workload's
	Others         // another program: what it does is its own, and the workload waits for it
)

// Label is the label of the time stack that a segment falls under. data says that the file of the call holds data.
func Label(k *Key, whose Whose, data bool) timeline.Label {
	if whose == Others || k.Ask != 0 { // whatever a server does, the workload waits for it
		return waiting(k.Call)
	}
	switch k.What {
	case Stopped, Traced, Frozen:
		return timeline.Waiting
	case Thaw:
		return timeline.Blocked
	case Drains:
		return timeline.Draining
	case Service:
		return atDevice(k.Request.Op)
	case Queued:
		return timeline.Queued
	case Throttled:
		return timeline.Throttled
	case Runs:
		if whose == Workload {
			return inCall(k.Call, data)
		}
	case Ready:
		if whose == Workload {
			return timeline.Ready
		}
	case Unknown:
		if k.Cause == trace.WaitIO {
			return timeline.IOWait
		}
	}
	if whose == Kernel {
		switch {
		case k.Call.Polls: // it brings what was asked for, as a worker does what is typed on a terminal
		case !k.Call.In: // it makes data safe: umount waits for that outside of its call
			return timeline.Sync
		case k.Call.Op == trace.OpWrite: // it writes back what was written before
			return timeline.Throttled
		}
	}
	return waiting(k.Call)
}

func atDevice(op trace.ReqOp) timeline.Label {
	switch op {
	case trace.ReqRead:
		return timeline.DeviceRead
	case trace.ReqWrite:
		return timeline.DeviceWrite
	}
	return timeline.DeviceOther
}

// inCall is for a thread that runs.
func inCall(c Call, data bool) timeline.Label {
	if !c.In {
		return timeline.CPU
	}
	if c.Fault {
		return timeline.OtherCall
	}
	switch timeline.ClassOf(c.Op, data) {
	case timeline.DataCall:
		return timeline.PageCache
	case timeline.SyncCall:
		return timeline.Sync
	case timeline.MetaCall:
		return timeline.Metadata
	}
	return timeline.OtherCall
}

// waiting is for a thread that waits for something that is no device, or for another one that is not recorded.
func waiting(c Call) timeline.Label {
	switch {
	case !c.In, c.Op == trace.OpAccept: // to be asked
		return timeline.Waiting
	case c.Op.Durability():
		return timeline.Sync
	}
	return timeline.Blocked
}
