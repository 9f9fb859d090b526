package generator

import (
	"math"
	"slices"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/stats"
)

// differenceP is the greatest P of the Mann-Whitney test at which two places
// are said to differ, and leastRuns the number of runs a side that can reach it.
// 0.01 and not 0.05: a table has many cells, and of 20 comparisons of equals no
// more than one should say otherwise.
const (
	differenceP = 0.01
	leastRuns   = 5
)

// compareRuns sets the counted runs of a step in one place against those in
// another. A difference needs both: the test, and an interval of the ratio of
// medians that does not hold 1.
func compareRuns(step, place, with string, a, b []float64, seed uint64) baseline.Comparison {
	c := baseline.Comparison{Step: step, Place: place, With: with, P: 1, Verdict: "?"}
	if len(a) == 0 || len(b) == 0 || slices.Min(a) <= 0 || slices.Min(b) <= 0 {
		return c
	}
	ratio := stats.RatioOfMedians(a, b, stats.Resampling{Level: 0.95, Seed: seed})
	c.Ratio = ratio.Value
	if ratio.Known() {
		c.Low, c.High = ratio.Low, ratio.High
	}
	if p := stats.MannWhitney(a, b).P; !math.IsNaN(p) {
		c.P = p
	}
	if len(a) < leastRuns || len(b) < leastRuns {
		return c
	}
	c.Verdict = "~"
	if c.P < differenceP && !(ratio.Known() && ratio.Contains(1)) {
		c.Verdict = "faster"
		if c.Ratio < 1 {
			c.Verdict = "slower"
		}
	}
	return c
}
