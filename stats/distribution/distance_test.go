package distribution

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/iotrace/iotrace/stats/internal/cases"
	"github.com/iotrace/iotrace/stats/internal/sample"
)

// TestEarthMoverWeighted compares with the examples of SciPy's documentation.
func TestEarthMoverWeighted(t *testing.T) {
	data, err := os.ReadFile("../testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ W1 map[string]float64 }
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	weighted := func(pairs ...float64) (p []sample.Point) {
		for i := 0; i < len(pairs); i += 2 {
			p = append(p, sample.Point{Value: pairs[i], Weight: pairs[i+1]})
		}
		return p
	}
	cases.Check(t, "W1", earthMover(weighted(0, 3, 1, 1), weighted(0, 2, 1, 2)), v.W1["scipy_doc_w"], 1e-14)
	cases.Check(t, "W1", earthMover(weighted(3.4, 1.4, 3.9, 0.9, 7.5, 3.1, 7.8, 7.2), weighted(1.4, 3.5, 4.5, 3.2)),
		v.W1["scipy_doc_w2"], 1e-14)
}
