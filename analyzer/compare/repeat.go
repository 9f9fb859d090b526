package compare

import (
	"slices"

	"github.com/iotrace/iotrace/stats"
)

// significant is the error rate of all dimensions of a comparison together: a
// little less than one in twenty, so that of twenty comparisons of equals
// nineteen find nothing.
const significant = 0.04

// relevant is the least ratio of medians, either way, that is called a
// difference: a depth of 7.92 instead of 7.93 may be certain, but is none.
const relevant = 1.02

// relevantShare is the same for shares: a point of a hundred, so that 0.20 %
// instead of 0.17 % of the time in metadata calls is none.
const relevantShare = 0.01

// fewestRuns a side can give a p-value below that: four against four.
const fewestRuns = 4

// test looks at repeated runs: a difference that their noise can explain is
// "~". Typical values of the runs are compared with the Mann-Whitney test,
// whose p-values are corrected for the number of dimensions (Holm,
// Scandinavian Journal of Statistics 6, 1979): of ten comparisons of equals, ten
// dimensions each, five would otherwise find a difference.
func (c *Comparison) test() {
	if c.Subject.Runs < fewestRuns || c.Reference.Runs < fewestRuns {
		return
	}
	var tested []*Dimension
	for i := range c.Dimensions {
		d := &c.Dimensions[i]
		a, b := d.Subject.Samples, d.Reference.Samples
		if d.Distance == nil || len(a) < fewestRuns || len(b) < fewestRuns || constant(a, b) {
			continue
		}
		if r := stats.RatioOfMedians(a, b, stats.Resampling{}); d.Ratio != nil {
			if v := number(r.Value); v != nil {
				d.Ratio = v
			}
			if r.Known() {
				d.Low, d.High = number(r.Low), number(r.High)
			}
		}
		p := stats.MannWhitney(a, b).P
		d.P = &p
		tested = append(tested, d)
	}
	slices.SortStableFunc(tested, func(a, b *Dimension) int {
		switch {
		case *a.P < *b.P:
			return -1
		case *a.P > *b.P:
			return 1
		}
		return 0
	})
	least := 0.0
	for i, d := range tested {
		*d.P = min(1, max(least, *d.P*float64(len(tested)-i)))
		least = *d.P
		switch {
		case *d.P >= significant:
			d.Verdict = "~"
		case d.Unit == "share" && d.W1 != nil && *d.W1 < relevantShare,
			d.Ratio != nil && *d.Ratio < relevant && *d.Ratio > 1/relevant:
			d.Verdict = "same"
		default:
			d.Verdict = "differs"
		}
	}
}

// constant reports whether all runs of both sides have one value: nothing to
// test.
func constant(a, b []float64) bool {
	return !slices.ContainsFunc(append(slices.Clone(a), b...), func(v float64) bool { return v != a[0] })
}
