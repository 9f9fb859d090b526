package stats

import "github.com/iotrace/iotrace/stats/internal/sample"

// Siegel fits a line by repeated medians: the slope is the median, over all
// points, of the median slope from that point to the others (Siegel,
// Biometrika 69, 1982), the intercept the median of y − slope·x. Up to half
// of the points may be outliers; no interval is known for it. Pairs with equal
// x are skipped.
//
// Time is quadratic: 3,000 points take 0.2 s, 10,000 about 2 s. All is NaN if
// x and y are not usable, differ in length, or all x are equal.
func Siegel(x, y []float64) Line {
	if !plane(x, y) {
		return noLine
	}
	medians := make([]float64, len(x))
	slopes := make([]float64, 0, len(x))
	for i := range x {
		slopes = slopes[:0]
		for j := range x {
			if dx := x[j] - x[i]; dx != 0 {
				slopes = append(slopes, (y[j]-y[i])/dx)
			}
		}
		medians[i] = sample.MedianOf(slopes)
	}
	slope := sample.MedianOf(medians)
	return Line{Slope: Estimate{Value: slope}, Intercept: Estimate{Value: medianResidual(x, y, slope)}}
}
