package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func same(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12*math.Max(1, math.Abs(b)) }

// gonum finds the same.
func TestAgainstGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, p := rapid.Float64Range(-40, 40).Draw(t, "x"), rapid.Float64Range(0, 1).Draw(t, "p")
		df := rapid.Float64Range(0.5, 500).Draw(t, "df")
		n := rapid.IntRange(1, 300).Draw(t, "n")
		k := rapid.IntRange(-1, n+1).Draw(t, "k")
		distribution := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
		for what, pair := range map[string][2]float64{
			"normal CDF":       {normalCDF(x), distuv.UnitNormal.CDF(x)},
			"normal survival":  {normalSurvival(x), distuv.UnitNormal.Survival(x)},
			"normal quantile":  {normalQuantile(p), distuv.UnitNormal.Quantile(p)},
			"student survival": {student(df).Survival(x), distribution.Survival(x)},
			"student quantile": {student(df).Quantile(p), distribution.Quantile(p)},
			"heads":            {headsCDF(n, k), distuv.Binomial{N: float64(n), P: 0.5}.CDF(float64(k))},
		} {
			if !same(pair[0], pair[1]) {
				t.Fatalf("%s: x %v p %v df %v n %d k %d: %v, gonum's %v", what, x, p, df, n, k, pair[0], pair[1])
			}
		}
	})
}

// What is drawn is distributed as it should be: no share of the draws is farther from the distribution than chance
// takes it (Kolmogorov's bound for one in a thousand; the seed is fixed).
func TestBetaDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][2]float64{{1, 1}, {1, 5}, {3, 3}, {26, 25}, {500, 501}} {
		draws := make([]float64, 20_000)
		for i := range draws {
			draws[i] = beta(rng, shape[0], shape[1])
		}
		slices.Sort(draws)
		far := 0.0
		for i, x := range draws {
			want := distuv.Beta{Alpha: shape[0], Beta: shape[1]}.CDF(x)
			far = math.Max(far, math.Abs(want-(float64(i)+0.5)/float64(len(draws))))
		}
		if far > 1.95/math.Sqrt(float64(len(draws))) {
			t.Errorf("Beta%v: a share of the draws is %v from where it should be", shape, far)
		}
	}
}
