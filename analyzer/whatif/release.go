package whatif

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
		if s.waitsFor(n) != nil {
			a.next, a.ran = a.next+1, false
		}
		a.waiter = gone
		s.events.Push(event{a.now, n, gone})
		return true
	}
	return false
}

// waitsFor is the step that a thread waits at, nil if it waits to begin or has come to its end.
func (s *simulation) waitsFor(n int32) *Step {
	a, t := &s.actors[n], &s.threads[n]
	if begun(a, t) && a.next < len(t.Steps) {
		return &t.Steps[a.next]
	}
	return nil
}

// begun reports whether a thread does not wait to begin.
func begun(a *actor, t *Thread) bool { return a.next > 0 || a.ran || t.Begin.What != AfterMark }

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
	if step := s.waitsFor(n); step != nil {
		return s.actors[n].now + float64(step.Length)
	}
	return s.actors[n].now
}

// awaited is the thread that makes happen what another one waits for, gone if none does.
func (s *simulation) awaited(n int32) int32 {
	if t := &s.threads[n]; !begun(&s.actors[n], t) {
		return s.makers[forMark][t.Begin.Index]
	}
	if step := s.waitsFor(n); step != nil {
		switch step.What {
		case Needs:
			return s.makers[forRequest][step.Index]
		case Follows:
			return s.makers[forMark][step.Index]
		}
	}
	return gone
}

// makers are the threads that ask for each request, or for what it comes after, and those that come to each mark; gone
// where none does.
func makers(threads []Thread, causes []anchor, marks int) (by [2][]int32) {
	by[forRequest], by[forMark] = nowhere(len(causes)), nowhere(marks)
	for i := range threads {
		for _, step := range threads[i].Steps {
			switch step.What {
			case Submits:
				by[forRequest][step.Index] = int32(i)
			case Marks:
				by[forMark][step.Index] = int32(i)
			}
		}
	}
	for n, c := range causes { // what a request comes after was complete before it, with few exceptions
		switch c.What {
		case AfterMark:
			by[forRequest][n] = by[forMark][c.Index]
		case AfterDone, AfterAsked:
			by[forRequest][n] = by[forRequest][c.Index]
		}
	}
	return by
}
