package survey

import "github.com/iotrace/iotrace/trace"

// A thread that computes, and makes no call, leaves no event: before its first one, in a process that was there before
// the recording, and after its last one, in a process that still runs in the end, nothing tells it from a thread that
// is blocked all that time. The CPU time of its process does.

// unheard is what is known of the CPU time of processes that may have run without an event.
type unheard struct {
	present map[uint32]mark // that were there before
	last    map[uint32]mark // their exits, and processes that still ran
	begins  map[uint32]bool // their main threads ran from the beginning on
	ends    map[uint32]bool // or until the end
	heard   map[uint32]int  // of those that were there before: how many threads were heard
}

// mark is what CPU time a process had had by a time.
type mark struct {
	time, cpu int64
	exit      bool
}

func newUnheard() unheard {
	return unheard{map[uint32]mark{}, map[uint32]mark{}, map[uint32]bool{}, map[uint32]bool{}, map[uint32]int{}}
}

func (u *unheard) process(e *trace.Process) {
	was, present := u.present[e.PID]
	switch {
	case len(u.last) >= MaxThreads || len(u.present) >= MaxThreads:
	case e.Action == trace.ProcessPresent:
		u.present[e.PID] = mark{time: e.Time, cpu: e.CPU}
	case e.Action == trace.ProcessFork && e.TID == e.PID: // a number that is used again
		delete(u.present, e.PID)
		delete(u.last, e.PID)
	case e.CPU == 0 || present && (was.cpu == 0 || e.CPU < was.cpu): // not known
	case e.Action == trace.ProcessRunning, e.Action == trace.ProcessExit && present:
		u.last[e.PID] = mark{e.Time, e.CPU, e.Action == trace.ProcessExit}
	}
}

// attribute gives what processes ran beyond what their events tell to their main threads.
func (u *unheard) attribute(t *threads) {
	for _, x := range t.Threads {
		if _, ok := u.present[x.PID]; ok && x.Events > 0 {
			u.heard[x.PID]++
		}
	}
	if len(u.last) == 0 {
		return
	}
	told := map[uint32]int64{} // what threads seem to have run, by process
	for _, x := range t.Threads {
		if _, ok := u.last[x.PID]; ok && x.Events > 0 {
			told[x.PID] = min(told[x.PID]+max(x.last-x.first-x.waited, 0), trace.MaxTotal)
		}
	}
	for pid, end := range u.last {
		x := t.get(pid, pid)
		first, last := x.first, x.last
		if x.Events == 0 {
			first, last = end.time, end.time
		}
		was, present := u.present[pid]
		var silent int64
		if present {
			silent += max(first-was.time, 0)
		}
		if !end.exit {
			silent += max(end.time-last, 0)
		}
		// Somebody else may have had the processor for a part of it.
		if 2*(end.cpu-was.cpu-told[pid]) < silent {
			continue
		}
		u.begins[pid] = present
		if !end.exit {
			u.ends[pid] = true
			x.last = max(x.last, end.time)
		}
	}
}

// ComputingFirst reports whether the main thread of a process ran from the beginning of the recording on, though it
// made no call.
func (u *unheard) ComputingFirst(pid uint32) bool { return u.begins[pid] }

// ComputingLast reports whether it ran until the end of the recording.
func (u *unheard) ComputingLast(pid uint32) bool { return u.ends[pid] }

// Heard is how many threads left an event of a process that was there before the recording.
func (u *unheard) Heard(pid uint32) int { return u.heard[pid] }
