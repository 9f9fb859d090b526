package measure

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestHistogramAgainstSorting compares with the sorted sample, and merging with adding.
func TestHistogramAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(
			rapid.Int64Range(0, 300), rapid.Int64Range(0, 1<<40), rapid.Just(int64(4096))), 1, 300).Draw(t, "values")
		cut := rapid.IntRange(0, len(values)).Draw(t, "cut")
		var h, a, b Histogram
		sum := int64(0)
		for i, v := range values {
			h.Add(v)
			if sum += v; i < cut {
				a.Add(v)
			} else {
				b.Add(v)
			}
		}
		a.Merge(&b)
		slices.Sort(values)
		for _, h := range []*Histogram{&h, &a} {
			if h.Count != int64(len(values)) || h.Sum != sum || h.Min != values[0] || h.Max != values[len(values)-1] {
				t.Fatalf("count %d, sum %d, min %d, max %d of %v", h.Count, h.Sum, h.Min, h.Max, values)
			}
			for _, q := range []float64{0, .1, .25, .5, .9, .99, .999, 1} {
				want := values[max(int(math.Ceil(q*float64(len(values))))-1, 0)]
				got := h.Quantile(q)
				if math.Abs(float64(got-want)) > float64(want)/64 {
					t.Fatalf("quantile %g is %d, want %d", q, got, want)
				}
			}
			total := int64(0)
			for i, bin := range h.Dist().Bins {
				if total += bin.Count; bin.From >= bin.To || i > 0 && bin.From < h.Dist().Bins[i-1].To {
					t.Fatalf("bins overlap: %v", h.Dist().Bins)
				}
			}
			if total != h.Count {
				t.Fatalf("bins hold %d of %d values", total, h.Count)
			}
		}
	})
}

func BenchmarkHistogram(b *testing.B) {
	var h Histogram
	for i := range int64(b.N) {
		h.Add(i * 7919 % 1000003)
	}
}

func BenchmarkFlow(b *testing.B) {
	var f Flow
	for i := range int64(b.N) {
		f.Add(i*100, i*100+150, 4096, false)
	}
}

// Sizes of operations are told as they are, not as the middle of what counts as
// one: those that are counted one by one, and all that buckets begin with.
func TestSizesAreToldAsTheyAre(t *testing.T) {
	for _, usual := range []int64{512, 4096, 65536, 4608, 5003, 1 << 20, 1<<20 + 512} {
		var h Histogram
		var known Tally
		for i := range int64(100) {
			for _, v := range []int64{usual, usual, usual, 100 + i, 10 * usual} {
				h.Add(v)
				known.Add(v)
			}
		}
		if d := sizeDist(&h, &known); d.P50 != usual {
			t.Errorf("the median of operations of %d bytes is %d", usual, d.P50)
		}
	}
	var h Histogram
	for i := range int64(1000) { // too many to be counted one by one
		h.Add(4096 * (1 + i%100))
	}
	if got := h.SizeQuantile(0.5); got != 50*4096 {
		t.Errorf("the median of 1 to 100 pages is %d", got)
	}
}

func BenchmarkFlowInTurn(b *testing.B) {
	var f Flow
	for i := range int64(b.N) {
		f.Add(i*100, i*100+50+i*7919%37, 4096, false)
	}
}

func BenchmarkPattern(b *testing.B) {
	var o Pattern
	for i := range int64(b.N) {
		o.Add(i*7919%1000003*4096, 4096)
	}
}
