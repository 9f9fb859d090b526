package stats

import (
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestBucketsTileTheIntegers(t *testing.T) {
	next := uint64(0)
	for i := 0; i <= BucketOf(math.MaxInt64); i++ {
		low, high := bucketRange(i)
		if low != next || high <= low {
			t.Fatalf("bucket %d is %d to %d, want it to begin at %d", i, low, high, next)
		}
		if BucketOf(int64(low)) != i || BucketOf(int64(high-1)) != i || BucketFloor(i) != int64(low) {
			t.Fatalf("bucket %d does not hold its ends %d and %d", i, low, high-1)
		}
		if width := float64(high - low); width > 1 && width/float64(low) > 1.0/subBuckets {
			t.Fatalf("bucket %d is %g of %d wide", i, width, low)
		}
		next = high
	}
	if next != 1<<63 {
		t.Errorf("the last bucket ends at %d", next)
	}
}

// values are durations and sizes of all magnitudes.
func values() *rapid.Generator[[]int64] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) int64 {
		return rapid.Int64Range(0, 1<<rapid.IntRange(0, 62).Draw(t, "bits")).Draw(t, "value")
	}), 1, 200)
}

func TestHistogramAgainstValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := values().Draw(t, "x")
		var h Histogram
		sum := 0.0
		for _, v := range x {
			h.Add(v)
			sum += float64(v)
		}
		s := slices.Clone(x)
		slices.Sort(s)
		if h.Count() != uint64(len(x)) || h.Min() != s[0] || h.Max() != s[len(s)-1] || !Near(h.Sum()/sum, 1, 1e-12) &&
			sum > 0 {
			t.Fatalf("count %d min %d max %d sum %g", h.Count(), h.Min(), h.Max(), h.Sum())
		}
		for _, q := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.99, 1} {
			want := float64(s[max(0, int(math.Ceil(q*float64(len(s))))-1)])
			if got := h.Quantile(q); math.Abs(got-want) > want/128+0.5 || want < 128 && got != want {
				t.Fatalf("quantile %g = %g, want %g", q, got, want)
			}
		}
	})
}

// buckets is how many values each bucket has.
func buckets(h *Histogram) map[int]int64 {
	m := map[int]int64{}
	h.counts.Each(func(b int, n int64) { m[b] = n })
	return m
}

func TestHistogramMergeIsAddition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := values().Draw(t, "a"), values().Draw(t, "b")
		var ha, hb, both Histogram
		for _, v := range a {
			ha.Add(v)
			both.Add(v)
		}
		for _, v := range b {
			hb.Add(v)
			both.Add(v)
		}
		var empty Histogram
		ha.Merge(&empty)
		ha.Merge(&hb)
		empty.Merge(&ha)
		for _, h := range []*Histogram{&ha, &empty} {
			if !maps.Equal(buckets(h), buckets(&both)) || h.Sum() != both.Sum() ||
				h.Min() != both.Min() || h.Max() != both.Max() || h.Count() != both.Count() {
				t.Fatal("merging is not the same as adding all values to one")
			}
		}
	})
}

func TestHistogramEdges(t *testing.T) {
	var h Histogram
	if !math.IsNaN(h.Quantile(0.5)) || !math.IsNaN(h.Mean()) || h.Count() != 0 {
		t.Error("an empty histogram has values")
	}
	h.Add(-5)
	h.Add(math.MaxInt64)
	h.Add(math.MaxInt64)
	h.Add(math.MaxInt64)
	if h.Min() != 0 || h.Max() != math.MaxInt64 {
		t.Errorf("%d to %d", h.Min(), h.Max())
	}
	Check(t, "sum beyond 64 bits", h.Sum()/(3*math.Ldexp(1, 63)), 1, 1e-12)
	for v := range int64(2 * maxFew) { // no short list any more
		h.Add(v)
	}
	if bits.Len(uint(len(h.counts.many))) > 12 {
		t.Errorf("%d buckets", len(h.counts.many))
	}
	if !math.IsNaN(h.Quantile(1.1)) || !math.IsNaN(h.Quantile(math.NaN())) {
		t.Error("a quantile out of range has a value")
	}
}

func BenchmarkHistogramAdd(b *testing.B) {
	rng := rand.New(rand.NewPCG(17, 1))
	x := make([]int64, 1<<16)
	for i := range x {
		x[i] = int64(80e3 * math.Exp(rng.NormFloat64()))
	}
	var h Histogram
	i := 0
	for b.Loop() {
		h.Add(x[i&(len(x)-1)])
		i++
	}
	b.ReportMetric(float64(8*len(h.counts.many)), "bytes")
}
