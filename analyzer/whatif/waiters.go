package whatif

import "github.com/iotrace/iotrace/analyzer/whatif/program"

// waiter is a thread in the list of those that wait for the same.
type waiter struct{ thread, next int32 }

// What a thread can wait for.
const (
	forRequest = iota
	forMark
)

// wait lets a thread wait for a request or a mark.
func (s *simulation) wait(what int, n, thread int32) {
	first := &s.waiting[what][n]
	s.waiters = append(s.waiters, waiter{thread, *first})
	*first = int32(len(s.waiters) - 1)
	s.actors[thread].waiter = *first
}

// wake lets the threads go on that wait for something that is known now. They
// look themselves how long they still have to wait.
func (s *simulation) wake(what int, n int32, at float64) {
	for i := s.waiting[what][n]; i != gone; i = s.waiters[i].next {
		t := s.waiters[i].thread
		if a := &s.actors[t]; a.waiter == i {
			a.waiter = gone
			s.events.Push(event{max(at, a.now), t, gone})
		}
	}
	s.waiting[what][n] = gone
}

// release lets one thread go on that waits for what never comes, or for one that waits for it: its wait is as long as
// it was. It is false if there is none.
func (s *simulation) release() bool {
	for ; s.over < len(s.actors); s.over++ {
		if s.actors[s.over].over {
			continue
		}
		n := s.stuck(int32(s.over))
		a := &s.actors[n]
		a.now = s.goesOn(n)
		if s.begun(n) && a.next < len(s.threads[n].Steps) {
			a.next, a.ran = a.next+1, false
		}
		a.waiter = gone
		s.events.Push(event{a.now, n, gone})
		return true
	}
	return false
}

func (s *simulation) begun(n int32) bool {
	a := &s.actors[n]
	return a.next > 0 || a.ran || s.threads[n].Begin.What != program.AfterMark
}

// stuck is the thread for which a thread waits in the end: one that waits for nobody, or of those that wait for each
// other the one that goes on first if each waits for as long as it did.
func (s *simulation) stuck(n int32) int32 {
	if s.makers[forMark] == nil {
		s.makers = makers(s.threads, s.program.Causes, len(s.marked))
	}
	for seen := map[int32]bool{}; !seen[n]; {
		seen[n] = true
		other := s.awaited(n)
		if other == gone || s.actors[other].over {
			return n
		}
		n = other
	}
	first := n
	for other := s.awaited(n); other != n; other = s.awaited(other) {
		if s.goesOn(other) < s.goesOn(first) {
			first = other
		}
	}
	return first
}

// goesOn is when a thread goes on if it waits for as long as it did.
func (s *simulation) goesOn(n int32) float64 {
	a, t := &s.actors[n], &s.threads[n]
	if s.begun(n) && a.next < len(t.Steps) {
		return a.now + float64(t.Steps[a.next].Length)
	}
	return a.now
}

// awaited is the thread that makes happen what another one waits for, gone if none does.
func (s *simulation) awaited(n int32) int32 {
	a, t := &s.actors[n], &s.threads[n]
	if !s.begun(n) {
		return s.makers[forMark][t.Begin.Index]
	}
	if a.next < len(t.Steps) {
		switch step := &t.Steps[a.next]; step.What {
		case program.Needs:
			return s.makers[forRequest][step.Index]
		case program.Follows:
			return s.makers[forMark][step.Index]
		}
	}
	return gone
}

// makers are the threads that ask for each request, or for what it comes after, and those that come to each mark; gone
// where none does.
func makers(threads []program.Thread, causes []program.Anchor, marks int) (by [2][]int32) {
	by[forRequest], by[forMark] = nowhere(len(causes)), nowhere(marks)
	for i := range threads {
		for _, step := range threads[i].Steps {
			switch step.What {
			case program.Submits:
				by[forRequest][step.Index] = int32(i)
			case program.Marks:
				by[forMark][step.Index] = int32(i)
			}
		}
	}
	for n, c := range causes { // what a request comes after was complete before it, with few exceptions
		switch c.What {
		case program.AfterMark:
			by[forRequest][n] = by[forMark][c.Index]
		case program.AfterDone, program.AfterAsked:
			by[forRequest][n] = by[forRequest][c.Index]
		}
	}
	return by
}
