package stats

import "math"

// Line is a fitted straight line y = Intercept + Slope·x.
type Line struct {
	Slope     Estimate
	Intercept Estimate
}

// noLine is the line through points that define none.
var noLine = Line{Slope: noEstimate, Intercept: noEstimate}

// plane reports whether x and y are the coordinates of points through which a
// line can be fitted: equally many, finite, and at least two different x.
func plane(x, y []float64) bool {
	if len(x) != len(y) || !usable(x) || !usable(y) {
		return false
	}
	for _, v := range x {
		if v != x[0] {
			return true
		}
	}
	return false
}

// regression is a least-squares fit.
type regression struct {
	Line
	R2       float64 // share of the variance of y that the line explains
	Residual float64 // standard deviation of the residuals, in the unit of y
}

// OLS fits a line by ordinary least squares, with t intervals of slope and
// intercept at the given level.
//
// With y the time a file took and x its size, Intercept is the cost of a file
// and 1/Slope the transfer rate. The fit is pulled by its largest x and by any
// outlier among them: of 16 files of which the one of 0.8 GB was slow it says
// 2.22 GB/s where all others agree on 2.58. Compare with TheilSen, and look
// for change points first: no line describes a drive that changed its speed.
//
// The intervals are unknown for fewer than three points. They assume errors of
// equal variance, which times of files of very different sizes do not have. All
// is NaN if x and y are not usable, differ in length, or all x are equal.
func OLS(x, y []float64, level float64) regression {
	if !plane(x, y) {
		return regression{Line: noLine, R2: nan, Residual: nan}
	}
	n := float64(len(x))
	mx, my := Mean(x), Mean(y)
	var sxx, sxy, syy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		sxx += dx * dx
		sxy += dx * dy
		syy += dy * dy
	}
	slope := sxy / sxx
	r := regression{R2: 1, Residual: nan}
	r.Slope.Value, r.Intercept.Value = slope, my-slope*mx
	rss := 0.0
	for i := range x {
		e := y[i] - my - slope*(x[i]-mx)
		rss += e * e
	}
	if syy > 0 {
		r.R2 = math.Max(0, 1-rss/syy)
	}
	if len(x) < 3 || !(level > 0 && level < 1) {
		return r
	}
	r.Residual = math.Sqrt(rss / (n - 2))
	t := student(n - 2).Quantile(0.5 + level/2)
	ms := t * r.Residual / math.Sqrt(sxx)
	mi := t * r.Residual * math.Sqrt(1/n+mx*mx/sxx)
	r.Slope.Interval = Interval{slope - ms, slope + ms, level}
	r.Intercept.Interval = Interval{r.Intercept.Value - mi, r.Intercept.Value + mi, level}
	return r
}
