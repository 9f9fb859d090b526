package whatif

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/whatif/drive"
)

// simulation lets a recorded workload happen again. It goes from one request to
// the next in the order in which they are asked for; a thread runs on by itself
// until it asks for one or waits.
type simulation struct {
	*Recording
	Change
	requests []Request      // of the program
	threads  []Thread       // as they are with the change
	joined   *joining       // nil without other blocks
	queues   []*drive.Queue // of each device, changed
	actors   []actor
	events   timeline.Heap[event]
	done     []float64 // when each request is, NaN while it is not known
	marked   []float64
	waiting  [2][]int32 // the first of the waiters for each request, and for each mark
	waiters  []waiter
	makers   [2][]int32 // the thread that makes each request, and each mark; nil until one waits in vain
	over     int        // how many of the first threads are
}

// actor is a thread in the simulation.
type actor struct {
	now    float64
	next   int   // step
	waiter int32 // as which it waits, gone if it does not
	ran    bool  // its time on the CPU is over
	over   bool
}

// until lets a thread go on at a time, or when it is done with what it does.
func (a *actor) until(at float64, step *Step) {
	if !step.Anew {
		at = max(a.now, at)
	}
	a.now = at
}

// event is a thread that goes on, or a request that is asked for without one.
type event struct {
	at      float64
	thread  int32
	request int32 // gone for a thread
}

func (e event) Before(f event) bool { return e.at < f.at }

// Predict simulates the recording with a change.
func (r *Recording) Predict(c Change) Prediction {
	s := newSimulation(r, c)
	undecided := 0
	for {
		for len(s.events) > 0 {
			s.handle(s.events.Pop())
		}
		if !s.release() {
			break
		}
		undecided++
	}
	return s.prediction(undecided)
}

func newSimulation(r *Recording, c Change) *simulation {
	p := r.program
	s := &simulation{
		Recording: r, Change: c, requests: p.Requests, threads: p.Threads, actors: make([]actor, len(p.Threads)),
		done: unknown(len(p.Requests)), marked: unknown(p.Marks),
		waiting: [2][]int32{nowhere(len(p.Requests)), nowhere(p.Marks)},
	}
	if c.Block > 0 {
		s.joined, s.threads = join(p.Requests, r.devices, c.Block, s.threads)
	}
	if c.Depth > 0 || c.ReadAhead > 0 {
		s.threads = r.ahead(s.threads, c)
	}
	for _, d := range r.devices {
		s.queues = append(s.queues, drive.NewQueue(d.Model, c.model(d)))
	}
	for i := range p.Causes {
		if a := p.Causes[i]; a.What == AtTime {
			s.events.Push(event{float64(a.After), 0, int32(i)})
		}
	}
	for i := range p.Threads {
		s.actors[i].waiter = gone
		switch b := p.Threads[i].Begin; b.What {
		case AtTime:
			s.events.Push(event{float64(b.After), int32(i), gone})
		case AfterMark:
			s.wait(forMark, b.Index, int32(i))
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
	a, steps := &s.actors[n], s.threads[n].Steps
	for ; a.next < len(steps); a.next, a.ran = a.next+1, false {
		step := &steps[a.next]
		if !a.ran {
			a.now += float64(step.Run) / factor(s.CPU)
			a.ran = true
		}
		if step.Sync && s.NoSync {
			continue
		}
		switch step.What {
		case Submits:
			if len(s.events) > 0 && s.events[0].at < a.now {
				s.events.Push(event{a.now, n, gone})
				return
			}
			s.ask(step.Index, a.now)
		case Needs:
			if math.IsNaN(s.done[step.Index]) {
				s.wait(forRequest, step.Index, n)
				return
			}
			a.until(s.done[step.Index]+float64(step.After), step)
		case Follows:
			if math.IsNaN(s.marked[step.Index]) {
				s.wait(forMark, step.Index, n)
				return
			}
			a.until(s.marked[step.Index]+float64(step.After), step)
		case Marks:
			s.mark(step.Index, a.now)
		case Sleeps:
			if !s.NoThink {
				a.now += float64(step.After)
			}
		case Stalls, Awaits:
			a.now += float64(step.After)
		case Rests:
			a.now = max(a.now, float64(step.After))
		}
	}
	a.over = true
}

// ask puts a request into the queue of its device, with those that go with it.
func (s *simulation) ask(n int32, at float64) {
	end := s.serve(n, at)
	for m := s.with(n); m != gone; m = s.with(m) {
		end = max(end, s.serve(m, at))
	}
	for m := n; m != gone; m = s.with(m) {
		s.done[m] = end
		s.after(AfterAsked, m, at)
		s.after(AfterDone, m, end)
		s.wake(forRequest, m, at)
	}
}

// with is the request that is asked for together with another one, gone if there is none.
func (s *simulation) with(n int32) int32 {
	if s.joined == nil {
		return gone
	}
	return s.joined.next[n]
}

// serve is when a request is complete.
func (s *simulation) serve(n int32, at float64) float64 {
	r := &s.requests[n]
	bytes := r.Bytes
	if s.joined != nil {
		bytes = s.joined.bytes[n]
	}
	if s.Warm && !r.Writes() || bytes == 0 && r.Bytes > 0 {
		return at
	}
	return s.queues[r.Device].Serve(at, &r.Request, bytes)
}

// mark notes when a moment came that others wait for.
func (s *simulation) mark(n int32, at float64) {
	s.marked[n] = at
	s.after(AfterMark, n, at)
	s.wake(forMark, n, at)
}

// after plans the requests that are asked for after something.
func (s *simulation) after(what anchorKind, n int32, at float64) {
	for r := s.followers.of(what, n); r != gone; r = s.followers.next[r] {
		s.events.Push(event{at + float64(s.program.Causes[r].After), 0, r})
	}
}

// prediction reads the outcome. What lies between the last thing that was
// simulated and the end of the recording stays as it was.
func (s *simulation) prediction(undecided int) Prediction {
	var end, was float64
	for i := range s.threads {
		t := &s.threads[i]
		if t.Main {
			end, was = s.actors[i].now, float64(t.End)
			break
		}
		end, was = max(end, s.actors[i].now), max(was, float64(t.End))
	}
	start := float64(s.program.Window.Start)
	p := Prediction{Wall: int64(end + float64(s.program.Window.Wall) - was - start), Undecided: undecided}
	p.Durable = p.Wall
	if s.program.Window.End > s.program.Window.Wall {
		var last, recorded float64
		for i := range s.requests {
			if r := &s.requests[i]; r.Completed <= s.program.Window.End && r.Writes() && !math.IsNaN(s.done[i]) {
				last, recorded = max(last, s.done[i]), max(recorded, float64(r.Completed))
			}
		}
		p.Durable = max(p.Wall, int64(last+float64(s.program.Window.End)-recorded-start))
	}
	return p
}
