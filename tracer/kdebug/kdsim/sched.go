package kdsim

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// Wait is the truth about a time that a thread had no processor.
type Wait struct {
	PID, TID   uint32
	Start, End int64 // ticks
	Ready      int64
	By         trace.WakeSource
	Waker      uint32
}

// idle is the thread of a processor that has nothing else to do.
const idle = 3

// what ends a wait: osfmk/kern/kern_types.h.
const awakened, timedOut = 0, 1

// WokenBy has the thread wait for some ticks until another wakes it, and then be ready for some before it runs.
func (t *Thread) WokenBy(waker *Thread, blocked, ready uint64) {
	t.waits(blocked, ready, trace.WokenByThread, uint32(waker.TID), func(at uint64) {
		w := waker.runner
		w.Now = at
		w.log(kdebug.MakeRunnable, t.TID, 31, awakened)
		waker.Now = max(waker.Now, w.Now)
	})
}

// Sleeps has it wait for a time that was set.
func (t *Thread) Sleeps(blocked, ready uint64) {
	t.waits(blocked, ready, trace.WokenByTimer, 0, func(at uint64) {
		w := runner{m: t.m, TID: idle, Now: at}
		w.log(kdebug.MakeRunnable, t.TID, 31, timedOut)
	})
}

// Interrupted has it wait until an interrupt comes to an idle processor.
func (t *Thread) Interrupted(blocked, ready uint64) {
	t.waits(blocked, ready, trace.WokenByInterrupt, 0, func(at uint64) {
		w := runner{m: t.m, TID: idle, Now: at - 24}
		w.log(kdebug.Idle|kdebug.FuncStart, idle)
		w.Now = at
		w.log(kdebug.MakeRunnable, t.TID, 31, awakened)
		w.log(kdebug.Idle|kdebug.FuncEnd, idle)
	})
}

// ReadsDisk has it issue a request and wait for that.
func (t *Thread) ReadsDisk(file string, bytes int64, blocked, ready uint64) {
	buf := t.m.id()
	t.log(kdebug.GroupDisk|kdebug.DiskRead<<2, buf, Device, t.m.block, uint64(bytes))
	t.waits(blocked, ready, trace.WokenByRequest, 7, func(at uint64) {
		w := runner{m: t.m, TID: 7, Now: at - 12}
		w.log(kdebug.GroupDisk|(kdebug.DiskRead|kdebug.DiskDone)<<2, buf, t.m.files[file].vnode, 0, 0)
		w.log(kdebug.MakeRunnable, t.TID, 31, awakened)
	})
}

// Preempted has it wait for a processor alone.
func (t *Thread) Preempted(ticks uint64) {
	const preempt = 1
	begin := t.Now
	t.log(kdebug.Switch, preempt, idle)
	t.runs(begin, begin+ticks, 0, trace.WokenByUnknown, 0)
}

func (t *Thread) waits(blocked, ready uint64, by trace.WakeSource, waker uint32, wake func(at uint64)) {
	t.log(kdebug.Block, 0)
	begin := t.Now
	t.log(kdebug.Switch, 0, idle)
	wake(begin + blocked)
	t.runs(begin, begin+blocked+ready, int64(ready), by, waker)
}

// runs gives it a processor again.
func (t *Thread) runs(begin, at uint64, ready int64, by trace.WakeSource, waker uint32) {
	w := runner{m: t.m, TID: idle, Now: at}
	w.log(kdebug.Switch, 0, t.TID)
	t.Now = at + 12
	t.m.Waits = append(t.m.Waits, Wait{t.Proc.PID, uint32(t.TID), int64(begin - t.m.Base), int64(at - t.m.Base), ready,
		by, waker})
}
