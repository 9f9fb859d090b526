package whatif

import (
	"container/heap"
	"math"
)

// simulation lets a recorded workload happen again. It goes from one request to
// the next in the order in which they are asked for; a thread runs on by itself
// until it asks for one or waits.
type simulation struct {
	*Recording
	Change
	threads []thread // as they are with the change
	queues  []*queue
	models  []Model // of each device, changed
	actors  []actor
	events  agenda
	asked   []float64 // when each request is, NaN while it is not known
	done    []float64
	marked  []float64
	onDone  map[int32][]int32 // threads that wait for a request
	onMark  map[int32][]int32
	follows [3]map[int32][]int32 // requests after a mark, a completion or an asking
}

// actor is a thread in the simulation.
type actor struct {
	now  float64
	next int  // step
	ran  bool // its time on the CPU is over
	over bool
}

// event is a thread that goes on, or a request that is asked for without one.
type event struct {
	at      float64
	thread  int32
	request int32 // gone for a thread
}

type agenda []event

func (a agenda) Len() int           { return len(a) }
func (a agenda) Less(i, j int) bool { return a[i].at < a[j].at }
func (a agenda) Swap(i, j int)      { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)        { *a = append(*a, x.(event)) }
func (a *agenda) Pop() any {
	last := (*a)[len(*a)-1]
	*a = (*a)[:len(*a)-1]
	return last
}

// Predict simulates the recording with a change.
func (r *Recording) Predict(c Change) Prediction {
	s := newSimulation(r, c)
	undecided := 0
	for {
		for len(s.events) > 0 {
			s.handle(heap.Pop(&s.events).(event))
		}
		if !s.release() {
			break
		}
		undecided++
	}
	return s.prediction(undecided)
}

func newSimulation(r *Recording, c Change) *simulation {
	s := &simulation{
		Recording: r, Change: c, threads: r.threads, actors: make([]actor, len(r.threads)),
		asked: unknown(len(r.requests)), done: unknown(len(r.requests)), marked: unknown(r.marks),
		onDone: map[int32][]int32{}, onMark: map[int32][]int32{},
	}
	for i := range s.follows {
		s.follows[i] = map[int32][]int32{}
	}
	if c.Depth > 0 || c.ReadAhead > 0 {
		s.threads = make([]thread, len(r.threads))
		for i, t := range r.threads {
			s.threads[i] = ahead(s, t)
		}
	}
	for _, d := range r.devices {
		m := c.model(d)
		s.models = append(s.models, m)
		s.queues = append(s.queues, newQueue(m))
	}
	for i := range r.agents {
		switch a := r.agents[i]; a.what {
		case afterMark, afterDone, afterAsked:
			list := s.follows[a.what-afterMark]
			list[a.index] = append(list[a.index], int32(i))
		case atTime:
			heap.Push(&s.events, event{float64(a.after), 0, int32(i)})
		}
	}
	for i := range r.threads {
		switch b := r.threads[i].begin; b.what {
		case atTime:
			heap.Push(&s.events, event{float64(b.after), int32(i), gone})
		case afterMark:
			s.onMark[b.index] = append(s.onMark[b.index], int32(i))
		}
	}
	return s
}

func unknown(n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = math.NaN()
	}
	return list
}

func (s *simulation) handle(e event) {
	if e.request != gone {
		s.ask(e.request, e.at)
		return
	}
	a := &s.actors[e.thread]
	a.now = max(a.now, e.at)
	s.run(e.thread)
}

