// Package sums has means, variances and the slope of a line: what gonum's stat computes in the same way. That package
// brings linear algebra of 2 MB along, which the linker cannot leave out; the tests compare the two.
package sums

import "gonum.org/v1/gonum/floats"

// Mean is the mean of values; NaN of none.
func Mean(x []float64) float64 { return floats.Sum(x) / float64(len(x)) }

// Variance is the mean, and the variance of what the values are a sample of: the two-pass algorithm with a correction
// (Chan, Golub and LeVeque, The American Statistician 37, 1983, (1.7)).
func Variance(x []float64) (mean, variance float64) {
	mean = Mean(x)
	squares, rest := 0.0, 0.0
	for _, v := range x {
		d := v - mean
		squares += d * d
		rest += d
	}
	n := float64(len(x))
	return mean, (squares - rest*rest/n) / (n - 1)
}

// Slope is that of the line through y over x with the least squares.
func Slope(x, y []float64) float64 {
	mx, my := Mean(x), Mean(y)
	xx, xy := 0.0, 0.0
	for i := range x {
		xx += (x[i] - mx) * (x[i] - mx)
		xy += (x[i] - mx) * (y[i] - my)
	}
	return xy / xx
}
