package distribution

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/iotrace/iotrace/stats/internal/cases"
	"github.com/iotrace/iotrace/stats/internal/sample"
)

// named are the vectors of modes in ../testdata/vectors.json.
type named struct {
	Dip map[string]struct {
		X   []float64
		Dip float64
		P   float64 `json:"p_table"`
	}
	GMM struct {
		LogX5 []float64 `json:"log_x5"`
		K1    gmm
		K2    gmm
	}
}

type gmm struct {
	BIC     float64   `json:"bic_sklearn(lower better)"`
	Means   []float64 // of the values, not their logarithms
	Weights []float64
}

func vectors(t *testing.T) named {
	t.Helper()
	data, err := os.ReadFile("../testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v named
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// dip is that of a sample in any order, as exactly as it can be found.
func dip(x []float64) float64 { return dipSorted(sample.Sorted(x), 1e-14) }

func TestNamedDips(t *testing.T) {
	for name, c := range vectors(t).Dip {
		want := c.Dip
		if name == "unif10" {
			want = 0.05 // see testdata/README.md
		}
		got := dip(c.X)
		cases.Check(t, name, got, want, 1e-12)
		if len(c.X) > 5 { // below, the published table is coarse
			cases.Check(t, name+" P", dipP(got, len(c.X)), max(c.P, 0.001), 0.02)
		}
	}
}

func TestDipsAgainstALinearProgram(t *testing.T) {
	type reference struct {
		X   []float64
		Dip float64
	}
	for i, c := range cases.ReadLines[reference](t, "../testdata/samples.jsonl") {
		if got := dip(c.X); !cases.Near(got, c.Dip, 1e-9) {
			t.Errorf("line %d: dip %g, want %g", i+1, got, c.Dip)
		}
	}
}

func TestNamedMixtures(t *testing.T) {
	v := vectors(t)
	for k, want := range map[int]gmm{1: v.GMM.K1, 2: v.GMM.K2} {
		m := fitMixture(condense(sample.Sorted(v.GMM.LogX5)), k)
		// One of the two modes is narrower than the floor, which costs likelihood.
		if k == 1 {
			cases.Check(t, "BIC", m.BIC, want.BIC, 1e-6)
		} else if m.BIC < want.BIC || m.BIC > want.BIC+1 {
			t.Errorf("k=%d: BIC %g, want %g or a little more", k, m.BIC, want.BIC)
		}
		for i, c := range m.Components {
			cases.Check(t, "mean", math.Exp(c.Mean), want.Means[i], 1e-6)
		}
	}
	m := FindModes(v.Dip["x5_like"].X)
	if !m.Bimodal || len(m.Modes) != 2 {
		t.Fatalf("x5: %+v, want two modes", m)
	}
	cases.Check(t, "slow mode", m.Modes[0].Median, 0.66, 1e-12)
	cases.Check(t, "slow share", m.Modes[0].Weight, 16.0/28, 1e-12)
	cases.Check(t, "fast mode", m.Modes[1].Median, 2.3, 1e-12)
}
