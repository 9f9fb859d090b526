package path

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// crowd tells for how much of a time in which a thread was ready the workload's own threads had the processors. It
// follows how many of them run and how many are ready, from the end of a recording back to its start.
//
// Where n threads want to run on fewer processors, p, each waits (n-p)/p times as long as it runs, though nobody else
// is there. While r of the n run, that is a wait of r*(n-p)/p for all of them, which the n-r have that are ready. So
// r/p * (n-p)/(n-r) of the time of each of these is their own. The rest is due to others, a quota, or a limit on where
// they may run. What they ran and waited for each other adds up to what the same would take alone.
type crowd struct {
	processors  int64
	turns       timeline.Heap[turn] // that are still to come
	now         int64               // all later instants are known
	runs, ready int64               // threads, just before now
	sum         total               // until now
	curve       []total             // where the slope of the sum changes, the latest first
	most        int                 // points of the curve
	early       timeline.Heap[early]
	done        func(*operation) // is told of those that all is known of
}

// early is a segment that was ready, or an operation that is over, which began before all is known that ended later.
type early struct {
	from, to int64
	of       *Part
	over     *operation
}

// Before: the latest is first, and a segment before its operation.
func (e early) Before(f early) bool {
	return e.from > f.from || e.from == f.from && e.of != nil && f.of == nil
}

// turn is when a thread begins or ceases to run or to be ready, as seen from later: what holds before it.
type turn struct {
	at          int64
	runs, ready int64
}

// Before: the latest is first.
func (t turn) Before(u turn) bool { return t.at > u.at }

// total is what was added up from the end until an instant.
type total struct {
	at      int64
	own     float64 // time in which a thread that is ready waits for others of the workload
	threads float64 // the same, times the threads that wanted to run
	lacked  float64 // time of processors that its threads did not have meanwhile
}

// maxCurve bounds the points that are kept. Of many the later ones are thinned: few segments are told that late.
const maxCurve = 1 << 16

// newCrowd is nil if the workload never had more threads than there are processors.
func newCrowd(s *survey.Survey) *crowd {
	c := &crowd{processors: int64(s.Header.CPUs), now: s.Last, sum: total{at: s.Last}, most: maxCurve}
	threads := int64(0)
	for id := range s.Threads {
		if recorded, _ := s.Known(id); recorded {
			threads++
			from, to := s.Acted(id)
			c.turns = append(c.turns, turn{to, 1, 0}, turn{from, -1, 0})
		}
	}
	if c.processors <= 0 || threads <= c.processors {
		return nil
	}
	slices.SortFunc(c.turns, func(x, y turn) int { return cmp.Compare(y.at, x.at) }) // which is a heap
	return c
}

// crowded is a walk beside a crowd, which takes each wait first.
type crowded struct {
	along
	crowd *crowd
}

func (c *crowd) beside(walk along) along {
	if c == nil {
		return walk
	}
	return crowded{walk, c}
}

func (x crowded) Wait(e *trace.Wait) {
	x.crowd.wait(e)
	x.along.Wait(e)
}

// wait takes a time off the CPU. They come from the last to the first, by their ends.
func (c *crowd) wait(e *trace.Wait) {
	if e.Flags&trace.WaitHelper != 0 {
		return
	}
	c.comeTo(e.End())
	woken := max(e.Start, min(e.Woken(), e.End()))
	if e.Cause == trace.WaitReady {
		woken = e.Start
	}
	c.turns.Push(turn{e.End(), -1, 1})
	c.turns.Push(turn{woken, 0, -1})
	c.turns.Push(turn{e.Start, 1, 0})
}

// comeTo says that all waits are known that ended after an instant.
func (c *crowd) comeTo(at int64) {
	for len(c.turns) > 0 && c.turns[0].at > at {
		t := c.turns.Pop()
		c.until(t.at)
		c.runs, c.ready = c.runs+t.runs, c.ready+t.ready
	}
	c.until(at)
	for len(c.early) > 0 && c.early[0].from >= c.now {
		c.tell(c.early.Pop())
	}
}

// tell is for what began when, or after, all is known.
func (c *crowd) tell(e early) {
	if e.over != nil {
		c.done(e.over)
		return
	}
	from, to := c.since(e.from), c.since(e.to)
	e.of.Crowded += int64(from.own - to.own)
	e.of.Runnable += int64(from.threads - to.threads)
	e.of.Lacked += int64(from.lacked - to.lacked)
}

// until adds up the time since an instant.
func (c *crowd) until(at int64) {
	if at >= c.now {
		return
	}
	runs, all, ns := max(0, min(c.runs, c.processors)), c.processors, float64(c.now-at)
	wanted := runs + c.ready
	if runs == 0 || c.ready <= 0 || wanted <= all {
		c.now, c.sum.at = at, at
		return
	}
	own := ns * float64(runs) / float64(all) * float64(wanted-all) / float64(c.ready)
	c.keep(c.sum)
	c.now = at
	c.sum = total{at, c.sum.own + own, c.sum.threads + own*float64(wanted), c.sum.lacked + ns*float64(all-runs)}
	c.keep(c.sum)
}

func (c *crowd) keep(t total) {
	if n := len(c.curve); n > 0 && c.curve[n-1].at == t.at {
		return
	}
	if c.curve = append(c.curve, t); len(c.curve) < c.most {
		return
	}
	half := len(c.curve) / 2
	for i := range half {
		c.curve[i] = c.curve[2*i+1]
	}
	c.curve = c.curve[:half]
}

// since is the sum from the end until an instant that is not earlier than now.
func (c *crowd) since(at int64) total {
	i := sort.Search(len(c.curve), func(i int) bool { return c.curve[i].at <= at })
	switch {
	case i == 0:
		return total{at: at}
	case i == len(c.curve):
		return c.curve[i-1]
	}
	x, y := c.curve[i-1], c.curve[i]
	part := float64(x.at-at) / float64(x.at-y.at)
	return total{at, x.own + part*(y.own-x.own), x.threads + part*(y.threads-x.threads),
		x.lacked + part*(y.lacked-x.lacked)}
}

// count adds to a part, once it is known, what a segment of it is that its own threads took. One in which a processor
// wakes up is none.
func (c *crowd) count(p *Part, s *Segment) {
	if c == nil || s.What != Ready || s.To-s.From <= timeline.WakeUp {
		return
	}
	c.soon(early{from: s.From, to: s.To, of: p})
}

// over is for an operation that is over: what is told of it waits for what its segments are.
func (c *crowd) over(o *operation) { c.soon(early{from: o.From, over: o}) }

// soon tells what began when, or after, all is known, and keeps the rest until it is.
func (c *crowd) soon(e early) {
	if e.from >= c.now {
		c.tell(e)
		return
	}
	c.early.Push(e)
}

// Finish says that there are no earlier waits.
func (x crowded) Finish() {
	x.along.Finish()
	x.crowd.comeTo(math.MinInt64)
}
