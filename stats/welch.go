package stats

import "math"

// tTest is the result of Welch's test.
type tTest struct {
	T          float64
	DF         float64  // degrees of freedom (Welch–Satterthwaite)
	P          float64  // two-sided
	Difference Estimate // mean of the first sample less mean of the second, with its interval
}

// Welch tests whether two independent samples have the same mean without
// assuming that they have the same variance (Welch, Biometrika 34, 1947).
//
// It needs two values a side and means that are about normal: take logarithms
// of rates and latencies first. Two constant samples give P = 1 if they are
// equal and P = 0 with an infinite T if not. All is NaN, and the interval
// unknown, if a sample is too small or not usable.
func Welch(a, b []float64, level float64) tTest {
	if len(a) < 2 || len(b) < 2 || !usable(a) || !usable(b) {
		return tTest{T: nan, DF: nan, P: nan, Difference: noEstimate}
	}
	return welch(momentsOf(a), momentsOf(b), level)
}

// moments describe a sample. n is the number of independent values it is
// worth, not necessarily the number it has.
type moments struct{ mean, variance, n float64 }

// momentsOf describes a usable sample of independent values. The variance of
// a single one is 0.
func momentsOf(x []float64) moments {
	if len(x) == 1 {
		return moments{x[0], 0, 1}
	}
	mean, variance := Variance(x)
	return moments{mean, variance, float64(len(x))}
}

func welch(a, b moments, level float64) tTest {
	sa, sb := a.variance/a.n, b.variance/b.n
	diff, se := a.mean-b.mean, math.Sqrt(sa+sb)
	if se == 0 {
		t := tTest{DF: a.n + b.n - 2, P: 1, Difference: Estimate{diff, Interval{diff, diff, level}}}
		if diff != 0 {
			t.T, t.P = math.Inf(int(math.Copysign(1, diff))), 0
		}
		return t
	}
	// In shares of the variance, so that tiny variances do not underflow.
	wa, wb := sa/(sa+sb), sb/(sa+sb)
	df := 1 / (wa*wa/(a.n-1) + wb*wb/(b.n-1))
	dist := student(df)
	t := tTest{T: diff / se, DF: df, Difference: Estimate{Value: diff}}
	t.P = 2 * dist.Survival(math.Abs(t.T))
	if level > 0 && level < 1 {
		margin := se * dist.Quantile(0.5+level/2)
		t.Difference.Interval = Interval{diff - margin, diff + margin, level}
	}
	return t
}
