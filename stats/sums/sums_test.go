package sums

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

func close(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b))
}

// gonum finds the same.
func TestAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2, 50).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), len(x), len(x)).Draw(t, "y")
		mean, variance := Variance(x)
		if m, v := stat.MeanVariance(x, nil); mean != m || variance != v || Mean(x) != m {
			t.Fatalf("mean and variance are %v and %v, gonum's %v and %v", mean, variance, m, v)
		}
		if variance < 1e-6 {
			return
		}
		_, slope := stat.LinearRegression(x, y, nil, false)
		scale := math.Max(math.Abs(slope), 1e-3)
		if got := Slope(x, y); !close(got, slope) && math.Abs(got-slope) > 1e-9*scale*1e6 {
			t.Fatalf("the slope is %v, gonum's %v", got, slope)
		}
	})
	if !math.IsNaN(Mean(nil)) {
		t.Error("there is a mean of nothing")
	}
}
