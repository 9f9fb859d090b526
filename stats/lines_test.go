package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestLinesAgainstSciPy(t *testing.T) {
	type line struct {
		X, Y        []float64
		OLS         [2]float64
		R2          float64
		SlopeCI     [2]float64 `json:"slope_ci"`
		InterceptCI [2]float64 `json:"intercept_ci"`
		TheilSen    [3]float64 `json:"theil_sen"`
		SenCI       [2]float64 `json:"sen_ci"`
	}
	for i, c := range ReadLines[line](t, "testdata/lines.jsonl") {
		at := fmt.Sprintf("line %d: ", i+1)
		o := OLS(c.X, c.Y, 0.95)
		Check(t, at+"slope", o.Slope.Value, c.OLS[0], 1e-9)
		Check(t, at+"intercept", o.Intercept.Value, c.OLS[1], 1e-9)
		Check(t, at+"R2", o.R2, c.R2, 1e-9)
		Check(t, at+"slope, low", o.Slope.Low, c.SlopeCI[0], 1e-8)
		Check(t, at+"slope, high", o.Slope.High, c.SlopeCI[1], 1e-8)
		Check(t, at+"intercept, low", o.Intercept.Low, c.InterceptCI[0], 1e-8)
		Check(t, at+"intercept, high", o.Intercept.High, c.InterceptCI[1], 1e-8)
		s := TheilSen(c.X, c.Y, 0.95)
		Check(t, at+"Theil-Sen", s.Slope.Value, c.TheilSen[0], 1e-12)
		Check(t, at+"separate intercept", s.Intercept.Value, c.TheilSen[1], 1e-12)
		Check(t, at+"joint intercept", s.Joint, c.TheilSen[2], 1e-12)
		Check(t, at+"Sen, low", s.Slope.Low, c.SenCI[0], 1e-12)
		Check(t, at+"Sen, high", s.Slope.High, c.SenCI[1], 1e-12)
	}
}

// TestSlopesByCounting compares the way for many points with the list of all
// slopes, on points with ties in both coordinates.
func TestSlopesByCounting(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 12 {
		n := 2 + rng.IntN(60)
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = math.Round(rng.Float64() * 20)
			y[i] = math.Round(10*(3*x[i]+rng.NormFloat64()*10)) / 10
		}
		if !plane(x, y) {
			continue
		}
		listed := newSlopes(x, y, exactPairs)
		if listed.pairs != len(listed.listed) {
			t.Fatalf("%d pairs, %d slopes", listed.pairs, len(listed.listed))
		}
		for _, most := range []int{0, 1, 10} {
			counted := newSlopes(x, y, min(most, listed.pairs-1))
			for k := range listed.pairs {
				Check(t, fmt.Sprintf("slope %d of %d", k, listed.pairs), counted.kth(k), listed.kth(k), 1e-12)
			}
		}
	}
}

func TestManySlopes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	x, y := make([]float64, 3000), make([]float64, 3000)
	for i := range x {
		x[i] = 1e9 * math.Pow(rng.Float64(), 3)
		y[i] = 1e-4 + x[i]/2.5e9*math.Exp(0.1*rng.NormFloat64())
	}
	got := TheilSen(x, y, 0.95)
	all := newSlopes(x, y, len(x)*len(x))
	lo, hi, _ := senRanks(x, y, all.pairs, 0.95)
	Check(t, "slope", got.Slope.Value/all.median(), 1, 1e-15)
	Check(t, "low", got.Slope.Low/all.kth(lo), 1, 1e-15)
	Check(t, "high", got.Slope.High/all.kth(hi), 1, 1e-15)
}
