package stats

import "math"

// Quantiles returns the q-quantile of x, 0 ≤ q ≤ 1, for each of qs, interpolated between the two nearest order
// statistics: type 7 of Hyndman and Fan (The American Statistician 50, 1996), which is what R, NumPy and spreadsheets
// compute. That of 0 is the minimum, that of 1 the maximum.
//
// It sorts a copy of x; for a stream of events use a Histogram. NaN if x is not usable or q is outside its range.
func Quantiles(x []float64, qs ...float64) []float64 {
	res := make([]float64, len(qs))
	ok := usable(x)
	var s []float64
	if ok {
		s = Sorted(x)
	}
	for i, q := range qs {
		if !ok || !(q >= 0 && q <= 1) {
			res[i] = nan
			continue
		}
		res[i] = quantileSorted(s, q)
	}
	return res
}

// quantileSorted is one of Quantiles for a sorted usable sample.
func quantileSorted(s []float64, q float64) float64 {
	h := float64(len(s)-1) * q
	i := int(h)
	frac := h - float64(i)
	if frac == 0 || s[i] == s[i+1] {
		return s[i]
	}
	return s[i]*(1-frac) + s[i+1]*frac
}

// MedianCI returns the distribution-free interval of the median between two
// order statistics: the narrowest symmetric pair whose coverage, from the
// binomial distribution with p = ½, is at least level. Level of the result is
// the coverage achieved. (Thompson, Annals of Mathematical Statistics 7, 1936.)
//
// It assumes independent values, nothing else. Small samples have no interval
// at high levels: 95 % needs six values, because the range of five covers the
// median with probability 1 − 2/2⁵ = 93.75 % only.
func MedianCI(x []float64, level float64) Interval {
	if !usable(x) {
		return Interval{}
	}
	rank, achieved := medianRank(len(x), level)
	if rank == 0 {
		return Interval{}
	}
	s := Sorted(x)
	return Interval{Low: s[rank-1], High: s[len(s)-rank], Level: achieved}
}

// medianRank returns the largest rank l such that the order statistics l and
// n+1−l (from 1) cover the median with probability level or more, and that
// probability; 0 if the whole range does not.
func medianRank(n int, level float64) (int, float64) {
	if !(level > 0 && level < 1) {
		return 0, 0
	}
	coverage := func(l int) float64 { return 1 - 2*headsCDF(n, l-1) }
	lo, hi := 0, n/2+1 // coverage(lo) is enough (lo = 0: by convention), coverage(hi) is not
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; coverage(mid) >= level {
			lo = mid
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return 0, 0
	}
	return lo, math.Min(coverage(lo), 1-1e-16)
}
