package stats

import (
	"fmt"
	"math"
	"testing"
)

func TestPairsAgainstSciPy(t *testing.T) {
	type pair struct {
		A, B  []float64
		U     float64
		UP    float64 `json:"u_p"`
		Exact bool    `json:"u_exact"`
		T, DF float64
		TP    float64    `json:"t_p"`
		TCI   [2]float64 `json:"t_ci"`
	}
	for i, c := range ReadLines[pair](t, "testdata/pairs.jsonl") {
		line := fmt.Sprintf("line %d: ", i+1)
		u := MannWhitney(c.A, c.B)
		Check(t, line+"U", u.U, c.U, 0)
		Check(t, line+"U P", u.P, c.UP, 1e-10)
		if u.Exact != c.Exact {
			t.Errorf("%sexact = %v", line, u.Exact)
		}
		w := Welch(c.A, c.B, 0.95)
		Check(t, line+"T", w.T, c.T, 1e-10)
		Check(t, line+"DF", w.DF, c.DF, 1e-10)
		Check(t, line+"T P", w.P, c.TP, 1e-10)
		Check(t, line+"difference, low", w.Difference.Low, c.TCI[0], 1e-9)
		Check(t, line+"difference, high", w.Difference.High, c.TCI[1], 1e-9)
	}
}

// TestBootstrapAgainstSciPy compares interval ends in units of the reference
// interval's width: they differ by chance, and for medians by whole steps of
// the discrete distribution.
func TestBootstrapAgainstSciPy(t *testing.T) {
	type pair struct {
		A, B     []float64
		RatioBCa *[2]float64 `json:"ratio_bca"`
	}
	var ratios []float64
	for i, c := range ReadLines[pair](t, "testdata/pairs.jsonl") {
		if c.RatioBCa != nil {
			got := RatioOfMedians(c.A, c.B, Resampling{N: 4000, Seed: uint64(i)}).Interval
			ratios = append(ratios, discrepancy(got, *c.RatioBCa))
		}
	}
	q := Quantiles(ratios, 0.5, 0.95, 1)
	t.Logf("%d intervals, discrepancy median %.3f, 95 %% %.3f, worst %.3f", len(ratios), q[0], q[1], q[2])
	if len(ratios) < 75 || q[0] > 0.02 || q[1] > 0.08 {
		t.Error("intervals differ from the reference")
	}
}

func discrepancy(got Interval, want [2]float64) float64 {
	return math.Max(math.Abs(got.Low-want[0]), math.Abs(got.High-want[1])) / (want[1] - want[0])
}
