package stats

import (
	"math"
	"slices"
)

// ranking is what rank tests need to know about two samples put together.
type ranking struct {
	rankSum float64 // of the first sample, ties sharing their mean rank
	ties    float64 // Σ (t³ − t) over groups of t equal values
}

// rank ranks two usable samples together.
func rank(a, b []float64) ranking {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	var r ranking
	for below := 0.0; len(a)+len(b) > 0; {
		least := min(first(a), first(b))
		ofA, ofB := equal(a, least), equal(b, least)
		t := float64(ofA + ofB)
		r.rankSum += float64(ofA) * (2*below + t + 1) / 2
		r.ties += t*t*t - t
		a, b, below = a[ofA:], b[ofB:], below+t
	}
	return r
}

// first is the least of sorted values, more than any if there are none.
func first(values []float64) float64 {
	if len(values) == 0 {
		return math.Inf(1)
	}
	return values[0]
}

// equal is how many of sorted values, from the first on, are v.
func equal(values []float64, v float64) int {
	n := 0
	for n < len(values) && values[n] == v {
		n++
	}
	return n
}

// u is the Mann–Whitney statistic of the first sample, of size n: the number
// of pairs in which it has the larger value, ties counting one half.
func (r ranking) u(n int) float64 { return r.rankSum - float64(n)*float64(n+1)/2 }
