package stats

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/iotrace/iotrace/stats/distribution"
	"github.com/iotrace/iotrace/stats/internal/cases"
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
		KS    float64
		KSP   float64 `json:"ks_p"`
		W1    float64
		HL    float64
		A12   float64
		Perm  *float64 `json:"perm_p"`
	}
	permutations := 0
	for i, c := range cases.ReadLines[pair](t, "testdata/pairs.jsonl") {
		line := fmt.Sprintf("line %d: ", i+1)
		u := MannWhitney(c.A, c.B)
		cases.Check(t, line+"U", u.U, c.U, 0)
		cases.Check(t, line+"U P", u.P, c.UP, 1e-10)
		if u.Exact != c.Exact {
			t.Errorf("%sexact = %v", line, u.Exact)
		}
		w := Welch(c.A, c.B, 0.95)
		cases.Check(t, line+"T", w.T, c.T, 1e-10)
		cases.Check(t, line+"DF", w.DF, c.DF, 1e-10)
		cases.Check(t, line+"T P", w.P, c.TP, 1e-10)
		cases.Check(t, line+"difference, low", w.Difference.Low, c.TCI[0], 1e-9)
		cases.Check(t, line+"difference, high", w.Difference.High, c.TCI[1], 1e-9)
		ks := distribution.KolmogorovSmirnov(c.A, c.B)
		cases.Check(t, line+"KS D", ks.D, c.KS, 1e-12)
		cases.Check(t, line+"KS P", ks.P, c.KSP, 1e-10)
		cases.Check(t, line+"W1", distribution.Wasserstein(c.A, c.B), c.W1, 1e-12)
		cases.Check(t, line+"W1 by gonum", stat.WassersteinDistance(c.A, c.B, nil, nil), c.W1, 1e-12)
		cases.Check(t, line+"HL", HodgesLehmann(c.A, c.B), c.HL, 1e-12)
		cases.Check(t, line+"A12", A12(c.A, c.B), c.A12, 1e-12)
		if c.Perm != nil {
			permutations++
			cases.Check(t, line+"permutation P", PermutationTest(c.A, c.B, MeanDifference, Resampling{}), *c.Perm, 1e-12)
		}
	}
	if permutations < 50 {
		t.Errorf("%d permutation tests compared", permutations)
	}
}

// TestBootstrapAgainstSciPy compares interval ends in units of the reference
// interval's width: they differ by chance, and for medians by whole steps of
// the discrete distribution.
func TestBootstrapAgainstSciPy(t *testing.T) {
	type pair struct {
		A, B     []float64
		MeanBCa  *[2]float64 `json:"mean_bca"`
		Mean     *[2]float64 `json:"mean_percentile"`
		RatioBCa *[2]float64 `json:"ratio_bca"`
	}
	var means, ratios []float64
	mean := func(x []float64) float64 { return stat.Mean(x, nil) }
	for i, c := range cases.ReadLines[pair](t, "testdata/pairs.jsonl") {
		if c.Mean == nil {
			continue
		}
		r := Resampling{N: 4000, Seed: uint64(i)}
		means = append(means,
			discrepancy(Percentile(c.A, mean, r), *c.Mean),
			discrepancy(BCa(c.A, mean, r), *c.MeanBCa))
		ratios = append(ratios, discrepancy(RatioOfMedians(c.A, c.B, r).Interval, *c.RatioBCa))
	}
	for what, d := range map[string][]float64{"means": means, "ratios": ratios} {
		q := Quantiles(d, 0.5, 0.95, 1)
		t.Logf("%s: %d intervals, discrepancy median %.3f, 95 %% %.3f, worst %.3f", what, len(d), q[0], q[1], q[2])
		if len(d) < 150 || q[0] > 0.02 || q[1] > 0.08 {
			t.Errorf("%s: intervals differ from the reference", what)
		}
	}
}

func discrepancy(got Interval, want [2]float64) float64 {
	return math.Max(math.Abs(got.Low-want[0]), math.Abs(got.High-want[1])) / (want[1] - want[0])
}
