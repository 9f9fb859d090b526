package stats

import "github.com/iotrace/iotrace/stats/internal/sample"

// A12 returns the probability that a value drawn from a is larger than one
// drawn from b, ties counting one half (Vargha and Delaney, Journal of
// Educational and Behavioral Statistics 25, 2000): ½ is no difference, 0.56,
// 0.64 and 0.71 are their marks for a small, medium and large effect. Unlike a
// p-value it does not grow with the number of values. NaN if a sample is not
// usable.
func A12(a, b []float64) float64 {
	if !sample.Usable(a) || !sample.Usable(b) {
		return nan
	}
	return rank(a, b).u(len(a)) / (float64(len(a)) * float64(len(b)))
}

// CliffDelta returns P(a > b) − P(a < b) = 2·A12 − 1, from −1 to 1 (Cliff,
// Psychological Bulletin 114, 1993). NaN if a sample is not usable.
func CliffDelta(a, b []float64) float64 {
	return 2*A12(a, b) - 1
}

// HodgesLehmann returns the shift between two samples: the median of all
// differences aᵢ − bⱼ, in their unit (Hodges and Lehmann, Annals of
// Mathematical Statistics 34, 1963). It is the estimate that belongs to the
// Mann–Whitney test, and means "b is this much less than a" only if the two
// distributions have about the same shape. NaN if a sample is not usable.
//
// Up to exactPairs differences are listed. Beyond, the median is found by
// bisection on the number of differences below a value, in O(n+m) memory; the
// result is then exact to the last bits.
func HodgesLehmann(a, b []float64) float64 {
	if !sample.Usable(a) || !sample.Usable(b) {
		return nan
	}
	if len(a)*len(b) <= exactPairs {
		d := make([]float64, 0, len(a)*len(b))
		for _, x := range a {
			for _, y := range b {
				d = append(d, x-y)
			}
		}
		return sample.MedianOf(d)
	}
	s, t := sample.Sorted(a), sample.Sorted(b)
	below := func(d float64) int { return differencesBelow(s, t, d) }
	lo, hi := s[0]-t[len(t)-1], s[len(s)-1]-t[0]
	pairs := len(a) * len(b)
	return sample.Midpoint(sample.KthByCount(lo, hi, (pairs-1)/2, below), sample.KthByCount(lo, hi, pairs/2, below))
}

// exactPairs is the number of pairs (differences, slopes) up to which they are
// listed: 8 MiB.
const exactPairs = 1 << 20

// differencesBelow counts the pairs with s[i] − t[j] < d in two sorted samples.
func differencesBelow(s, t []float64, d float64) int {
	n, j := 0, 0
	for _, x := range s {
		for j < len(t) && x-t[j] >= d {
			j++
		}
		n += len(t) - j
	}
	return n
}
