package course

import (
	"math/bits"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/stats"
)

// A chunk has to be larger than what happens within one, or its speed means
// nothing. Chunks are joined two by two until all of this holds, or too few
// would be left; what is found plays no part in it.
const (
	// briefest is the least time that the typical chunk takes. The shortest level
	// then lasts 100 ms: the kernel itself lets requests of a group with a limit
	// through in slices of that length (block/blk-throttle.c), and sets the rates of
	// writers every 200 ms (mm/page-writeback.c).
	briefest = 20_000_000
	// tooNoisy is the standard deviation of the logarithm of the rate above which
	// work comes in bursts larger than a chunk.
	tooNoisy = .5
	// tooLarge is the share of bytes in operations larger than a chunk.
	tooLarge = .1
	// fewestJoined is how many chunks joining leaves.
	fewestJoined = 16
)

// chunks are a curve in parts of equally many bytes, each with the time that
// it took.
type chunks struct {
	curve  *speed
	bytes  int64 // in each
	bursts bursts
	ends   []mark
}

// newChunks divides a curve that has come to its end into the smallest chunks.
func newChunks(s *speed) *chunks {
	return &chunks{curve: s, bytes: s.piece * inChunk, bursts: findBursts(s)}
}

// divide makes chunks of the current size and returns how much their speed
// varies. Whoever sets a limit may let a burst wait beforehand or pay
// afterwards: the way that makes the chunks more alike is taken, the first if
// there is little between them.
func (c *chunks) divide() stats.Noise {
	before, after := c.join(false), c.join(true)
	if after.Sigma < .8*before.Sigma {
		return after
	}
	return c.join(false)
}

// join makes chunks; after says that a pause counts for the burst before it.
func (c *chunks) join(after bool) stats.Noise {
	c.bursts.after = after
	per := int(c.bytes / c.curve.piece)
	c.ends = c.ends[:0]
	bursty := c.bursts.typical(per)
	for i := per; i <= len(c.curve.marks); i += per {
		m := c.curve.mark(i)
		if bursty {
			m.at = c.bursts.smooth(i, per)
		}
		c.ends = append(c.ends, m)
	}
	return c.noise()
}

// noise is how much the speed of chunks varies: in that half of them in which
// it varies more, because a limit may be there in one only.
func (c *chunks) noise() stats.Noise {
	r := c.rates()
	n := stats.NoiseOf(r[:len(r)/2])
	if m := stats.NoiseOf(r[len(r)/2:]); m.Sigma > n.Sigma {
		return m
	}
	return n
}

// find finds the levels of the curve: none if there are too few chunks, one if
// the chunks that can be had say too little.
func (c *chunks) find() []stats.Level {
	noise := c.divide()
	if len(c.ends) < minChunks {
		return nil
	}
	for (c.unfit() || noise.Sigma > tooNoisy) && len(c.ends)/2 >= fewestJoined {
		c.bytes *= 2
		noise = c.divide()
	}
	if c.unfit() {
		return []stats.Level{{To: len(c.ends), Median: stats.Median(c.rates())}}
	}
	levels := stats.ChangePoints(c.rates(), stats.ChangeOptions{}).Levels
	if c.bursts.after {
		c.join(false)
		placeSteps(levels, c.rates())
	}
	return levels
}

// levels are those of the curve, with what is known of each.
func (c *chunks) levels() []level {
	var all []level
	found := c.find()
	rates, busy := c.rates(), c.busyRates()
	for _, l := range found {
		all = append(all, level{
			Level: l, curve: c.curve, chunk: c.bytes, begin: c.from(l.From), end: c.ends[l.To-1],
			rates: rates[l.From:l.To], busy: busy[l.From:l.To],
		})
	}
	return all
}

// unfit reports whether chunks are too small to have a speed.
func (c *chunks) unfit() bool { return c.brief() || c.coarse() > tooLarge }

// brief reports whether the typical chunk takes too little time.
func (c *chunks) brief() bool {
	took := make([]int64, len(c.ends))
	for i := range c.ends {
		took[i] = c.ends[i].at - c.from(i).at
	}
	slices.Sort(took)
	return took[len(took)/2] < briefest
}

// coarse is the share of the bytes in operations larger than a chunk.
func (c *chunks) coarse() float64 {
	n := int64(0)
	for _, bytes := range c.curve.sizes[bits.Len64(uint64(c.bytes-1))+1:] {
		n += bytes
	}
	return float64(n) / float64(max(c.curve.total, 1))
}

// from is what was known when a chunk began.
func (c *chunks) from(i int) mark {
	if i == 0 {
		return c.curve.mark(0)
	}
	return c.ends[i-1]
}

// rates are the bytes per second of each chunk.
func (c *chunks) rates() []float64 {
	return c.per(func(from, to mark) int64 { return to.at - from.at })
}

// busyRates leave out the time without an operation in flight.
func (c *chunks) busyRates() []float64 {
	return c.per(func(from, to mark) int64 { return to.busy - from.busy })
}

func (c *chunks) per(took func(from, to mark) int64) []float64 {
	r := make([]float64, len(c.ends))
	for i := range r {
		r[i] = float64(c.bytes) / float64(max(took(c.from(i), c.ends[i]), 1)) * 1e9
	}
	return r
}

func (c *chunks) profile() profile.Rates {
	r := profile.Rates{Series: c.curve.name, Device: c.curve.device, Chunk: c.bytes}
	for i, v := range c.rates() {
		r.AtNS = append(r.AtNS, c.ends[i].at)
		r.Rate = append(r.Rate, measure.Whole(v))
		r.Busy = append(r.Busy, c.ends[i].busy-c.from(i).busy)
	}
	return r
}
