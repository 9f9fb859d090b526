package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestKSLimit: where both can be computed, the limit with its correction is
// near the exact probability.
func TestKSLimit(t *testing.T) {
	for _, n := range []int{200, 1000} {
		en := math.Sqrt(float64(n) / 2)
		for _, d := range []float64{0.03, 0.05, 0.08, 0.1, 0.15} {
			d = math.Round(d*float64(n)) / float64(n)
			exact, limit := exactKS(n, n, d), kolmogorov((en+0.12+0.11/en)*d)
			check(t, "P", limit, exact, 0.03)
		}
	}
	large := KolmogorovSmirnov(drawn(1500, 1), drawn(1500, 2))
	if large.Exact {
		t.Error("1500 and 1500 values: every arrangement counted")
	}
	check(t, "P of many values", large.P, exactKS(1500, 1500, large.D), 0.02)
	// The two series of the limit meet.
	check(t, "series", kolmogorov(1.18-1e-9), kolmogorov(1.18+1e-9), 1e-8)
	// Published critical values.
	check(t, "5 %", kolmogorov(1.3581), 0.05, 1e-4)
	check(t, "1 %", kolmogorov(1.6276), 0.01, 1e-4)
	check(t, "nothing", kolmogorov(0), 1, 0)
}

// TestTestsHoldTheirLevel: of two samples of one distribution, 5 % are called
// different.
func TestTestsHoldTheirLevel(t *testing.T) {
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
		count("KS", KolmogorovSmirnov(x, y).P)
		count("Welch of logarithms", Welch(logs(x), logs(y), 0.95).P)
		count("permutation", PermutationTest(x, y, MeanDifference, Resampling{N: 199, Seed: uint64(i)}))
		if ci := RatioOfMedians(x, y, Resampling{N: 400, Seed: uint64(i)}); !ci.Contains(1) {
			called["ratio"]++
		}
		if ci := MedianCI(y, 0.95); !ci.Contains(1) {
			called["median"]++
		}
	}
	for name, limits := range map[string][2]float64{
		"U": {0.03, 0.055}, "KS": {0.01, 0.055}, "Welch of logarithms": {0.035, 0.06}, "permutation": {0.035, 0.06},
		"ratio": {0.02, 0.07}, "median": {0.01, 0.035},
	} {
		rate := float64(called[name]) / runs
		t.Logf("%s: %.4f", name, rate)
		if rate < limits[0] || rate > limits[1] {
			t.Errorf("%s: %.4f of equal pairs called different", name, rate)
		}
	}
}
