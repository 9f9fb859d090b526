package distribution

import (
	"math"
	"testing"

	"github.com/iotrace/iotrace/stats/internal/cases"
)

// TestKSLimit: where both can be computed, the limit with its correction is
// near the exact probability.
func TestKSLimit(t *testing.T) {
	for _, n := range []int{200, 1000} {
		en := math.Sqrt(float64(n) / 2)
		for _, d := range []float64{0.03, 0.05, 0.08, 0.1, 0.15} {
			d = math.Round(d*float64(n)) / float64(n)
			exact, limit := exactKS(n, n, d), kolmogorov((en+0.12+0.11/en)*d)
			cases.Check(t, "P", limit, exact, 0.03)
		}
	}
	large := KolmogorovSmirnov(cases.Drawn(1500, 1), cases.Drawn(1500, 2))
	if large.Exact {
		t.Error("1500 and 1500 values: every arrangement counted")
	}
	cases.Check(t, "P of many values", large.P, exactKS(1500, 1500, large.D), 0.02)
	// The two series of the limit meet.
	cases.Check(t, "series", kolmogorov(1.18-1e-9), kolmogorov(1.18+1e-9), 1e-8)
	// Published critical values.
	cases.Check(t, "5 %", kolmogorov(1.3581), 0.05, 1e-4)
	cases.Check(t, "1 %", kolmogorov(1.6276), 0.01, 1e-4)
	cases.Check(t, "nothing", kolmogorov(0), 1, 0)
}
