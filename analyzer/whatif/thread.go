package whatif

import (
	"cmp"
	"slices"
)

// thread is what a thread did, one step after the other.
type thread struct {
	number uint32
	begin  anchor // when its first step begins
	steps  []step
	end    int64 // as recorded
	main   bool  // its end is the end of the workload
}

// step is a time on the CPU, and then something that ties the thread to others.
type step struct {
	run   int64 // ns before it
	what  stepKind
	index int32 // of the request or the mark
	after int64 // ns from what was waited for until the thread went on; of a sleep its length
	sync  bool  // within a call that makes data durable
}

type stepKind uint8

const (
	submits stepKind = iota // asks for a request
	needs                   // goes on when a request is complete
	marks                   // a moment that others wait for
	follows                 // goes on after a mark of another thread
	sleeps                  // for a time of its own choice
	stalls                  // waits for I/O that was not seen
	awaits                  // waits for others who were not seen: a server, the holder of a lock
	ends
)

// anchor says when something happens: so long after a moment of a thread, after
// the completion or the asking of a request, or at a time.
type anchor struct {
	what  anchorKind
	index int32
	after int64 // ns; of atTime the time
}

type anchorKind uint8

const (
	byThread   anchorKind = iota // a step of a thread does it
	afterMark                    // after a mark
	afterDone                    // after a request is complete
	afterAsked                   // after a request was asked for
	atTime
)

// cutPoint is a step before the thread's time is cut.
type cutPoint struct {
	at    int64
	what  stepKind
	index int32
	after int64
	until int64 // the end of a wait
	sync  bool
}

// cut makes steps of cut points: what lies between them is time on the CPU.
func cut(begin int64, list []cutPoint) []step {
	slices.SortStableFunc(list, func(a, b cutPoint) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.until, b.until)) // what is done comes before a wait
	})
	steps := make([]step, 0, len(list))
	now := begin
	for _, m := range list {
		s := step{run: max(m.at-now, 0), what: m.what, index: m.index, after: m.after, sync: m.sync}
		steps = append(steps, s)
		now = max(now, m.at, m.until)
	}
	return steps
}
