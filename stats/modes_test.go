package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestModesFalsePositives: samples of one mode must not be called bimodal.
func TestModesFalsePositives(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"normal", "lognormal", "t3", "uniform"} {
		for _, n := range []int{12, 30, 160, 1000} {
			rng := rand.New(rand.NewPCG(11, uint64(n)))
			runs := min(200, 10000/n)
			found := 0
			for range runs {
				y := NoiseOfKind(kind, rng, n)
				for i := range y {
					switch kind {
					case "lognormal":
					case "uniform":
						y[i] = 1 + rng.Float64()
					default:
						y[i] = math.Exp(0.3 * y[i])
					}
				}
				if FindModes(y).Bimodal {
					found++
				}
			}
			t.Logf("%-9s n=%-4d %.4f", kind, n, float64(found)/float64(runs))
			if found > 1+runs/20 {
				t.Errorf("%s, n=%d: %d of %d called bimodal", kind, n, found, runs)
			}
		}
	}
}

func TestModesFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n     int
		ratio float64 // of the modes
		cv    float64
		share float64 // of the upper mode
		found float64
	}{
		{28, 3.5, 0.05, 0.4, 0.99},
		{30, 3.5, 0.2, 0.5, 0.93},
		{160, 2, 0.1, 0.3, 0.99},
		{1000, 10, 0.3, 0.1, 0.99}, // few cache hits
		{1000, 1.5, 0.1, 0.5, 0.99},
	} {
		rng := rand.New(rand.NewPCG(12, uint64(c.n)))
		runs := min(200, 10000/c.n)
		found := 0
		for range runs {
			y := make([]float64, c.n)
			for i := range y {
				y[i] = math.Exp(c.cv * rng.NormFloat64())
				if float64(i) < c.share*float64(c.n) {
					y[i] *= c.ratio
				}
			}
			m := FindModes(y)
			if m.Bimodal && len(m.Modes) == 2 && Near(m.Modes[1].Weight, c.share, 0.05) &&
				Near(m.Modes[1].Median/c.ratio, 1, 3*c.cv) {
				found++
			}
		}
		rate := float64(found) / float64(runs)
		t.Logf("%+v: %.3f", c, rate)
		if rate < c.found {
			t.Errorf("%+v: found in %.3f", c, rate)
		}
	}
}

func TestModesThree(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	y := make([]float64, 300)
	for i := range y {
		y[i] = []float64{0.08, 1, 9}[i%3] * math.Exp(0.1*rng.NormFloat64())
	}
	m := FindModes(y)
	if !m.Bimodal || len(m.Modes) != 3 {
		t.Fatalf("%+v, want three modes", m.Modes)
	}
	for i, want := range []float64{0.08, 1, 9} {
		Check(t, "mode", m.Modes[i].Median/want, 1, 0.05)
		Check(t, "weight", m.Modes[i].Weight, 1.0/3, 1e-9)
	}
}

// TestModesManyValues takes the way over bins, which must not change the answer.
func TestModesManyValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	y := make([]float64, 20000)
	for i := range y {
		y[i] = 80 * math.Exp(0.2*rng.NormFloat64())
		if i%4 == 0 {
			y[i] *= 100
		}
	}
	z := logs(y)
	exact, binned := fitMixture(Points(Sorted(z)), 2), fitMixture(condense(Sorted(z)), 2)
	Check(t, "BIC", binned.BIC, exact.BIC, 1e-4)
	for i := range exact.Components {
		Check(t, "mean", binned.Components[i].Mean, exact.Components[i].Mean, 1e-5)
		Check(t, "sd", binned.Components[i].SD, exact.Components[i].SD, 1e-4)
	}
	if m := FindModes(y); !m.Bimodal || !Near(m.Modes[0].Weight, 0.75, 0.001) {
		t.Errorf("%+v", m.Modes)
	}
}

func BenchmarkModes(b *testing.B) {
	for _, n := range []int{160, 100000} {
		for _, modes := range []int{1, 2} {
			b.Run(fmt.Sprintf("%d modes/%d", modes, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(15, 1))
				y := make([]float64, n)
				for i := range y {
					y[i] = math.Exp(0.3*rng.NormFloat64() + 2*float64(i%modes))
				}
				for b.Loop() {
					FindModes(y)
				}
			})
		}
	}
}
