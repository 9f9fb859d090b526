package stats

import (
	"fmt"
	"math"
	"testing"
)

// TestMixturesAgainstSklearn expects as good a fit as that of scikit-learn from
// 20 random starts, wherever that one respects the limits of ours.
func TestMixturesAgainstSklearn(t *testing.T) {
	type reference struct {
		X   []float64
		GMM []struct {
			BIC    float64
			SD     float64
			Weight float64
			Means  []float64
		}
	}
	compared, same := 0, 0
	for i, c := range ReadLines[reference](t, "testdata/samples.jsonl") {
		z := logs(c.X)
		for j, want := range c.GMM {
			if want.SD < minSpread || want.Weight < minShare {
				continue
			}
			got := fitMixture(condense(Sorted(z)), j+1)
			compared++
			if got.BIC > want.BIC+0.02 {
				t.Logf("line %d, k=%d: BIC %.3f, want %.3f (sd %.3g weight %.3g means %v)", i+1, j+1, got.BIC, want.BIC, want.SD,
					want.Weight, want.Means)
				continue
			}
			same++
			for a := range want.Means {
				if math.Abs(got.BIC-want.BIC) < 1e-3 {
					Check(t, fmt.Sprintf("line %d, k=%d: mean", i+1, j+1), got.Components[a].Mean, want.Means[a], 0.02)
				}
			}
		}
	}
	if compared < 300 || float64(same) < 0.985*float64(compared) {
		t.Errorf("as good as the reference in %d of %d", same, compared)
	}
	t.Logf("as good as the reference in %d of %d", same, compared)
}
