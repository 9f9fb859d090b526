package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestSamplesAgainstSciPy(t *testing.T) {
	type sample struct {
		X         []float64
		Quantiles []float64
		Trim10    float64
		Trim20    float64
		Winsor20  float64
		MAD       float64
		Dip       float64
	}
	for i, c := range readLines[sample](t, "samples.jsonl") {
		line := fmt.Sprintf("line %d: ", i+1)
		before := slices.Clone(c.X)
		for j, q := range Quantiles(c.X, 0, 0.1, 0.25, 0.5, 0.9, 0.99, 1) {
			check(t, line+"quantile", q, c.Quantiles[j], 1e-12)
		}
		check(t, line+"median", Median(c.X), c.Quantiles[3], 1e-15)
		check(t, line+"trimmed 10 %", TrimmedMean(c.X, 0.1), c.Trim10, 1e-12)
		check(t, line+"trimmed 20 %", TrimmedMean(c.X, 0.2), c.Trim20, 1e-12)
		check(t, line+"winsorised", WinsorizedMean(c.X, 0.2), c.Winsor20, 1e-12)
		check(t, line+"MAD", MAD(c.X), c.MAD, 1e-12)
		check(t, line+"dip", Dip(c.X), c.Dip, 1e-9)
		if !slices.Equal(before, c.X) {
			t.Fatal(line + "the sample was changed")
		}
	}
}

// TestMixturesAgainstSklearn expects as good a fit as that of scikit-learn from
// 20 random starts, wherever that one respects the limits of ours.
func TestMixturesAgainstSklearn(t *testing.T) {
	type sample struct {
		X   []float64
		GMM []struct {
			BIC    float64
			SD     float64
			Weight float64
			Means  []float64
		}
	}
	compared, same := 0, 0
	for i, c := range readLines[sample](t, "samples.jsonl") {
		z := logs(c.X)
		for j, want := range c.GMM {
			if want.SD < minSpread || want.Weight < minShare {
				continue
			}
			got := FitMixture(z, j+1)
			compared++
			if got.BIC > want.BIC+0.02 {
				t.Logf("line %d, k=%d: BIC %.3f, want %.3f (sd %.3g weight %.3g means %v)", i+1, j+1, got.BIC, want.BIC, want.SD, want.Weight, want.Means)
				continue
			}
			same++
			for a := range want.Means {
				if math.Abs(got.BIC-want.BIC) < 1e-3 {
					check(t, fmt.Sprintf("line %d, k=%d: mean", i+1, j+1), got.Components[a].Mean, want.Means[a], 0.02)
				}
			}
		}
	}
	if compared < 300 || float64(same) < 0.985*float64(compared) {
		t.Errorf("as good as the reference in %d of %d", same, compared)
	}
	t.Logf("as good as the reference in %d of %d", same, compared)
}
