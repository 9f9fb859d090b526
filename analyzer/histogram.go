package analyzer

import (
	"math/bits"
	"slices"
)

// histogram counts non-negative values in buckets that are exact up to 128 and
// then 1/64 of an octave wide: a percentile read from it is at most 1.6 % off.
// Histograms of few values stay a short list; a file that was read twice must
// not cost pages of memory.
type histogram struct {
	count, sum int64
	min, max   int64
	few        []bucket // sorted; until there are too many
	base       int      // bucket number of many[0]
	many       []int64
	lately     []uint16 // bucket numbers that are not in many yet
}

// maxLately is how many values are gathered before they are counted: one after
// the other, histograms of many files would push each other out of the caches.
const maxLately = 128

type bucket struct {
	number uint16
	count  uint32
}

const (
	subBuckets = 64
	maxFew     = 24
)

// bucketOf is the number of a value's bucket; negative values count as 0.
func bucketOf(v int64) int {
	if v < 2*subBuckets {
		return max(int(v), 0)
	}
	e := bits.Len64(uint64(v)) - 7
	return e*subBuckets + int(v>>e)
}

// bucketFloor is the smallest value of a bucket.
func bucketFloor(b int) int64 {
	if b < 2*subBuckets {
		return int64(b)
	}
	e := b/subBuckets - 1
	return int64(b-e*subBuckets) << e
}

// bucketCenter stands for the values of a bucket.
func bucketCenter(b int) int64 {
	lo := bucketFloor(b)
	return lo + (bucketFloor(b+1)-1-lo)/2
}

func (h *histogram) add(v int64) {
	v = max(v, 0)
	if h.count == 0 || v < h.min {
		h.min = v
	}
	h.max = max(h.max, v)
	h.count++
	h.sum += v
	b := bucketOf(v)
	if h.many == nil {
		h.put(b, 1)
		return
	}
	h.lately = append(h.lately, uint16(b))
	if len(h.lately) >= maxLately {
		h.settle()
	}
}

// settle counts what was added lately.
func (h *histogram) settle() {
	for _, b := range h.lately {
		if i := int(b) - h.base; uint(i) < uint(len(h.many)) {
			h.many[i]++
		} else {
			h.put(int(b), 1)
		}
	}
	h.lately = h.lately[:0]
}

// clone is a histogram of its own.
func (h *histogram) clone() histogram {
	h.settle()
	c := *h
	c.few, c.many, c.lately = slices.Clone(h.few), slices.Clone(h.many), nil
	return c
}

// put adds to a bucket that may not have a place yet.
func (h *histogram) put(b int, n int64) {
	if h.many == nil {
		i := 0
		for i < len(h.few) && int(h.few[i].number) < b {
			i++
		}
		found := i < len(h.few) && int(h.few[i].number) == b
		if found && int64(h.few[i].count)+n < 1<<32 {
			h.few[i].count += uint32(n)
			return
		}
		if !found && len(h.few) < maxFew && n < 1<<32 {
			h.few = slices.Insert(h.few, i, bucket{uint16(b), uint32(n)})
			return
		}
		h.spread(b)
	}
	h.reach(b)
	h.many[b-h.base] += n
}

// spread turns the list into an array that also reaches bucket b.
func (h *histogram) spread(b int) {
	few := h.few
	h.few, h.base, h.many = nil, b, make([]int64, 1, subBuckets)
	for _, c := range few {
		h.reach(int(c.number))
		h.many[int(c.number)-h.base] += int64(c.count)
	}
}

// reach extends the array to bucket b.
func (h *histogram) reach(b int) {
	if b < h.base {
		first := max(b-subBuckets/2, 0)
		h.many = append(make([]int64, h.base-first, h.base-first+len(h.many)), h.many...)
		h.base = first
	}
	if n := b - h.base + 1; n > len(h.many) {
		h.many = append(h.many, make([]int64, n-len(h.many))...)
	}
}

// merge adds another histogram.
func (h *histogram) merge(o *histogram) {
	if o.count == 0 {
		return
	}
	if h.count == 0 || o.min < h.min {
		h.min = o.min
	}
	h.max = max(h.max, o.max)
	h.count += o.count
	h.sum += o.sum
	o.each(func(b int, n int64) { h.put(b, n) })
}

// each calls f for every bucket that is not empty, in order.
func (h *histogram) each(f func(b int, n int64)) {
	h.settle()
	for _, c := range h.few {
		f(int(c.number), int64(c.count))
	}
	for i, n := range h.many {
		if n > 0 {
			f(h.base+i, n)
		}
	}
}

// quantile is the value that a share q of the sample does not exceed: the
// smallest value whose rank is at least q·n. 0 if there is none.
func (h *histogram) quantile(q float64) int64 {
	rank := int64(q * float64(h.count))
	if float64(rank) < q*float64(h.count) {
		rank++
	}
	v, seen, done := h.max, int64(0), false
	h.each(func(b int, n int64) {
		if seen += n; !done && seen >= max(rank, 1) {
			v, done = bucketCenter(b), true
		}
	})
	if h.count == 0 {
		return 0
	}
	return min(max(v, h.min), h.max)
}

// sample returns at most n values that are spread over the sample as its ranks
// are; within a bucket they lie evenly.
func (h *histogram) sample(n int) []float64 {
	n = int(min(int64(n), h.count))
	values := make([]float64, 0, n)
	seen := int64(0)
	h.each(func(b int, count int64) {
		lo, hi := float64(max(bucketFloor(b), h.min)), float64(min(bucketFloor(b+1), h.max+1))
		for len(values) < n {
			rank := (float64(len(values)) + .5) / float64(n) * float64(h.count)
			if rank > float64(seen+count) {
				break
			}
			values = append(values, lo+(hi-lo)*(rank-float64(seen))/float64(count))
		}
		seen += count
	})
	return values
}

// dist is the distribution with its percentiles and bins.
func (h *histogram) dist() Dist {
	d := Dist{Count: h.count, Sum: h.sum, Min: h.min, Max: h.max}
	if h.count == 0 {
		return d
	}
	marks := []struct {
		q    float64
		into *int64
	}{{.1, &d.P10}, {.5, &d.P50}, {.9, &d.P90}, {.99, &d.P99}, {.999, &d.P999}}
	for _, m := range marks {
		*m.into = h.quantile(m.q)
	}
	h.each(func(b int, n int64) { d.Bins = addToBin(d.Bins, b, n) })
	return d
}

// addToBin adds n values of a bucket to the bins, which are four per octave.
func addToBin(bins []Bin, b int, n int64) []Bin {
	from, to := binOf(b)
	if k := len(bins); k > 0 && bins[k-1].From == from {
		bins[k-1].Count += n
		return bins
	}
	return append(bins, Bin{from, to, n})
}

func binOf(b int) (from, to int64) {
	if b < 8 { // 0, 1, … 7 have a bin each
		return int64(b), int64(b) + 1
	}
	v := bucketFloor(b)
	e := bits.Len64(uint64(v)) - 3
	from = v >> e << e
	return from, from + 1<<e
}
