package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTestsHoldTheirLevel: of two samples of one distribution, 5 % are called
// different.
func TestTestsHoldTheirLevel(t *testing.T) {
	t.Parallel()
	const runs = 2000
	rng := rand.New(rand.NewPCG(23, 1))
	called := map[string]int{}
	for i := range runs {
		x, y := make([]float64, 8), make([]float64, 10)
		for i := range x {
			x[i] = math.Exp(rng.NormFloat64())
		}
		for i := range y {
			y[i] = math.Exp(rng.NormFloat64())
		}
		count := func(name string, p float64) {
			if p < 0.05 {
				called[name]++
			}
		}
		count("U", MannWhitney(x, y).P)
		count("Welch of logarithms", Welch(logs(x), logs(y), 0.95).P)
		if ci := RatioOfMedians(x, y, Resampling{N: 400, Seed: uint64(i)}); !ci.Contains(1) {
			called["ratio"]++
		}
		if ci := MedianCI(y, 0.95); !ci.Contains(1) {
			called["median"]++
		}
	}
	for name, limits := range map[string][2]float64{
		"U": {0.03, 0.055}, "Welch of logarithms": {0.035, 0.06},
		"ratio": {0.02, 0.07}, "median": {0.01, 0.035},
	} {
		rate := float64(called[name]) / runs
		t.Logf("%s: %.4f", name, rate)
		if rate < limits[0] || rate > limits[1] {
			t.Errorf("%s: %.4f of equal pairs called different", name, rate)
		}
	}
}
