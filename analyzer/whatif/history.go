package whatif

import (
	"sort"

	"github.com/iotrace/iotrace/trace"
)

// history is what was recorded of a thread.
type history struct {
	thread, process uint32
	calls           []call // by their start, like waits
	waits           []wait
	asyncs          []call // start when handed in, end when collected
	forks           []int64
	begin           begin
	begun           bool
	exit            int64
	exited          bool
	cutPoints       []cutPoint
	stretches       []stretch // in which it looked again and again
}

// wait is a time off the CPU.
type wait struct {
	start, end int64
	cause      trace.WaitCause
}

// call is an operation that may depend on requests.
type call struct {
	start, end int64
	offset     int64
	bytes      int64
	file       trace.FileID
	op         trace.Op
	direct     bool
}

// begin is how a thread came to be.
type begin struct {
	at     int64
	parent uint32 // the thread that made it
}

// during is the call that was going on at a time, nil if there was none.
func (h *history) during(at int64) *call {
	i := sort.Search(len(h.calls), func(i int) bool { return h.calls[i].start > at }) - 1
	if i < 0 || h.calls[i].end < at {
		return nil
	}
	return &h.calls[i]
}

// asleep is the wait that was going on at a time, nil if there was none.
func (h *history) asleep(at int64) *wait {
	i := sort.Search(len(h.waits), func(i int) bool { return h.waits[i].start >= at }) - 1
	if i < 0 || h.waits[i].end <= at {
		return nil
	}
	return &h.waits[i]
}

// killed reports whether a wait was the last thing that a thread did before its process ended: it ended in it.
func (h *history) killed(w wait, exit int64) bool {
	return w.end <= exit && exit-w.end < exitLag && h.waits[len(h.waits)-1] == w &&
		(len(h.calls) == 0 || h.calls[len(h.calls)-1].start < w.end)
}

// known reports whether anything was recorded that the thread did.
func (h *history) known() bool { return len(h.calls)+len(h.waits) > 0 }

// end is when the thread ended, or was last heard of; 0 if it never was.
func (h *history) end() int64 {
	if h.exited {
		return h.exit
	}
	var end int64
	for i := range h.calls {
		end = max(end, h.calls[i].end)
	}
	for i := range h.waits {
		end = max(end, h.waits[i].end)
	}
	return end
}

// first is when the thread was first heard of: a program is read in before it begins.
func (h *history) first() int64 {
	at := int64(1 << 62)
	if len(h.calls) > 0 {
		at = min(at, h.calls[0].start)
	}
	if len(h.waits) > 0 {
		at = min(at, h.waits[0].start)
	}
	for i := range h.cutPoints {
		at = min(at, h.cutPoints[i].at)
	}
	return at
}

// add appends a cut point.
func (h *history) add(m cutPoint) { h.cutPoints = append(h.cutPoints, m) }

// whole is the thread with all its steps, the last of which is its end.
func (h *history) whole(start anchor) thread {
	begin := start.after
	if h.begun {
		begin = h.begin.at
	}
	end := h.end()
	for i := range h.cutPoints { // what is marked after its end belongs to its end
		m := &h.cutPoints[i]
		m.at = max(m.at, begin)
		if m.until == 0 {
			m.at = min(m.at, end)
		}
	}
	h.add(cutPoint{at: end, what: ends})
	return thread{number: h.thread, begin: start, steps: cut(begin, h.cutPoints), end: end}
}
