package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// gonum finds the same.
func TestSumsAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2, 50).Draw(t, "x")
		mean, variance := Variance(x)
		if m, v := stat.MeanVariance(x, nil); mean != m || variance != v || Mean(x) != m {
			t.Fatalf("mean and variance are %v and %v, gonum's %v and %v", mean, variance, m, v)
		}
	})
	if !math.IsNaN(Mean(nil)) {
		t.Error("there is a mean of nothing")
	}
}
