package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestLeastShift(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		n, m  int
		level float64
	}{{4, 4, 0.03}, {5, 5, 0.05}, {6, 9, 0.05}, {20, 20, 0.01}, {30, 40, 0.05}} {
		shift := LeastShift(test.n, test.m, test.level, 0.8)
		rnd := rand.New(rand.NewPCG(1, 2))
		const trials = 1000
		found := 0
		for range trials {
			a, b := make([]float64, test.n), make([]float64, test.m)
			for i := range a {
				a[i] = rnd.NormFloat64() + shift
			}
			for i := range b {
				b[i] = rnd.NormFloat64()
			}
			if MannWhitney(a, b).P < test.level {
				found++
			}
		}
		// The standard error of the draws here and there together is 1.6 points.
		if power := float64(found) / trials; math.Abs(power-0.8) > 0.06 {
			t.Errorf("%d against %d at %v: a shift of %.2f is found in %.3f, want 0.8", test.n, test.m, test.level, shift, power)
		}
	}
	if s := LeastShift(3, 3, 0.05, 0.8); !math.IsInf(s, 1) {
		t.Errorf("three against three can never be significant, the shift is %v", s)
	}
	for _, bad := range []float64{LeastShift(0, 3, 0.05, 0.8), LeastShift(3, 3, 0, 0.8), LeastShift(3, 3, 0.05, 1)} {
		if !math.IsNaN(bad) {
			t.Errorf("%v instead of NaN", bad)
		}
	}
}
