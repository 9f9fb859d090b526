package path

import (
	"math"

	"github.com/iotrace/iotrace/trace"
)

// A ring may have a thread in the kernel, which takes up what the program puts there, without a call of that.
// That the program did something shows in the requests of that thread, as soon as it has a CPU.

// ofRing reports whether a thread is that of a ring, or a worker of one: it makes no calls.
func (t *thread) ofRing() bool { return t.submitter != 0 && t.submitter != t.id }

// asker is who asks for what a thread does: the thread itself, but for one of a ring.
func (t *thread) asker() uint32 {
	if t.ofRing() {
		return t.submitter
	}
	return t.id
}

// submissions are when the thread of a ring was last seen to ask for requests, as they were done.
type submissions struct {
	at   [64]int64 // more than are in flight mostly
	next int
}

func (s *submissions) add(at int64) {
	s.at[s.next] = at
	s.next = (s.next + 1) % len(s.at)
}

// after is the first one after an instant.
func (s *submissions) after(at int64) int64 {
	first := int64(math.MaxInt64)
	for _, x := range s.at {
		if x >= at {
			first = min(first, x)
		}
	}
	return first
}

// delays are the times in which the thread on the path was ready, or that of its ring, the last ones.
type delays struct {
	list [16]struct{ from, to int64 }
	next int
}

// note is for a time in which one of them was ready.
func (d *delays) note(e *trace.Wait) {
	d.list[d.next].from, d.list[d.next].to = e.Start, e.End()
	d.next = (d.next + 1) % len(d.list)
}

// within is how much of a time they took, at most all of it.
func (d *delays) within(from, to int64) (ns int64) {
	for _, x := range d.list {
		ns += max(0, min(x.to, to)-max(x.from, from))
	}
	return min(ns, to-from)
}
