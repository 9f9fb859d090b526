package stats

import (
	"math"
	"math/bits"
)

// Histogram counts non-negative integers (nanoseconds, bytes) in the buckets of Counts: constant relative error, no
// range to declare, and histograms of parts add up exactly to that of the whole. The zero Histogram is empty and ready
// to use.
//
// It is not safe for concurrent use.
type Histogram struct {
	counts Counts
	sumHi  uint64 // sum of all values, 128 bits
	sumLo  uint64
}

// Add counts one value. A negative one counts as 0.
func (h *Histogram) Add(v int64) {
	h.counts.Add(v)
	var carry uint64
	h.sumLo, carry = bits.Add64(h.sumLo, uint64(max(v, 0)), 0)
	h.sumHi += carry
}

// Merge adds the counts of o, which does not change.
func (h *Histogram) Merge(o *Histogram) {
	h.counts.Merge(&o.counts)
	var carry uint64
	h.sumLo, carry = bits.Add64(h.sumLo, o.sumLo, 0)
	h.sumHi += o.sumHi + carry
}

// Count is the number of values.
func (h *Histogram) Count() uint64 { return uint64(h.counts.Count) }

// Min is the least value, exactly; 0 if there is none.
func (h *Histogram) Min() int64 { return h.counts.Min }

// Max is the greatest value, exactly; 0 if there is none.
func (h *Histogram) Max() int64 { return h.counts.Max }

// Sum is the sum of all values, exact up to the precision of a float64.
func (h *Histogram) Sum() float64 { return math.Ldexp(float64(h.sumHi), 64) + float64(h.sumLo) }

// Mean is exact, unlike the quantiles. NaN if there are no values.
func (h *Histogram) Mean() float64 {
	if h.Count() == 0 {
		return math.NaN()
	}
	return h.Sum() / float64(h.Count())
}

// Quantile returns the value of rank ⌈q·n⌉, 0 ≤ q ≤ 1: at most 0.8 % off, as
// the middle of its bucket stands for it, and exact below 128 and at the
// least and greatest value. No interpolation: it is a value that occurred.
// Quantiles of parts cannot be averaged; merge the histograms. NaN if there
// are no values or q is outside its range.
func (h *Histogram) Quantile(q float64) float64 {
	if h.Count() == 0 || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	rank := uint64(math.Ceil(q * float64(h.Count())))
	switch {
	case rank <= 1:
		return float64(h.Min())
	case rank >= h.Count():
		return float64(h.Max())
	}
	found, seen := float64(h.Max()), uint64(0)
	h.counts.Each(func(b int, n int64) {
		if seen < rank && seen+uint64(n) >= rank {
			found = h.middle(b)
		}
		seen += uint64(n)
	})
	return found
}

// middle stands for the values in a bucket.
func (h *Histogram) middle(b int) float64 {
	low, high := bucketRange(b)
	return math.Min(math.Max(float64(low)+float64(high-low-1)/2, float64(h.Min())), float64(h.Max()))
}

// bucketRange is where the values of a bucket lie: low ≤ v < high.
func bucketRange(b int) (low, high uint64) {
	shift := max(0, b>>subBits-1)
	low = uint64(b-shift<<subBits) << shift
	return low, low + 1<<shift
}
