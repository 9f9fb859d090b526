package whatif

import "github.com/iotrace/iotrace/analyzer/world"

// ahead lets threads ask for requests earlier than they did: as many as a window
// holds are under way at once. A request that a thread waits for itself is moved up
// to where the one a window before it is complete. Depth takes for granted that the
// program knows beforehand what it is going to read or write next; the kernel reads
// ahead in one file only, and further the longer that was read in order.
func (r *Recording) ahead(was []Thread, c Change) []Thread {
	threads := make([]Thread, len(was))
	p := r.program
	w := window{requests: p.Requests, devices: p.Devices, Change: c, place: nowhere(len(p.Requests))}
	for i, t := range was {
		if w.begin(&t); len(w.list) > 1 {
			t.Steps = w.moved(t.Steps)
		}
		threads[i] = t
	}
	return threads
}

// window is what a thread has under way.
type window struct {
	Change
	requests []Request
	devices  []*world.Device
	list     []int32 // what the thread asks for and then waits for
	place    []int32 // of requests: in the list, gone if it is not there
	next     int     // the first that was not asked for
	complete int     // how many the thread has waited for
	bytes    int64   // under way
	row      int64   // bytes of a file that were asked for in order
}

// firstAhead is how much a kernel reads ahead of a reader that has just begun, in bytes, at most.
const firstAhead = 256 << 10

// begin finds what a thread asks for and then waits for.
func (w *window) begin(t *Thread) {
	const needed = 0
	w.list, w.next, w.complete, w.bytes = w.list[:0], 0, 0, 0
	w.row = 0
	for _, x := range t.Steps {
		switch {
		case x.What == Submits:
			w.list = append(w.list, x.Index)
		case x.What == Needs && x.Ordered: // has its order for a reason
		case x.What == Needs && w.requests[x.Index].Thread == t.Number:
			w.place[x.Index] = needed
		}
	}
	kept := w.list[:0]
	for _, n := range w.list {
		r := &w.requests[n]
		if w.place[n] == needed && (w.Depth > 0 || r.Ahead && w.devices[r.Device].ReadAhead < w.ReadAhead) {
			w.place[n] = int32(len(kept))
			kept = append(kept, n)
		} else {
			w.place[n] = gone
		}
	}
	w.list = kept
}

// holds reports whether a request is one that is moved.
func (w *window) holds(n int32) bool {
	p := w.place[n]
	return p != gone && int(p) < len(w.list) && w.list[p] == n
}

// moved are the steps of the thread with what it asks for moved up.
func (w *window) moved(was []Step) []Step {
	steps := make([]Step, 0, len(was))
	run := int64(0) // before steps that were moved away
	for _, x := range was {
		x.Run, run = x.Run+run, 0
		switch {
		case x.What == Submits && w.holds(x.Index):
			run = x.Run
			if place := int(w.place[x.Index]); place == w.next && !w.goesOn() {
				w.row = 0
				steps = w.fill(append(steps, w.submit(run)), 0)
				run = 0
			}
		case x.What == Needs && w.holds(x.Index):
			place := int(w.place[x.Index])
			for w.next <= place { // what is waited for out of turn has to be asked for
				steps = append(steps, w.submit(0))
			}
			steps = append(steps, x)
			w.arrived(place)
			steps = w.fill(steps, 0)
		default:
			steps = append(steps, x)
		}
	}
	return steps
}

// submit asks for the next request.
func (w *window) submit(run int64) Step {
	n := w.list[w.next]
	w.next++
	w.bytes += w.requests[n].Bytes
	w.row += w.requests[n].Bytes
	return Step{Run: run, What: Submits, Index: n}
}

// arrived notes that the thread has waited for a request, and so for those before it.
func (w *window) arrived(place int) {
	for ; w.complete <= place; w.complete++ {
		w.bytes -= w.requests[w.list[w.complete]].Bytes
	}
}

// fill asks for as many requests as the window has room for.
func (w *window) fill(steps []Step, run int64) []Step {
	for w.next < len(w.list) && w.goesOn() && w.room() {
		steps = append(steps, w.submit(run))
		run = 0
	}
	if run > 0 {
		steps = append(steps, Step{Run: run, What: Sleeps})
	}
	return steps
}

// goesOn reports whether the next request is asked for because of those before it.
func (w *window) goesOn() bool { return w.next > 0 && (w.Depth > 0 || w.requests[w.list[w.next]].Goes) }

func (w *window) room() bool {
	switch {
	case w.next <= w.complete:
		return true
	case w.Depth > 0:
		return w.next-w.complete < w.Depth
	}
	return w.bytes < min(w.ReadAhead, max(firstAhead, w.row))
}
