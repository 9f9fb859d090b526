package path

import "github.com/iotrace/iotrace/trace"

// The threads of a pool, or of a runtime such as Go's, do what there is to do, whichever of them is free. One that has
// nothing waits with a limit: the time until it has to look again. What it takes up after that another one has left.
// So the path goes on with one that worked as the limit was reached. If none did, all waited for that time.

// maxLately bounds the threads that are asked.
const maxLately = 16

// note is for a thread of which an event tells: of those heard lately it is the first.
func (w *Walk) note(t *thread) {
	if w.lately[0] == t {
		return
	}
	i := 1
	for i < maxLately-1 && w.lately[i] != t {
		i++
	}
	copy(w.lately[1:i+1], w.lately[:i])
	w.lately[0] = t
}

// worker is a thread of the process on the path that runs now, or waits for a processor; else one that waits for a
// request; nil if there is none.
func (w *Walk) worker() (waiting *thread) {
	for _, t := range w.lately {
		if t == nil || t == w.on || t.pid != w.on.pid || t.made || t.looks() {
			continue
		}
		switch e := &t.wait; {
		case w.now <= e.Start || e.End() <= w.now || e.Cause == trace.WaitReady:
			return t
		case waiting == nil && (e.By == trace.WokenByRequest || e.Cause == trace.WaitIO):
			waiting = t
		}
	}
	return waiting
}

// looks reports whether a thread wakes from a sleep now and then to look after others: it works for nobody.
func (t *thread) looks() bool { return t.wait.By == trace.WokenByTimer && t.wait.Cause == trace.WaitSleep }
