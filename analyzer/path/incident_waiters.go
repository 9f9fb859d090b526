package path

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// maxWaiting bounds the threads of which it is kept what they did when the condition was met.
const maxWaiting = 1 << 16

// waiters is what threads were in at the instant at which an event ended. It takes events from the last to the first,
// by their ends.
type waiters struct {
	trigger *profile.Trigger
	at      int64
	waits   []trace.Wait         // that span the instant
	inside  map[uint32]waitPlace // calls and page faults that do, by thread
	met     uint32               // thread whose call or page fault met the condition; 0: it was no such event
	done    bool
}

// waitPlace is a call or a page fault, or a wait outside of both.
type waitPlace struct {
	from, to int64
	in       bool
	pid      uint32
	op       trace.Op
	fault    bool
	file     trace.FileID
}

func newWaiters(t *profile.Trigger) *waiters {
	return &waiters{trigger: t, at: ended(t), inside: map[uint32]waitPlace{}}
}

// ended is when the event ended that met the condition. A condition of a device is met later.
func ended(t *profile.Trigger) int64 {
	if t.StartNS > 0 {
		return t.StartNS + t.LatencyNS
	}
	return t.AtNS
}

// spans reports whether something goes on just before the instant. What ended before it is of no use, nor is what
// ended earlier still.
func (w *waiters) spans(from, to int64) bool {
	w.done = w.done || to < w.at
	return from < w.at && to >= w.at
}

// Done reports whether all earlier events had ended before.
func (w *waiters) Done() bool { return w.done }

// Finish says that there are none.
func (w *waiters) Finish() {}

// Call takes a call.
func (w *waiters) Call(e *trace.Syscall) {
	s := waitPlace{from: e.Start, to: e.End(), in: true, pid: e.PID, op: e.Op, file: e.File}
	w.in(e.TID, s, trace.KindSyscall.String())
}

// Fault takes a page fault. One within a call ends first, so it is met last: it is what the thread waited in.
func (w *waiters) Fault(e *trace.Fault) {
	w.in(e.TID, waitPlace{from: e.Start, to: e.Start + e.Duration, in: true, pid: e.PID, op: trace.OpRead, fault: true,
		file: e.File}, trace.KindFault.String())
}

func (w *waiters) in(tid uint32, s waitPlace, kind string) {
	if !w.spans(s.from, s.to) || len(w.inside) >= maxWaiting {
		return
	}
	if t := w.trigger; kind == t.Kind && s.to == w.at && s.pid == t.PID && s.to-s.from == t.LatencyNS {
		w.met = tid
	}
	w.inside[tid] = s
}

// Wait takes a time off the CPU.
func (w *waiters) Wait(e *trace.Wait) {
	if w.spans(e.Start, e.End()) && len(w.waits) < maxWaiting {
		w.waits = append(w.waits, *e)
	}
}

// Request takes a block request.
func (w *waiters) Request(e *trace.Request) { w.spans(w.at, e.Completed) }

// RPC takes what a client asked of a server.
func (w *waiters) RPC(e *trace.RPC) { w.spans(w.at, e.End()) }

// Process takes something in the life of a process.
func (w *waiters) Process(e *trace.Process) { w.spans(w.at, e.Time) }

// levels are the threads that waited: first those that the event itself held up, then those that waited for them, and
// so on. No thread is in two of them.
func (w *waiters) levels() (list [][]trace.Wait) {
	held := map[uint32]bool{w.met: true}
	for next := w.direct(); ; next = func(e *trace.Wait) bool {
		return e.By == trace.WokenByThread && held[e.Waker] && e.Woken() >= w.at
	} {
		var level []trace.Wait
		for i := range w.waits {
			if e := &w.waits[i]; !held[e.TID] && next(e) {
				level = append(level, *e)
			}
		}
		if len(level) == 0 {
			return list
		}
		for i := range level {
			held[level[i].TID] = true
		}
		list = append(list, level)
	}
}

// direct tells the waits that the event itself held up.
func (w *waiters) direct() func(*trace.Wait) bool {
	switch {
	case w.met != 0:
		return func(e *trace.Wait) bool { return e.By == trace.WokenByThread && e.Waker == w.met && e.Woken() >= w.at }
	case w.trigger.Kind == trace.KindRequest.String():
		of := func(e *trace.Wait) bool { return e.By == trace.WokenByRequest && e.Completed == w.at }
		if slices.ContainsFunc(w.waits, func(e trace.Wait) bool { return of(&e) }) {
			return of
		}
	}
	// It was one of several that a thread waited for, or its completion was heard of in another way.
	return func(e *trace.Wait) bool { return e.PID == w.trigger.PID && e.By != trace.WokenByTimer }
}

// operation is what a recorded program did that was held up first, the longest of several; and how many further
// recorded threads were held up.
func (w *waiters) operation(recorded func(tid uint32) bool) (tid uint32, of waitPlace, others int64) {
	if w.met != 0 {
		tid, of = w.met, w.inside[w.met]
	}
	for _, level := range w.levels() {
		first := tid == 0
		for i := range level {
			e := &level[i]
			if !recorded(e.TID) || e.TID == w.met {
				continue
			}
			others++
			if s := w.of(e); first && s.to-s.from > of.to-of.from {
				tid, of = e.TID, s
			}
		}
	}
	if w.met == 0 {
		others = max(others-1, 0)
	}
	return tid, of, others
}

// of is the call or page fault that a thread waited in; where there is none, its wait.
func (w *waiters) of(e *trace.Wait) waitPlace {
	if s, in := w.inside[e.TID]; in {
		return s
	}
	return waitPlace{from: e.Start, to: e.Woken(), pid: e.PID}
}
