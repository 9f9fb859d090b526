// Package measure gathers numbers while events pass: distributions, flows of
// operations, patterns of access and sets of bytes, each in bounded memory and
// each with the part of the profile that it becomes.
package measure

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"math/bits"
	"slices"
)

// Histogram counts non-negative values in buckets that are exact up to 128 and
// then 1/64 of an octave wide: a percentile read from it is at most 1.6 % off.
// Histograms of few values stay a short list; a file that was read twice must
// not cost pages of memory.
type Histogram struct {
	Count, Sum int64
	Min, Max   int64
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

// BucketOf is the number of a value's bucket; negative values count as 0.
func BucketOf(v int64) int {
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

func (h *Histogram) Add(v int64) {
	v = max(v, 0)
	if h.Count == 0 || v < h.Min {
		h.Min = v
	}
	h.Max = max(h.Max, v)
	h.Count++
	h.Sum += v
	b := BucketOf(v)
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
func (h *Histogram) settle() {
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
func (h *Histogram) clone() Histogram {
	h.settle()
	c := *h
	c.few, c.many, c.lately = slices.Clone(h.few), slices.Clone(h.many), nil
	return c
}

// put adds to a bucket that may not have a place yet.
func (h *Histogram) put(b int, n int64) {
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
func (h *Histogram) spread(b int) {
	few := h.few
	h.few, h.base, h.many = nil, b, make([]int64, 1, subBuckets)
	for _, c := range few {
		h.reach(int(c.number))
		h.many[int(c.number)-h.base] += int64(c.count)
	}
}

// reach extends the array to bucket b.
func (h *Histogram) reach(b int) {
	if b < h.base {
		first := max(b-subBuckets/2, 0)
		h.many = append(make([]int64, h.base-first, h.base-first+len(h.many)), h.many...)
		h.base = first
	}
	if n := b - h.base + 1; n > len(h.many) {
		h.many = append(h.many, make([]int64, n-len(h.many))...)
	}
}

// Merge adds another histogram.
func (h *Histogram) Merge(o *Histogram) {
	if o.Count == 0 {
		return
	}
	if h.Count == 0 || o.Min < h.Min {
		h.Min = o.Min
	}
	h.Max = max(h.Max, o.Max)
	h.Count += o.Count
	h.Sum += o.Sum
	o.Each(func(b int, n int64) { h.put(b, n) })
}

// Each calls f for every bucket that is not empty, in order.
func (h *Histogram) Each(f func(b int, n int64)) {
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

// Quantile is the value that a share q of the sample does not exceed: the
// smallest value whose rank is at least q·n. 0 if there is none.
func (h *Histogram) Quantile(q float64) int64 {
	rank := int64(q * float64(h.Count))
	if float64(rank) < q*float64(h.Count) {
		rank++
	}
	v, seen, done := h.Max, int64(0), false
	h.Each(func(b int, n int64) {
		if seen += n; !done && seen >= max(rank, 1) {
			v, done = bucketCenter(b), true
		}
	})
	if h.Count == 0 {
		return 0
	}
	return min(max(v, h.Min), h.Max)
}

// Sample returns at most n values that are spread over the sample as its ranks
// are; within a bucket they lie evenly.
func (h *Histogram) Sample(n int) []float64 {
	n = int(min(int64(n), h.Count))
	values := make([]float64, 0, n)
	seen := int64(0)
	h.Each(func(b int, count int64) {
		lo, hi := float64(max(bucketFloor(b), h.Min)), float64(min(bucketFloor(b+1), h.Max+1))
		for len(values) < n {
			rank := (float64(len(values)) + .5) / float64(n) * float64(h.Count)
			if rank > float64(seen+count) {
				break
			}
			values = append(values, lo+(hi-lo)*(rank-float64(seen))/float64(count))
		}
		seen += count
	})
	return values
}

// Dist is the distribution with its percentiles and bins.
func (h *Histogram) Dist() profile.Dist {
	d := profile.Dist{Count: h.Count, Sum: h.Sum, Min: h.Min, Max: h.Max}
	if h.Count == 0 {
		return d
	}
	marks := []struct {
		q    float64
		into *int64
	}{{.1, &d.P10}, {.5, &d.P50}, {.9, &d.P90}, {.99, &d.P99}, {.999, &d.P999}}
	for _, m := range marks {
		*m.into = h.Quantile(m.q)
	}
	h.Each(func(b int, n int64) { d.Bins = AddToBin(d.Bins, b, n) })
	return d
}

// AddToBin adds n values of a bucket to the bins, which are four per octave.
func AddToBin(bins []profile.Bin, b int, n int64) []profile.Bin {
	from, to := BinOf(b)
	if k := len(bins); k > 0 && bins[k-1].From == from {
		bins[k-1].Count += n
		return bins
	}
	return append(bins, profile.Bin{From: from, To: to, Count: n})
}

func BinOf(b int) (from, to int64) {
	if b < 8 { // 0, 1, … 7 have a bin each
		return int64(b), int64(b) + 1
	}
	v := bucketFloor(b)
	e := bits.Len64(uint64(v)) - 3
	from = v >> e << e
	return from, from + 1<<e
}
