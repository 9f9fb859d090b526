package whatif

// ahead lets a thread ask for requests earlier than it did: as many as a window
// holds are under way at once. A request that the thread waits for itself is moved
// up to where the one a window before it is complete. It takes for granted that
// the program knows beforehand what it is going to read or write next.
func ahead(s *simulation, t thread) thread {
	list := awaited(s, t.steps)
	if len(list) < 2 {
		return t
	}
	asked := make(map[int32]bool, len(list)) // what is moved
	order := make(map[int32]int, len(list))
	for i, n := range list {
		asked[n], order[n] = true, i
	}
	w := window{simulation: s, list: list}
	steps := make([]step, 0, len(t.steps))
	run := int64(0) // before steps that were moved away
	for _, x := range t.steps {
		x.run, run = x.run+run, 0
		switch {
		case x.what == submits && asked[x.index]:
			run = x.run
			if w.next == 0 {
				steps = w.fill(steps, run)
				run = 0
			}
		case x.what == needs && asked[x.index]:
			for w.next <= order[x.index] { // what is waited for out of turn has to be asked for
				steps = append(steps, step{what: submits, index: list[w.next]})
				w.next++
			}
			steps = append(steps, x)
			w.arrived(order[x.index])
			steps = w.fill(steps, 0)
		default:
			steps = append(steps, x)
		}
	}
	t.steps = steps
	return t
}

// awaited are the requests that a thread asks for and then waits for.
func awaited(s *simulation, steps []step) []int32 {
	at := map[int32]int{}
	var list []int32
	for i, x := range steps {
		switch _, ok := at[x.index]; {
		case x.what == submits:
			at[x.index] = i
			list = append(list, x.index)
		case x.what == needs && ok && !x.sync: // what a sync waits for has its order for a reason
			at[x.index] = -1 // has its need
		}
	}
	kept := list[:0]
	for _, n := range list {
		if at[n] == -1 && (s.Depth > 0 || s.requests[n].service < randomWrite) {
			kept = append(kept, n)
		}
	}
	return kept
}

// window is what a thread has under way.
type window struct {
	*simulation
	list     []int32
	next     int // the first that was not asked for
	complete int
}

// arrived notes that the thread has waited for a request, and so for those before it.
func (w *window) arrived(n int) { w.complete = max(w.complete, n+1) }

// fill asks for as many requests as the window has room for.
func (w *window) fill(steps []step, run int64) []step {
	for w.next < len(w.list) && w.room() {
		steps = append(steps, step{run: run, what: submits, index: w.list[w.next]})
		run = 0
		w.next++
	}
	if run > 0 {
		steps = append(steps, step{run: run, what: sleeps})
	}
	return steps
}

func (w *window) room() bool {
	if w.next <= w.complete {
		return true
	}
	if w.Depth > 0 {
		return w.next-w.complete < w.Depth
	}
	var bytes int64
	for _, n := range w.list[w.complete:w.next] {
		bytes += w.requests[n].bytes
	}
	return bytes < w.ReadAhead
}
