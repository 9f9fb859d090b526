package timeline

import "math/bits"

// Depth follows how many intervals are in flight. They are added in the order
// of their starts. It keeps Little's law by construction: the area under the
// depth equals the sum of the lengths.
type Depth struct {
	ends  timeQueue // of the intervals in flight
	at    int64     // time up to which the sums hold
	busy  int64
	max   int
	level []int64 // time per group of depths, if levels are wanted
}

// WithLevels returns a Depth that also keeps the time spent at each depth.
func WithLevels() *Depth { return &Depth{level: make([]int64, levels)} }

// Add adds an interval. One that starts before an earlier one began, or ends
// before it starts, is cut to what lies in order.
func (d *Depth) Add(start, end int64) {
	if d.ends.len() == 1 && d.ends.first() <= start && d.at <= d.ends.first() { // one after the other, as usual
		d.follow(start, max(start, end))
		return
	}
	d.Advance(start)
	if d.ends.len() == 0 && d.max == 0 {
		d.at = max(d.at, start)
	}
	start = max(start, d.at)
	if end < start {
		end = start
	}
	d.ends.push(end)
	d.max = max(d.max, d.ends.len())
}

// follow is Add of an interval that begins when the only one in flight has ended.
func (d *Depth) follow(start, end int64) {
	ns := d.ends.first() - d.at
	d.busy += ns
	if d.level != nil {
		d.level[1] += ns
	}
	d.at = start
	d.ends.only(end)
}

// Advance moves on to time t.
func (d *Depth) Advance(t int64) {
	for n := d.ends.len(); n > 0 && d.ends.first() <= t; n-- {
		d.account(d.ends.first(), n)
		d.ends.pop()
	}
	d.account(t, d.ends.len())
}

// Finish moves on to the end of the last interval.
func (d *Depth) Finish() {
	for d.ends.len() > 0 {
		d.Advance(d.ends.first())
	}
}

// account enters the time up to t, in which n were in flight.
func (d *Depth) account(t int64, n int) {
	ns := t - d.at
	if ns <= 0 {
		return
	}
	if d.at = t; n == 0 {
		return
	}
	if d.busy += ns; d.level != nil {
		d.level[levelOf(n)] += ns
	}
}

// Busy is the time with at least one interval in flight, so far.
func (d *Depth) Busy() int64 { return d.busy }

// Max is the greatest depth so far.
func (d *Depth) Max() int { return d.max }

// Now is the number in flight.
func (d *Depth) Now() int { return d.ends.len() }

// Levels calls f for each group of depths that time was spent at: at least
// depth, less than that of the next group.
func (d *Depth) Levels(f func(depth int, ns int64)) {
	for i, ns := range d.level {
		if ns > 0 {
			f(levelFloor(i), ns)
		}
	}
}

// Depths up to 16 have a group of their own; above, there are four groups per
// octave.
const levels = 17 + 4*20

func levelOf(n int) int {
	if n <= 16 {
		return n
	}
	e := bits.Len(uint(n)) - 5 // 17…31 → 0
	return min(17+4*e+int(uint(n)>>(e+2))&3, levels-1)
}

func levelFloor(i int) int {
	if i <= 16 {
		return i
	}
	e := (i - 17) / 4
	n := (4 + (i-17)%4) << (e + 2)
	if n <= 16 {
		return 17
	}
	return n
}
