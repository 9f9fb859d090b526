package measure

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/stats"
)

// Costs tell what a device needs for each request from what it needs for each byte. They look at runs of requests that
// were done one after the other: the time in which it worked at them over their bytes is a line, whose slope is the
// time of a byte. They are runs, as a device that works at several requests ends them in another order, or many at
// once. The zero value is ready.
type Costs struct {
	Read, Write runs
	last        int64 // when the last request was done
}

// runs are those of one direction.
type runs struct {
	each        int64 // requests in a run
	count       int64 // of them in the run that goes on
	ns, bytes   int64
	sizes, time []float64 // of each run: a request's on average
}

// The requests of the first runs, and how many runs are kept: then pairs of them become one. 256 are 33,000 slopes.
// Fewer than 16 tell nothing.
const (
	shortestRun = 16
	mostRuns    = 256
	fewestRuns  = 16
)

// Add adds a request, whoever asked for it, in the order in which they were done; to is nil for one that moves nothing.
// Its time begins when the one before it was done, or when it was issued if that was later.
func (c *Costs) Add(to *runs, issued, done, bytes int64) {
	begun := max(c.last, issued)
	c.last = max(c.last, done)
	if to != nil && begun <= done {
		to.add(done-begun, bytes)
	}
}

func (r *runs) add(ns, bytes int64) {
	r.count, r.ns, r.bytes = r.count+1, r.ns+ns, r.bytes+bytes
	if r.each = max(r.each, shortestRun); r.count < r.each {
		return
	}
	r.sizes = append(r.sizes, float64(r.bytes)/float64(r.count))
	r.time = append(r.time, float64(r.ns)/float64(r.count))
	r.count, r.ns, r.bytes = 0, 0, 0
	if len(r.sizes) == mostRuns {
		r.each *= 2
		r.sizes, r.time = halved(r.sizes), halved(r.time)
	}
}

// halved are the means of pairs of values.
func halved(list []float64) []float64 {
	for i := range len(list) / 2 {
		list[i] = (list[2*i] + list[2*i+1]) / 2
	}
	return list[:len(list)/2]
}

// Profile is what was found; nil if requests were too few, or most of one size.
func (r *runs) Profile() *profile.Cost {
	n := len(r.sizes)
	if n < fewestRuns {
		return nil
	}
	line := stats.TheilSen(r.sizes, r.time, 0.95)
	slope, size, ns := line.Slope, stats.Mean(r.sizes), stats.Mean(r.time)
	if !slope.Known() || ns <= 0 || 4*line.Pairs < n*(n-1) { // half of the pairs of runs tell nothing
		return nil
	}
	share := func(slope float64) float64 { return min(max(slope*size/ns, 0), 1) }
	return &profile.Cost{
		RequestNS: int64((1 - share(slope.Value)) * ns), ByteShare: share(slope.Value),
		ByteShareLow: share(slope.Low), ByteShareHigh: share(slope.High),
	}
}