// run lets a thread go on until it waits, or until something else comes before
// what it does next.
func (s *simulation) run(n int32) {
	a, steps := &s.actors[n], s.threads[n].steps
	for ; a.next < len(steps); a.next, a.ran = a.next+1, false {
		step := &steps[a.next]
		if !a.ran {
			a.now += float64(step.run) / factor(s.CPU)
			a.ran = true
		}
		switch step.what {
		case submits:
			if len(s.events) > 0 && s.events[0].at < a.now {
				heap.Push(&s.events, event{a.now, n, gone})
				return
			}
			s.ask(step.index, a.now)
		case needs:
			switch done := s.done[step.index]; {
			case step.sync && s.NoSync:
			case math.IsNaN(done):
				s.onDone[step.index] = append(s.onDone[step.index], n)
				return
			default:
				s.waitUntil(a, done, step)
			}
		case follows:
			at := s.marked[step.index]
			if math.IsNaN(at) {
				s.onMark[step.index] = append(s.onMark[step.index], n)
				return
			}
			s.waitUntil(a, at, step)
		case marks:
			s.mark(step.index, a.now)
		case sleeps:
			if !s.NoThink {
				a.now += float64(step.after)
			}
		case stalls:
			a.now += float64(step.after)
		}
	}
	a.over = true
}

// waitUntil lets a thread go on after what it waits for, if that is still to come.
func (s *simulation) waitUntil(a *actor, at float64, step *step) {
	if at > a.now || step.after > 0 {
		a.now = max(a.now, at+float64(step.after))
	}
}

// ask puts a request into the queue of its device.
func (s *simulation) ask(n int32, at float64) {
	r := &s.requests[n]
	s.asked[n] = at
	switch {
	case s.Warm && r.service < randomWrite:
		s.done[n] = at
	default:
		was, now := s.devices[r.device].model, s.models[r.device]
		s.done[n] = s.queues[r.device].serve(at, r.service, r.bytes, late(r, was, now))
	}
	s.after(afterAsked, n, at)
	s.after(afterDone, n, s.done[n])
	s.wake(s.onDone, n, at)
}

// mark notes when a moment came that others wait for.
func (s *simulation) mark(n int32, at float64) {
	s.marked[n] = at
	s.after(afterMark, n, at)
	s.wake(s.onMark, n, at)
}

// after plans the requests that are asked for after something.
func (s *simulation) after(what anchorKind, n int32, at float64) {
	list := s.follows[what-afterMark]
	for _, r := range list[n] {
		heap.Push(&s.events, event{at + float64(s.agents[r].after), 0, r})
	}
}

// wake lets the threads go on that wait for something that is known now. They
// look themselves how long they still have to wait.
func (s *simulation) wake(waiting map[int32][]int32, n int32, at float64) {
	for _, t := range waiting[n] {
		heap.Push(&s.events, event{max(at, s.actors[t].now), t, gone})
	}
	delete(waiting, n)
}

// release lets one thread go on that waits for what never comes; false if there
// is none.
func (s *simulation) release() bool {
	for i := range s.actors {
		a, steps := &s.actors[i], s.threads[i].steps
		if a.over {
			continue
		}
		switch {
		case a.next == 0 && !a.ran && s.threads[i].begin.what == afterMark:
		case a.next < len(steps):
			a.next, a.ran = a.next+1, false
		}
		heap.Push(&s.events, event{a.now, int32(i), gone})
		return true
	}
	return false
}

// prediction reads the outcome. What lies between the last thing that was
// simulated and the end of the recording stays as it was.
func (s *simulation) prediction(undecided int) Prediction {
	var end, was float64
	for i := range s.threads {
		t := &s.threads[i]
		if t.main {
			end, was = s.actors[i].now, float64(t.end)
			break
		}
		end, was = max(end, s.actors[i].now), max(was, float64(t.end))
	}
	start := float64(s.window.Start)
	p := Prediction{Wall: int64(end + float64(s.window.Wall) - was - start), Undecided: undecided}
	p.Durable = p.Wall
	if s.window.End > s.window.Wall {
		var last, recorded float64
		for i := range s.requests {
			if r := &s.requests[i]; r.completed <= s.window.End && r.service >= randomWrite && !math.IsNaN(s.done[i]) {
				last, recorded = max(last, s.done[i]), max(recorded, float64(r.completed))
			}
		}
		p.Durable = max(p.Wall, int64(last+float64(s.window.End)-recorded-start))
	}
	return p
}
