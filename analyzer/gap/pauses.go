package gap

import (
	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/stats"
)

// longGap is the least time without a call of any thread that counts as think
// time, in ns, if the thread that ends it was blocked for half of it (a sleep, a
// lock) or if it lasts for computing or longer. Shorter ones come with each call
// of a thread: they are what the program does around it, and go with the request
// size. What is left is a thread that had to wait for a CPU, which is no property
// of the workload. That some threads pause while others work shows in the depth.
const (
	longGap   = 100_000
	computing = 10_000_000
)

// thread is what is needed to find the time between its calls.
type thread struct {
	moved, calls int64
	until        int64 // end of its calls so far
	short        int64 // time between calls, gaps below longGap
	all          int64 // calls of any kind
	elsewhere    int64 // time in calls on other files since the last call
}

// time sums up the gaps between the calls on the payload of the threads that move
// it, in the time of the workload. Calls on anything else are part of the gaps:
// reading from /dev/zero is what the program does around each write, and waiting
// for a pipe is a pause.
func (t *tally) time(steps []program.Step, waits map[uint32][][2]int64, payload func(*program.Step) bool) {
	until := int64(0) // end of the calls of all threads so far
	for i := range steps {
		c := &steps[i]
		x := t.threads[c.TID]
		if x == nil || c.API != 0 || c.Start < t.from || c.Start > t.to {
			continue
		}
		x.all++
		if !payload(c) {
			x.elsewhere += c.Took()
			continue
		}
		if gap := c.Start - x.until; x.until > 0 && gap > 0 && gap < longGap {
			x.short += gap
		}
		if gap := c.Start - until; until > 0 && gap >= longGap &&
			(gap >= computing || 2*max(stats.Within(waits[c.TID], until, c.Start), x.elsewhere) >= gap) {
			t.ThinkSeconds += float64(gap) / 1e9
		}
		if gap := c.Start - until; until > 0 && gap > 0 && gap < longGap {
			t.GapSeconds += float64(gap) / 1e9
		}
		x.elsewhere = 0
		x.until, until = max(x.until, c.End), max(until, c.End)
	}
}
