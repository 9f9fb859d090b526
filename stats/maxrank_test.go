package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of one quantity, and of several that order the runs alike, P is that of MannWhitney.
func TestMaxRankOfOne(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{4, 4}, {5, 7}, {8, 8}} {
		a, b := normals(rnd, size[0], 1), normals(rnd, size[1], 0)
		squares := func(x []float64) []float64 {
			y := make([]float64, len(x))
			for i, v := range x {
				y[i] = math.Exp(v)
			}
			return y
		}
		want := MannWhitney(a, b).P
		for _, p := range [][]float64{MaxRank([][]float64{a}, [][]float64{b}),
			MaxRank([][]float64{a, squares(a)}, [][]float64{b, squares(b)})} {
			for _, got := range p {
				if math.Abs(got-want) > 1e-12 {
					t.Errorf("%v: P %v, MannWhitney has %v", size, got, want)
				}
			}
		}
	}
}

func normals(rnd *rand.Rand, n int, shift float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rnd.NormFloat64() + shift
	}
	return x
}

// The error rate is that of all quantities together, drawn or tried one by one.
func TestMaxRankErrorRate(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, test := range []struct{ n, trials int }{{5, 1000}, {12, 100}} {
		wrong := 0
		for range test.trials {
			var a, b [][]float64
			for range 4 {
				a, b = append(a, normals(rnd, test.n, 0)), append(b, normals(rnd, test.n, 0))
			}
			for _, p := range MaxRank(a, b) {
				if p < 0.05 {
					wrong++
					break
				}
			}
		}
		if most := test.trials/20 + 25*test.trials/1000 + 3; wrong > most { // 99.9 % of the binomial distribution
			t.Errorf("%d runs: %d of %d found something, want at most %d", test.n, wrong, test.trials, most)
		}
	}
}

func TestMaxRankUnusable(t *testing.T) {
	for _, p := range [][]float64{MaxRank([][]float64{{1}}, [][]float64{{nan}}),
		MaxRank([][]float64{{1, 2}, {1}}, [][]float64{{1}, {1}})} {
		for _, v := range p {
			if !math.IsNaN(v) {
				t.Errorf("%v instead of NaN", v)
			}
		}
	}
	if p := MaxRank(nil, nil); len(p) != 0 {
		t.Error(p)
	}
}
