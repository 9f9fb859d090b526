package stats

import (
	"math"
	"slices"
)

// segment splits the series y where its mean changes: it returns the indices
// at which new segments begin (not 0), such that the squares about the means of
// the segments plus penalty for each split are least, and every segment has at
// least minSize values. Nil if there is no split, y is not usable or has
// values beyond 1e140, or penalty is not a positive number.
//
// The optimum is that of PELT (Killick, Fearnhead and Eckley, Journal of the
// American Statistical Association 107, 2012) and of optimal partitioning, not
// an approximation. It is found by functional pruning (Maidstone, Hocking,
// Rigaill and Fearnhead, Statistics and Computing 27, 2017), extended to a
// least size, because PELT takes quadratic time in the case that matters most
// here: a long series without a change. Time is about O(n log n), memory O(n).
//
// The penalty decides everything: see ChangePoints for one that does not find
// changes in noise.
func segment(y []float64, penalty float64, minSize int) []int {
	if !usable(y) || !(penalty > 0) || math.IsInf(penalty, 1) || slices.Max(y) > 1e140 || slices.Min(y) < -1e140 {
		return nil
	}
	minSize = max(1, minSize)
	mean := Mean(y) // keeps the sums small
	p := partition{
		sum:   make([]float64, len(y)+1),
		least: make([]float64, len(y)+1),
		from:  make([]int, len(y)+1),
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, v := range y {
		p.sum[i+1] = p.sum[i] + v - mean
		lo, hi = min(lo, v-mean), max(hi, v-mean)
	}
	if lo == hi {
		return nil
	}
	p.solve(penalty, minSize, lo, hi)

	var cuts []int
	for t := p.from[len(y)]; t > 0; t = p.from[t] {
		cuts = append(cuts, t)
	}
	slices.Reverse(cuts)
	return cuts
}

// partition is the state of optimal partitioning. Costs leave out Σy², which
// is the same for all partitions.
type partition struct {
	sum   []float64 // sum[t] of the first t values
	least []float64 // least[t]: cost of the best partition of the first t values
	from  []int     // from[t]: where its last segment begins
}

// piece is a range of levels for which, of all places where the current
// segment may have begun, start is the best.
type piece struct {
	lo, hi float64
	start  int
}

func (p *partition) solve(penalty float64, minSize int, lo, hi float64) {
	n := len(p.sum) - 1
	var pieces, spare []piece
	p.least[0] = -penalty
	for t := minSize; t <= n; t++ {
		// A segment that ends at t may begin at t−minSize, if values before it
		// can be partitioned at all.
		switch s := t - minSize; {
		case s == 0:
			pieces = append(pieces, piece{lo, hi, 0})
		case s >= minSize:
			pieces, spare = p.enter(pieces, spare[:0], s), pieces
		}
		p.least[t] = math.Inf(1)
		for _, c := range pieces {
			d := p.sum[t] - p.sum[c.start]
			if cost := p.least[c.start] - d*d/float64(t-c.start) + penalty; cost < p.least[t] {
				p.least[t], p.from[t] = cost, c.start
			}
		}
	}
}

// enter lets s compete with the earlier starts: each keeps the levels at which
// the values up to s cost it no more than the best partition of them. What all
// starts will cost from s on is the same, so a start without levels can never
// win again.
func (p *partition) enter(pieces, out []piece, s int) []piece {
	take := func(lo, hi float64, start int) {
		if lo >= hi {
			return
		}
		if len(out) > 0 && out[len(out)-1].start == start {
			out[len(out)-1].hi = hi
			return
		}
		out = append(out, piece{lo, hi, start})
	}
	for _, c := range pieces {
		// least[start] − 2·level·d + n·level² ≤ least[s]
		d, n := p.sum[s]-p.sum[c.start], float64(s-c.start)
		root := d*d - n*(p.least[c.start]-p.least[s])
		if !(root > 0) {
			take(c.lo, c.hi, s)
			continue
		}
		root = math.Sqrt(root)
		lo, hi := max(c.lo, (d-root)/n), min(c.hi, (d+root)/n)
		if lo >= hi {
			take(c.lo, c.hi, s)
			continue
		}
		take(c.lo, lo, s)
		take(lo, hi, c.start)
		take(hi, c.hi, s)
	}
	return out
}
