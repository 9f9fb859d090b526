package stats

import "math"

// robustLine is a fit by medians of slopes. Its slope has an interval, its
// intercept none.
type robustLine struct {
	Line
	// Joint is the other convention for the intercept: the median of
	// y − Slope·x. Line.Intercept is median(y) − Slope·median(x).
	Joint float64
	Pairs int // slopes the median was taken of
}

// exactPairs is the number of pairs up to which slopes are listed: 8 MiB.
const exactPairs = 1 << 20

// TheilSen fits a line whose slope is the median of the slopes between all
// pairs of points with different x (Theil, Proceedings of the KNAW 53, 1950),
// with Sen's interval at the given level, corrected for ties (Sen, Journal of
// the American Statistical Association 63, 1968). 29 % of the points may be
// outliers before it breaks down.
//
// Up to a million pairs (1,400 points) all slopes are listed. Beyond, the ranks
// in question are closed in on until less than a million slopes are left, and
// only these are listed (after Matoušek, Information Processing Letters 39,
// 1991): about O(n log n) time, 8 MiB. 100,000 points take a second. The
// result is the same, no slope is left out.
//
// All is NaN if x and y are not usable, differ in length, all x are equal, or
// a slope or a difference of two x or two y overflows.
func TheilSen(x, y []float64, level float64) robustLine {
	if !plane(x, y) {
		return robustLine{Line: noLine, Joint: nan}
	}
	s := newSlopes(x, y, exactPairs)
	if !s.finite() {
		return robustLine{Line: noLine, Joint: nan}
	}
	slope := s.median()
	r := robustLine{Pairs: s.pairs}
	r.Slope.Value = slope
	r.Intercept.Value = Median(y) - slope*Median(x)
	r.Joint = medianResidual(x, y, slope)
	if lo, hi, ok := senRanks(x, y, s.pairs, level); ok {
		r.Slope.Interval = Interval{s.kth(lo), s.kth(hi), level}
	}
	return r
}

// senRanks returns the ranks of the slopes that bound Sen's interval: the
// normal approximation to the distribution of Kendall's S under ties.
func senRanks(x, y []float64, pairs int, level float64) (lo, hi int, ok bool) {
	if !(level > 0 && level < 1) {
		return 0, 0, false
	}
	n := float64(len(x))
	variance := (n*(n-1)*(2*n+5) - tieTerm(x) - tieTerm(y)) / 18
	if !(variance > 0) {
		return 0, 0, false
	}
	width := normalQuantile(0.5+level/2) * math.Sqrt(variance)
	hi = min(int(math.RoundToEven((float64(pairs)+width)/2)), pairs-1)
	lo = max(int(math.RoundToEven((float64(pairs)-width)/2))-1, 0)
	return lo, hi, true
}

// tieTerm is Σ t(t−1)(2t+5) over the groups of t equal values.
func tieTerm(x []float64) float64 {
	s := Sorted(x)
	sum := 0.0
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		t := float64(j - i)
		sum += t * (t - 1) * (2*t + 5)
		i = j
	}
	return sum
}

func medianResidual(x, y []float64, slope float64) float64 {
	res := make([]float64, len(x))
	for i := range res {
		res[i] = y[i] - slope*x[i]
	}
	return Median(res)
}
