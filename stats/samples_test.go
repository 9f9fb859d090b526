package stats

import (
	"fmt"
	"slices"
	"testing"
)

func TestSamplesAgainstSciPy(t *testing.T) {
	type reference struct {
		X         []float64
		Quantiles []float64
		Trim10    float64
		Trim20    float64
	}
	for i, c := range ReadLines[reference](t, "testdata/samples.jsonl") {
		line := fmt.Sprintf("line %d: ", i+1)
		before := slices.Clone(c.X)
		for j, q := range Quantiles(c.X, 0, 0.1, 0.25, 0.5, 0.9, 0.99, 1) {
			Check(t, line+"quantile", q, c.Quantiles[j], 1e-12)
		}
		Check(t, line+"median", Median(c.X), c.Quantiles[3], 1e-15)
		Check(t, line+"trimmed 10 %", TrimmedMean(c.X, 0.1), c.Trim10, 1e-12)
		Check(t, line+"trimmed 20 %", TrimmedMean(c.X, 0.2), c.Trim20, 1e-12)
		if !slices.Equal(before, c.X) {
			t.Fatal(line + "the sample was changed")
		}
	}
}
