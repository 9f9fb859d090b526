package whatif

import (
	"slices"
	"sort"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/trace"
)

// history is what was recorded of a thread.
type history struct {
	thread, process uint32
	calls           []program.Step // by their start, like waits
	waits           []trace.Wait
	asyncs          []program.Step // start when handed in, end when collected
	acted           []int64        // when it made a thread, or woke one
	begin           begin
	begun           bool
	exit            int64
	exited          bool  // or it ran until the recording ended
	ran             int64 // when it got a processor last
	computes        bool  // though it may have made no call
	helps           bool  // not recorded itself: it woke one that is
	since           int64 // from when on its waits are recorded, if it helps
	cutPoints       []cutPoint
	stretches       []stretch // in which it looked again and again
}

// span is a time in which something went on.
type span struct{ start, end int64 }

// begin is how a thread came to be.
type begin struct {
	at     int64
	parent uint32 // the thread that made it
}

// stretch is a row of sleeps that is one wait: the thread did nothing else until
// another one ended, as a program that looks every 10 ms whether its children are
// still there.
type stretch struct {
	from, until int64
	end         wakeup // of the other thread
}

// during is the call that was going on at a time, nil if there was none.
func (h *history) during(at int64) *program.Step {
	i := sort.Search(len(h.calls), func(i int) bool { return h.calls[i].Start > at }) - 1
	if i < 0 || h.calls[i].End < at {
		return nil
	}
	return &h.calls[i]
}

// asleep is the wait that was going on at a time, nil if there was none.
func (h *history) asleep(at int64) *trace.Wait {
	i := sort.Search(len(h.waits), func(i int) bool { return h.waits[i].Start >= at }) - 1
	if i < 0 || h.waits[i].End() <= at {
		return nil
	}
	return &h.waits[i]
}

// wokenUntil is the last wait that was over at a time, nil if there was none.
func (h *history) wokenUntil(at int64) *trace.Wait {
	i := sort.Search(len(h.waits), func(i int) bool { return h.waits[i].End() > at }) - 1
	if i < 0 {
		return nil
	}
	return &h.waits[i]
}

// within is the stretch that holds a moment.
func within(list []stretch, at int64) *stretch {
	i := sort.Search(len(list), func(i int) bool { return list[i].until >= at })
	if i < len(list) && list[i].from <= at {
		return &list[i]
	}
	return nil
}

// known reports whether anything is known that the thread did.
func (h *history) known() bool { return len(h.calls)+len(h.waits) > 0 || h.computes }

// end is when the thread ended, or was last heard of; 0 if it never was.
func (h *history) end() int64 {
	if h.exited {
		return h.exit
	}
	end := h.ran
	for i := range h.calls {
		end = max(end, h.calls[i].End)
	}
	for i := range h.waits {
		end = max(end, h.waits[i].End())
	}
	return end
}

// first is when the thread was first heard of: a program is read in before it begins.
func (h *history) first() int64 {
	at := int64(1 << 62)
	if len(h.calls) > 0 {
		at = min(at, h.calls[0].Start)
	}
	if len(h.waits) > 0 {
		at = min(at, h.waits[0].Start)
	}
	for i := range h.cutPoints {
		at = min(at, h.cutPoints[i].at)
	}
	return at
}

// acts are the moments at which the thread did something that matters to others: it
// made or woke a thread, or asked for a request.
func (h *history) acts() []int64 {
	list := slices.Clone(h.acted)
	for i := range h.cutPoints {
		if m := &h.cutPoints[i]; m.what == Submits {
			list = append(list, m.at)
		}
	}
	slices.Sort(list)
	return list
}

// wakeups appends the moments at which the thread may have woken another one. What
// it does between two looks wakes nobody.
func (h *history) wakeups(list []wakeup) []wakeup {
	add := func(at int64) {
		if s := within(h.stretches, at); s == nil || at <= s.from || at >= s.until {
			list = append(list, wakeup{at, h.thread})
		}
	}
	for i := range h.calls {
		add(h.calls[i].Start)
		add(h.calls[i].End)
	}
	for i := range h.waits {
		if h.waits[i].Cause != trace.WaitSleep {
			add(h.waits[i].Start)
		}
	}
	return list
}

// add appends a cut point.
func (h *history) add(m cutPoint) { h.cutPoints = append(h.cutPoints, m) }

// whole is the thread with all its steps, the last of which is its end.
func (h *history) whole(start anchor) Thread {
	begin := start.After
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
	h.add(cutPoint{at: end, what: Ends})
	return Thread{Number: h.thread, Begin: start, Steps: cut(begin, h.cutPoints), End: end}
}
