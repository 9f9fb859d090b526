package stats

import "math"

// DefaultTrim is the share Wilcox (Introduction to Robust Estimation and
// Hypothesis Testing) recommends to cut from each tail.
const DefaultTrim = 0.2

// normalMAD turns a median absolute deviation from the median into the standard deviation of a normal distribution
// that has it: 1/Φ⁻¹(¾).
const normalMAD = 1.482602218505602

// TrimmedMean returns the mean of what is left after ⌊share·n⌋ values are cut
// from each tail, 0 ≤ share < ½. NaN if x is not usable or share is outside
// its range.
//
// It resists outliers, not mixtures: of a drive that wrote 12 files at
// 2.3 GB/s and 16 at 0.66 the 20 % trimmed mean is 1.3 GB/s, a rate it never
// had. Ask Modes first.
func TrimmedMean(x []float64, share float64) float64 {
	cut, ok := tail(x, share)
	if !ok {
		return nan
	}
	return Mean(Sorted(x)[cut : len(x)-cut])
}

// TrimmedMeanCI returns the interval of the trimmed mean: Student's t with as
// many degrees of freedom as values are left less one, and the winsorized
// variance (Tukey and McLaughlin, Sankhyā A 25, 1963; Wilcox's trimci). It
// assumes independent values. Not known if fewer than three are left, or share
// or level are outside their ranges.
func TrimmedMeanCI(x []float64, share, level float64) Interval {
	cut, ok := tail(x, share)
	left := len(x) - 2*cut
	if !ok || left < 3 || !(level > 0 && level < 1) {
		return Interval{}
	}
	_, variance := Variance(winsorized(x, cut))
	sd := math.Sqrt(variance)
	t := student(left - 1).Quantile(0.5 + level/2)
	width := t * sd / ((1 - 2*share) * math.Sqrt(float64(len(x))))
	m := TrimmedMean(x, share)
	return Interval{m - width, m + width, level}
}

// winsorized replaces so many values of each tail by the next one, and sorts.
func winsorized(x []float64, cut int) []float64 {
	s := Sorted(x)
	for i := range cut {
		s[i] = s[cut]
		s[len(s)-1-i] = s[len(s)-1-cut]
	}
	return s
}

// tail is the number of values in a share of one tail.
func tail(x []float64, share float64) (int, bool) {
	if !usable(x) || !(share >= 0 && share < 0.5) {
		return 0, false
	}
	return int(share * float64(len(x))), true
}
