package timeline

import "math/bits"

// state is what a thread does; times per state are thread times.
type state uint8

const (
	gone state = iota // has ended, or was not heard from any more
	inData
	inMeta
	inOther
	inSync
	inAsync
	running
	waitsIO
	wakes      // its I/O is done, and the processor is about to run it
	runnable   // its I/O is done, and others run
	preempted  // the processor was taken away
	waitsAsync // for asynchronous operations
	waitsThrottle
	waitsCall
	waitsOther
	numStates
)

// Window is the stretch of time a Stack labels.
type Window struct {
	Start int64 // of the workload
	Wall  int64 // the command returned
	End   int64 // its data was written back, or recording ended
	Waits bool  // waits were recorded: running and blocked threads can be told apart
	// Last says when a thread was last heard from: after that it is not taken to
	// be running. Nil if that is not known.
	Last func(tid uint32) int64
	// Bin, if it is not nil, is told every stretch of time and its kind.
	Bin func(k Kind, from, to int64)
}

// Stack gives every instant of a window one label. It takes intervals in the
// order of their starts.
type Stack struct {
	Window
	at      int64
	device  [3]int
	queued  int // requests that wait in the block layer
	copying int // asynchronous operations in flight that go through the page cache
	states  [numStates]int
	present uint16 // bit i: there are threads in state i
	threads map[uint32]*thread
	recent  [16]*thread // some of them, by number
	ends    queue[change]
	sum     Times
}

// change is the end of an interval.
type change struct {
	what   changeKind
	dir    Direction
	thread *thread
	mark   func(*Times)
}

type changeKind uint8

const (
	endRequest changeKind = iota
	endQueued
	endBuffered
	endCall
	endWait
	mark
)

// NewStack makes a Stack for a window.
func NewStack(w Window) *Stack {
	w.Wall = max(w.Start, w.Wall)
	w.End = max(w.Wall, w.End)
	return &Stack{Window: w, at: w.Start, threads: map[uint32]*thread{}}
}

// Request adds a block request, which a thread has queued.
func (s *Stack) Request(tid uint32, dir Direction, start, end int64) {
	s.advance(start)
	s.device[dir]++
	s.ends.push(end, change{what: endRequest, dir: dir, thread: s.expects(tid)})
}

// expects notes that a thread has one more request under way; nil if nothing
// is known of it.
func (s *Stack) expects(tid uint32) *thread {
	t := s.recent[tid%uint32(len(s.recent))]
	if t == nil || t.tid != tid {
		t = s.threads[tid]
	}
	if t != nil {
		t.pending++
		t.served, t.waking = false, false
		s.update(t)
	}
	return t
}

// serves notes that a request of a thread is done. When it was the last one and
// the thread has waited for it, the thread waits for a processor from now on.
func (s *Stack) serves(t *thread) {
	if t == nil {
		return
	}
	t.pending--
	t.served = t.pending == 0 && t.waits > 0
	t.waking = t.served && t.until-s.at <= WakeUp
	s.update(t)
}

// Queued adds the time a request waited in the block layer.
func (s *Stack) Queued(tid uint32, start, end int64) {
	s.advance(start)
	s.queued++
	s.ends.push(end, change{what: endQueued, thread: s.expects(tid)})
}

// Buffered adds an asynchronous operation that goes through the page cache:
// unless a device is busy with it, the processor is.
func (s *Stack) Buffered(start, end int64) {
	s.advance(start)
	s.copying++
	s.ends.push(end, change{what: endBuffered})
}

// Call adds a call or a page fault of a thread.
func (s *Stack) Call(pid, tid uint32, class Class, start, end int64) {
	s.advance(start)
	t := s.thread(pid, tid)
	if t.calls == 0 {
		t.class = class
	}
	t.calls++
	s.update(t)
	s.ends.push(end, change{what: endCall, thread: t})
}

// WakeUp is how long it may take from the end of a thread's I/O until it runs, ns, without another thread having been
// in between: the interrupt, a processor that leaves its idle state (10 to 50 µs in the deeper ones), the switch. The
// recorder does not count it as an interruption either if a thread loses the processor for less.
const WakeUp = 50_000

// Wait adds a time off the CPU of a thread.
func (s *Stack) Wait(pid, tid uint32, cause Cause, start, end int64) {
	s.advance(start)
	t := s.thread(pid, tid)
	t.cause = cause
	t.waits++
	t.until = end
	t.served, t.waking = false, false
	s.update(t)
	s.ends.push(end, change{what: endWait, thread: t})
}

// Begin says that a thread runs from now on.
func (s *Stack) Begin(pid, tid uint32, at int64) {
	s.advance(at)
	s.settle(s.thread(pid, tid))
}

// Exit says that a thread has ended; all threads of the process if tid is 0.
func (s *Stack) Exit(pid, tid uint32, at int64) {
	s.advance(at)
	if t := s.threads[tid]; t != nil {
		s.drop(t)
	}
	if tid != 0 {
		return
	}
	for _, t := range s.threads {
		if t.pid == pid {
			s.drop(t)
		}
	}
}

// Mark calls f with the sums up to a time, once they are known. They are valid until f returns.
func (s *Stack) Mark(at int64, f func(*Times)) {
	s.ends.push(max(at, s.at), change{what: mark, mark: f})
}

