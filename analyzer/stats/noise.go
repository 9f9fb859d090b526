package stats

import (
	"math"
	"slices"
)

// Noise is how a series varies from value to value, whatever its level does.
type Noise struct {
	Sigma       float64 // standard deviation of one value, from the MAD of differences
	Correlation float64 // of neighbouring values, −1 to 0.9
}

// minSigma is the least noise assumed of a series of logarithms: 1 %. Changes
// worth reporting are far above it, and a series of few different values
// would have none otherwise.
const minSigma = 0.01

// noiseOf estimates the noise of z from differences, which a change of level
// touches once only.
//
// The correlation comes from the differences two apart: for an AR(1) process
// the variance of those is 1+r times that of neighbours. A tenth of each, the
// largest, is left out, which the ratio does not feel and steps do.
func noiseOf(z []float64) Noise {
	if len(z) < 4 {
		return Noise{Sigma: minSigma}
	}
	one, two := differences(z, 1), differences(z, 2)
	sigma := one[len(one)/2] * NormalMAD / math.Sqrt2
	n := Noise{Sigma: max(sigma, minSigma)}
	if v := innerSquares(one); v > 0 {
		n.Correlation = min(0.9, max(-1, innerSquares(two)/v-1))
	}
	return n
}

// differences are the sizes of the differences between values lag apart, sorted.
func differences(z []float64, lag int) []float64 {
	d := make([]float64, 0, len(z)-lag)
	for i := lag; i < len(z); i++ {
		d = append(d, math.Abs(z[i]-z[i-lag]))
	}
	slices.Sort(d)
	return d
}

// innerSquares is the mean square of the lower nine tenths of d.
func innerSquares(d []float64) float64 {
	n := len(d) * 9 / 10
	sum := 0.0
	for _, v := range d[:n] {
		sum += v * v
	}
	return sum / float64(n)
}

// longRun is the variance that sums of the series grow with: σ² if its values
// are independent. Of an AR(1) process with correlation r, MAD of differences
// shows (1−r)·σ², and sums grow with (1+r)/(1−r)·σ².
func (n Noise) longRun() float64 {
	r := max(0, n.Correlation)
	return n.Sigma * n.Sigma * (1 + r) / ((1 - r) * (1 - r))
}

// worth is the number of independent values that count correlated ones are
// worth when their mean is tested.
func (n Noise) worth(count int) float64 {
	r := max(0, n.Correlation)
	return max(2, float64(count)*(1-r)/(1+r))
}
