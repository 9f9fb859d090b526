package measure

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/stats"
)

// Cost tells what a device needs for each request from what it needs for each byte. It looks at runs of requests that
// were done one after the other: the time in which it worked at them over their bytes is a line, whose slope is the
// time of a byte. They are runs, as a device that works at several requests ends them in another order, or many at
// once. The zero value is ready.
type Cost struct {
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

// Add adds a request, in the order in which they were done, and for how long the device worked at it since the one
// before was.
func (c *Cost) Add(ns, bytes int64) {
	c.count, c.ns, c.bytes = c.count+1, c.ns+ns, c.bytes+bytes
	if c.each = max(c.each, shortestRun); c.count < c.each {
		return
	}
	c.sizes = append(c.sizes, float64(c.bytes)/float64(c.count))
	c.time = append(c.time, float64(c.ns)/float64(c.count))
	c.count, c.ns, c.bytes = 0, 0, 0
	if len(c.sizes) == mostRuns {
		c.each *= 2
		c.sizes, c.time = halved(c.sizes), halved(c.time)
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
func (c *Cost) Profile() *profile.Cost {
	n := len(c.sizes)
	if n < fewestRuns {
		return nil
	}
	line := stats.TheilSen(c.sizes, c.time, 0.95)
	slope, size, ns := line.Slope, stats.Mean(c.sizes), stats.Mean(c.time)
	if !slope.Known() || ns <= 0 || 4*line.Pairs < n*(n-1) { // half of the pairs of runs tell nothing
		return nil
	}
	share := func(slope float64) float64 { return min(max(slope*size/ns, 0), 1) }
	return &profile.Cost{
		RequestNS: int64((1 - share(slope.Value)) * ns), ByteShare: share(slope.Value),
		ByteShareLow: share(slope.Low), ByteShareHigh: share(slope.High),
	}
}