// Finish moves on to the end of the window and returns the sums.
func (s *Stack) Finish() Times {
	s.advance(s.End)
	for len(s.ends) > 0 { // marks behind the end
		if c := s.ends.pop().value; c.what == mark {
			c.mark(&s.sum)
		}
	}
	return s.sum
}

func (s *Stack) thread(pid, tid uint32) *thread {
	quick := &s.recent[tid%uint32(len(s.recent))]
	if t := *quick; t != nil && t.tid == tid {
		return t
	}
	t := s.threads[tid]
	if t == nil {
		t = &thread{tid: tid, pid: pid, last: 1<<63 - 1}
		if s.Last != nil {
			t.last = s.Last(tid)
		}
		s.threads[tid] = t
	}
	*quick = t
	return t
}

func (s *Stack) drop(t *thread) {
	s.become(t, gone)
	delete(s.threads, t.tid)
	if quick := &s.recent[t.tid%uint32(len(s.recent))]; *quick == t {
		*quick = nil
	}
	t.last = -1 // what still ends finds it asleep
}

// settle is update after something has ended. A thread of which nothing is heard any more is forgotten: a trace
// may have millions, one after the other. If it is heard of after all, it is as it was.
func (s *Stack) settle(t *thread) {
	s.update(t)
	if t.state == gone && t.calls == 0 && t.waits == 0 && t.pending == 0 && s.threads[t.tid] == t {
		s.drop(t)
	}
}

// advance moves on to time t.
func (s *Stack) advance(t int64) {
	for len(s.ends) > 0 && s.ends[0].at <= t {
		e := s.ends.pop()
		s.account(e.at)
		s.end(e.value)
	}
	s.account(t)
}

func (s *Stack) end(c change) {
	switch c.what {
	case endRequest:
		s.device[c.dir]--
		s.serves(c.thread)
	case endQueued:
		s.queued--
		s.serves(c.thread)
	case endBuffered:
		s.copying--
	case endCall:
		c.thread.calls--
		s.settle(c.thread)
	case endWait:
		c.thread.waits--
		s.settle(c.thread)
	case mark:
		c.mark(&s.sum)
	}
}

// account gives the time up to t its label.
func (s *Stack) account(t int64) {
	if t = min(t, s.End); t <= s.at {
		return
	}
	if to := min(t, s.Wall); s.at < to {
		l := s.label()
		s.add(l, s.at, to)
		if l == Ready && s.states[runnable]+s.states[preempted] == 0 {
			s.sum.Waking += to - s.at
		}
		switch {
		case s.runs():
		case s.onDisk():
			s.sum.Disk += to - s.at
		case s.states[wakes]+s.states[runnable] > 0:
			s.sum.Wake += to - s.at
		}
		for m := s.present; m != 0; m &= m - 1 {
			i := bits.TrailingZeros16(m)
			s.sum.thread[i] += int64(s.states[i]) * (to - s.at)
		}
		s.at = to
	}
	if s.at < t {
		s.add(Draining, s.at, t)
		s.at = t
	}
}

func (s *Stack) add(l Label, from, to int64) {
	s.sum.Label[l] += to - from
	if s.Bin != nil {
		s.Bin(Kind(l), from, to)
	}
}

// runs reports whether a thread is on the CPU, or ready to be.
func (s *Stack) runs() bool {
	return s.present&(1<<running|1<<inData|1<<inMeta|1<<inOther|1<<inAsync|1<<preempted) != 0
}

// onDisk reports whether a thread waits for the disk.
func (s *Stack) onDisk() bool {
	busy := s.device[Read] > 0 || s.device[Write] > 0 || s.device[OtherRequest] > 0
	return s.states[waitsIO] > 0 || s.states[waitsAsync] > 0 && (busy || s.copying == 0)
}

// plugged reports whether requests are queued that a thread which lost the CPU has not sent on (blk_start_plug of the
// kernel): nobody waits for them yet.
func (s *Stack) plugged() bool {
	return s.states[preempted] > 0 && s.states[waitsIO]+s.states[waitsAsync]+s.states[waitsThrottle] == 0
}

func (s *Stack) label() Label {
	read, write := s.device[Read] > 0, s.device[Write] > 0
	switch {
	case read && write:
		return DeviceBoth
	case read:
		return DeviceRead
	case write:
		return DeviceWrite
	case s.device[OtherRequest] > 0:
		return DeviceOther
	case s.queued > 0 && !s.plugged():
		return Queued
	case s.states[waitsThrottle] > 0:
		return Throttled
	case s.states[inSync] > 0:
		return Sync
	case s.states[inData] > 0, s.copying > 0 && s.states[inAsync]+s.states[waitsAsync] > 0:
		return PageCache
	case s.states[inMeta] > 0:
		return Metadata
	case s.states[inOther] > 0, s.states[inAsync] > 0:
		return OtherCall
	case s.states[running] > 0 && s.Waits:
		return CPU
	case s.states[wakes] > 0, s.states[runnable] > 0, s.states[preempted] > 0:
		return Ready
	case s.states[waitsIO] > 0, s.states[waitsAsync] > 0:
		return IOWait
	case s.states[waitsCall] > 0:
		return Blocked
	case s.Waits:
		return Waiting
	}
	return Outside
}
