package whatif

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
