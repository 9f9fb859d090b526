package distribution

import (
	"iter"
	"math"
	"math/bits"

	"github.com/iotrace/iotrace/stats/internal/sample"
)

// The layout of a Histogram: values below 128 have a bucket each, every octave
// above is cut into 64 equal ones. A bucket is at most 1/64 = 1.6 % of its
// values wide.
const (
	subBits    = 6
	subBuckets = 1 << subBits
)

// Histogram counts non-negative integers (nanoseconds, bytes) in log-linear
// buckets: constant relative error, no range to declare, and histograms of
// parts add up exactly to that of the whole. The zero Histogram is empty and
// ready to use. It takes 8 bytes per bucket between its smallest and largest
// value: 13 octaves, 1 µs to 10 ms, take 7 KB; all there are, 30 KB.
//
// It is not safe for concurrent use.
type Histogram struct {
	counts []uint64
	first  int // bucket of counts[0]
	n      uint64
	lo, hi int64  // least and greatest value, if n > 0
	sumHi  uint64 // sum of all values, 128 bits
	sumLo  uint64
}

// Add counts one value. A negative one, which no duration or size can be,
// counts as 0.
func (h *Histogram) Add(v int64) {
	v = max(v, 0)
	if i := uint(bucketOf(uint64(v)) - h.first); i < uint(len(h.counts)) {
		h.counts[i]++
	} else {
		h.grow(bucketOf(uint64(v)))
		h.counts[bucketOf(uint64(v))-h.first]++
	}
	if h.n == 0 {
		h.lo, h.hi = v, v
	}
	h.n++
	h.lo, h.hi = min(h.lo, v), max(h.hi, v)
	var carry uint64
	h.sumLo, carry = bits.Add64(h.sumLo, uint64(v), 0)
	h.sumHi += carry
}

// Merge adds the counts of o, which does not change.
func (h *Histogram) Merge(o *Histogram) {
	if o.n == 0 {
		return
	}
	h.grow(o.first)
	h.grow(o.first + len(o.counts) - 1)
	for i, c := range o.counts {
		h.counts[o.first-h.first+i] += c
	}
	if h.n == 0 {
		h.lo, h.hi = o.lo, o.hi
	}
	h.n += o.n
	h.lo, h.hi = min(h.lo, o.lo), max(h.hi, o.hi)
	var carry uint64
	h.sumLo, carry = bits.Add64(h.sumLo, o.sumLo, 0)
	h.sumHi += o.sumHi + carry
}

// grow makes room for bucket i. Room is added in octaves, so that it is rare.
func (h *Histogram) grow(i int) {
	from, to := i&^(subBuckets-1), (i|(subBuckets-1))+1
	if len(h.counts) > 0 {
		from, to = min(from, h.first), max(to, h.first+len(h.counts))
		if to-from == len(h.counts) {
			return
		}
	}
	counts := make([]uint64, to-from)
	copy(counts[max(0, h.first-from):], h.counts)
	h.counts, h.first = counts, from
}

// Count is the number of values.
func (h *Histogram) Count() uint64 { return h.n }

// Min is the least value, exactly; 0 if there is none.
func (h *Histogram) Min() int64 { return h.lo }

// Max is the greatest value, exactly; 0 if there is none.
func (h *Histogram) Max() int64 { return h.hi }

// Sum is the sum of all values, exact up to the precision of a float64.
func (h *Histogram) Sum() float64 {
	return math.Ldexp(float64(h.sumHi), 64) + float64(h.sumLo)
}

// Mean is exact, unlike the quantiles. NaN if there are no values.
func (h *Histogram) Mean() float64 {
	if h.n == 0 {
		return math.NaN()
	}
	return h.Sum() / float64(h.n)
}

// Quantile returns the value of rank ⌈q·n⌉, 0 ≤ q ≤ 1: at most 0.8 % off, as
// the middle of its bucket stands for it, and exact below 128 and at the
// least and greatest value. No interpolation: it is a value that occurred.
// Quantiles of parts cannot be averaged; merge the histograms. NaN if there
// are no values or q is outside its range.
func (h *Histogram) Quantile(q float64) float64 {
	if h.n == 0 || !(q >= 0 && q <= 1) {
		return math.NaN()
	}
	rank := uint64(math.Ceil(q * float64(h.n)))
	switch {
	case rank <= 1:
		return float64(h.lo)
	case rank >= h.n:
		return float64(h.hi)
	}
	for i, c := range h.counts {
		if c >= rank {
			return h.middle(i)
		}
		rank -= c
	}
	return float64(h.hi)
}

// middle stands for the values in counts[i].
func (h *Histogram) middle(i int) float64 {
	low, high := bucketRange(h.first + i)
	return math.Min(math.Max(float64(low)+float64(high-low-1)/2, float64(h.lo)), float64(h.hi))
}

// Bucket is a range of values, Low ≤ v < High, and how many there were.
type Bucket struct {
	Low, High uint64
	Count     uint64
}

// Buckets yields the buckets that are not empty, in ascending order.
func (h *Histogram) Buckets() iter.Seq[Bucket] {
	return func(yield func(Bucket) bool) {
		for i, c := range h.counts {
			if c == 0 {
				continue
			}
			low, high := bucketRange(h.first + i)
			if !yield(Bucket{low, high, c}) {
				return
			}
		}
	}
}

// Octaves counts the values in log2 bins, exactly.
func (h *Histogram) Octaves() Octaves {
	var o Octaves
	for b := range h.Buckets() {
		o[bits.Len64(b.Low)] += float64(b.Count)
	}
	return o
}

// Wasserstein is the distance between the distributions of two histograms, in
// the unit of the values, to the precision of their buckets (see earthMover
// of samples). NaN if one is empty.
func (h *Histogram) Wasserstein(o *Histogram) float64 {
	if h.n == 0 || o.n == 0 {
		return math.NaN()
	}
	return earthMover(h.points(), o.points())
}

func (h *Histogram) points() []sample.Point {
	var p []sample.Point
	for i, c := range h.counts {
		if c > 0 {
			p = append(p, sample.Point{Value: h.middle(i), Weight: float64(c)})
		}
	}
	return p
}

// bucketOf is the bucket of v. Bucket i+64 is twice as wide as bucket i.
func bucketOf(v uint64) int {
	shift := max(0, bits.Len64(v)-subBits-1)
	return shift<<subBits + int(v>>shift)
}

// bucketRange is the inverse: low ≤ v < high.
func bucketRange(i int) (low, high uint64) {
	shift := max(0, i>>subBits-1)
	low = uint64(i-shift<<subBits) << shift
	return low, low + 1<<shift
}
