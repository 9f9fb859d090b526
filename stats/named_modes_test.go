package stats

import (
	"math"
	"testing"
)

type gmm struct {
	BIC     float64   `json:"bic_sklearn(lower better)"`
	Means   []float64 // of the values, not their logarithms
	Weights []float64
}

// dip is that of a sample in any order, as exactly as it can be found.
func dip(x []float64) float64 { return dipSorted(Sorted(x), 1e-14) }

func TestNamedDips(t *testing.T) {
	for name, c := range vectors(t).Dip {
		want := c.Dip
		if name == "unif10" {
			want = 0.05 // see testdata/README.md
		}
		got := dip(c.X)
		Check(t, name, got, want, 1e-12)
		if len(c.X) > 5 { // below, the published table is coarse
			Check(t, name+" P", dipP(got, len(c.X)), max(c.P, 0.001), 0.02)
		}
	}
}

func TestDipsAgainstALinearProgram(t *testing.T) {
	type reference struct {
		X   []float64
		Dip float64
	}
	for i, c := range ReadLines[reference](t, "testdata/samples.jsonl") {
		if got := dip(c.X); !Near(got, c.Dip, 1e-9) {
			t.Errorf("line %d: dip %g, want %g", i+1, got, c.Dip)
		}
	}
}

func TestNamedMixtures(t *testing.T) {
	v := vectors(t)
	for k, want := range map[int]gmm{1: v.GMM.K1, 2: v.GMM.K2} {
		m := fitMixture(condense(Sorted(v.GMM.LogX5)), k)
		// One of the two modes is narrower than the floor, which costs likelihood.
		if k == 1 {
			Check(t, "BIC", m.BIC, want.BIC, 1e-6)
		} else if m.BIC < want.BIC || m.BIC > want.BIC+1 {
			t.Errorf("k=%d: BIC %g, want %g or a little more", k, m.BIC, want.BIC)
		}
		for i, c := range m.Components {
			Check(t, "mean", math.Exp(c.Mean), want.Means[i], 1e-6)
		}
	}
	m := FindModes(v.Dip["x5_like"].X)
	if !m.Bimodal || len(m.Modes) != 2 {
		t.Fatalf("x5: %+v, want two modes", m)
	}
	Check(t, "slow mode", m.Modes[0].Median, 0.66, 1e-12)
	Check(t, "slow share", m.Modes[0].Weight, 16.0/28, 1e-12)
	Check(t, "fast mode", m.Modes[1].Median, 2.3, 1e-12)
}
