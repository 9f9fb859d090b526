package path

import "github.com/iotrace/iotrace/trace"

// The threads of a pool, or of a runtime such as Go's, do what there is to do, whichever of them is free. One that has
// nothing waits with a limit: the time until it has to look again. What it takes up after that another one has left.
// So the path goes on with one that worked as the limit was reached. If none did, all waited for that time.

// maxLately bounds the threads that are asked.
const maxLately = 16

// lately are the threads that were heard of, the last one first.
type lately [maxLately]*thread

// note is for a thread of which an event tells.
func (l *lately) note(t *thread) {
	if l[0] == t {
		return
	}
	i := 1
	for i < maxLately-1 && l[i] != t {
		i++
	}
	copy(l[1:i+1], l[:i])
	l[0] = t
}

// worker is another thread of a thread's process that runs at an instant, or waits for a processor; else one that waits
// for a request; nil if there is none.
func (l *lately) worker(than *thread, at int64) (waiting *thread) {
	for _, t := range l {
		if t == nil || t == than || t.pid != than.pid || t.made || t.looks() {
			continue
		}
		switch e := &t.wait; {
		case at <= e.Start || e.End() <= at || e.Cause == trace.WaitReady:
			return t
		case waiting == nil && (e.By == trace.WokenByRequest || e.Cause == trace.WaitIO):
			waiting = t
		}
	}
	return waiting
}
