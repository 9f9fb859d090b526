package stats

// This file has means and variances: what gonum's stat computes in the same way. That package
// brings linear algebra of 2 MB along, which the linker cannot leave out; the tests compare the two.

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
