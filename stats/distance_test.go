package stats

import (
	"encoding/json"
	"os"
	"testing"
)

// TestEarthMoverWeighted compares with the examples of SciPy's documentation.
func TestEarthMoverWeighted(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ W1 map[string]float64 }
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	Check(t, "W1", EarthMover([]float64{0, 1}, []float64{3, 1}, []float64{0, 1}, []float64{2, 2}),
		v.W1["scipy_doc_w"], 1e-14)
	Check(t, "W1", EarthMover([]float64{3.4, 3.9, 7.5, 7.8}, []float64{1.4, 0.9, 3.1, 7.2},
		[]float64{1.4, 4.5}, []float64{3.5, 3.2}), v.W1["scipy_doc_w2"], 1e-14)
}
