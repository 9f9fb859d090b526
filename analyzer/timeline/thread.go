package timeline

// thread is what one thread is doing.
type thread struct {
	tid, pid uint32
	class    Class
	cause    Cause
	calls    int // nested: a call, a fault within it
	waits    int
	until    int64 // the end of the last of its waits
	pending  int   // requests it has queued
	served   bool  // the last one was done during this wait
	waking   bool  // and the processor took no longer than WakeUp to run it again
	state    state
	last     int64 // nothing was heard of it afterwards
}

// update finds the state of a thread after something about it has changed.
func (s *Stack) update(t *thread) { s.become(t, t.now(s.at)) }

func (s *Stack) become(t *thread, to state) {
	if t.state == to {
		return
	}
	if s.states[t.state]--; s.states[t.state] == 0 {
		s.present &^= 1 << t.state
	}
	s.states[to]++
	s.present |= 1 << to
	t.state = to
}

func (t *thread) now(at int64) state {
	switch {
	case t.calls > 0 && t.class == SyncCall:
		return inSync
	case t.waits > 0:
		return t.blocked()
	case t.calls > 0 && t.class == DataCall:
		return inData
	case t.calls > 0 && t.class == MetaCall:
		return inMeta
	case t.calls > 0 && t.class == AsyncCall:
		return inAsync
	case t.calls > 0:
		return inOther
	case at >= t.last:
		return gone
	}
	return running
}

func (t *thread) blocked() state {
	switch {
	case t.cause == WaitReady:
		return preempted
	case t.cause == WaitThrottle:
		return waitsThrottle
	case t.calls > 0 && t.class == AsyncCall:
		return waitsAsync // the kernel counts that as waiting for I/O, whatever the operations do
	case t.cause == WaitIO:
		switch {
		case t.waking:
			return wakes
		case t.served:
			return runnable
		}
		return waitsIO
	case t.calls > 0 && t.class != AskedCall:
		return waitsCall
	}
	return waitsOther
}
