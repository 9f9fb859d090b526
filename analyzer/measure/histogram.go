// Package measure collects numbers while events pass: distributions, flows of
// operations, patterns of access and sets of bytes. Each takes bounded memory
// and has the part of the profile that it becomes.
package measure

import (
	"math/bits"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/stats"
)

// Histogram counts non-negative values: a percentile read from it is at most 1.6 % off. With few values it is small.
type Histogram struct{ stats.Counts }

// BucketOf is the number of a value's bucket; negative values count as 0.
func BucketOf(v int64) int { return stats.BucketOf(v) }

// clone is a histogram of its own.
func (h *Histogram) clone() Histogram { return Histogram{h.Counts.Clone()} }

// Merge adds another histogram.
func (h *Histogram) Merge(o *Histogram) { h.Counts.Merge(&o.Counts) }

// Quantile is the value that a share q of the sample does not exceed: the
// smallest value whose rank is at least q·n. 0 if there is none.
func (h *Histogram) Quantile(q float64) int64 { return h.quantile(q, stats.BucketCenter) }

// SizeQuantile is the same for the sizes of operations. These are multiples of
// a page or a sector, and so are the values with which buckets begin: 4 KiB are
// 4 KiB, and not the middle of what lies from there to 4.06 KiB.
func (h *Histogram) SizeQuantile(q float64) int64 { return h.quantile(q, stats.BucketFloor) }

// half is the size up to which operations moved half of the bytes, as SizeQuantile tells sizes.
func (h *Histogram) half() (size int64) {
	var seen, all float64
	h.Each(func(b int, n int64) { all += float64(stats.BucketFloor(b)) * float64(n) })
	done := false
	h.Each(func(b int, n int64) {
		if seen += float64(stats.BucketFloor(b)) * float64(n); !done && seen >= all/2 {
			size, done = stats.BucketFloor(b), true
		}
	})
	return min(max(size, h.Min), h.Max)
}

// quantile has one value stand for those of a bucket.
func (h *Histogram) quantile(q float64, of func(bucket int) int64) int64 {
	rank := int64(q * float64(h.Count))
	if float64(rank) < q*float64(h.Count) {
		rank++
	}
	v, seen, done := h.Max, int64(0), false
	h.Each(func(b int, n int64) {
		if seen += n; !done && seen >= max(rank, 1) {
			v, done = of(b), true
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
		lo, hi := float64(max(stats.BucketFloor(b), h.Min)), float64(min(stats.BucketFloor(b+1), h.Max+1))
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
func (h *Histogram) Dist() profile.Dist { return h.dist(h.Quantile) }

func (h *Histogram) dist(quantile func(float64) int64) profile.Dist {
	d := profile.Dist{Count: h.Count, Sum: h.Sum, Min: h.Min, Max: h.Max}
	if h.Count == 0 {
		return d
	}
	marks := []struct {
		q    float64
		into *int64
	}{{.1, &d.P10}, {.5, &d.P50}, {.9, &d.P90}, {.99, &d.P99}, {.999, &d.P999}}
	for _, m := range marks {
		*m.into = quantile(m.q)
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
	v := stats.BucketFloor(b)
	e := bits.Len64(uint64(v)) - 3
	from = v >> e << e
	return from, from + 1<<e
}
