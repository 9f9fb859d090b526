package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/iotrace/iotrace/stats"
)

// significant is the error rate of all dimensions of a comparison together: a
// little less than one in twenty, so that of twenty comparisons of equals
// nineteen find nothing.
const significant = 0.045

// The error rate is split (weighted Bonferroni): two thirds for the outcome, one third
// for everything else. Four runs against four then can show another outcome: the least
// p-value that they have, 0.029, is below 0.03.
const (
	outcomeWeight = 1.5
	othersWeight  = 3
)

// steady is the range, relative to the median, within which the runs of a side are
// taken for the same.
const steady = 0.01

// relevant is the least ratio of medians, either way, that is called a
// difference: a depth of 7.92 instead of 7.93 may be certain, but is none.
const relevant = 1.02

// relevantShare is the same for shares: a point of a hundred, so that 0.20 %
// instead of 0.17 % of the time in metadata calls is none.
const relevantShare = 0.01

// fewestRuns a side can give a p-value below that: four against four.
const fewestRuns = 4

// seen is the probability with which a difference is seen that is called detectable.
const seen = 0.8

// outcomes say what came of it. They go together, and are tested together.
var outcomes = []int{wallTime, durableTime, throughput, durableThroughput}

// testRuns looks at repeated runs: a difference that their noise can explain is "~".
//
// What came of it is tested first and by itself, by the ranks of the runs. If that
// differs, the dimensions that may explain it are tested together by Welch's test of
// the logarithms: of four or five runs a side ranks have no p-value so small that it
// could survive the correction for their number (Holm, Scandinavian Journal of
// Statistics 6, 1979). If it does not, they are tested by their ranks: of many
// quantities that are now this, now that, one is soon apart by chance. Values that do not
// scatter on either side need no test.
func testRuns(c *Comparison) {
	if c.Subject.Runs < fewestRuns || c.Reference.Runs < fewestRuns {
		return
	}
	var first, others []*Dimension
	for i := range c.Dimensions {
		d := &c.Dimensions[i]
		if !testable(d) || constant(d.Subject.Samples, d.Reference.Samples, kindOf(d.Code).floor) {
			continue
		}
		ratioOfRuns(d)
		if slices.Contains(outcomes, i) {
			first = append(first, d)
		} else {
			others = append(others, d)
		}
	}
	if testOutcomes(first) {
		holm(others, welch, 1)
	} else {
		holm(others, mannWhitney, othersWeight)
	}
	for i := range c.Dimensions {
		judge(&c.Dimensions[i])
	}
}

// testable reports whether both sides have enough runs to test.
func testable(d *Dimension) bool {
	return d.Distance != nil && len(d.Subject.Samples) >= fewestRuns && len(d.Reference.Samples) >= fewestRuns
}

// constant reports whether all runs of both sides have one value, or none above the
// floor: nothing to test.
func constant(a, b []float64, floor float64) bool {
	first := max(a[0], floor)
	return !slices.ContainsFunc(slices.Concat(a, b), func(v float64) bool { return max(v, floor) != first })
}

// ratioOfRuns replaces the ratio of pooled values by that of the medians of runs,
// with its interval if there are enough.
func ratioOfRuns(d *Dimension) {
	if d.Ratio == nil {
		return
	}
	r := stats.RatioOfMedians(d.Subject.Samples, d.Reference.Samples, stats.Resampling{})
	if v := number(r.Value); v != nil {
		d.Ratio = v
	}
	if r.Known() {
		d.Low, d.High = number(r.Low), number(r.High)
	}
}

// testOutcomes tests dimensions together, by ranks, and reports whether one differs.
func testOutcomes(list []*Dimension) (differs bool) {
	var a, b [][]float64
	for _, d := range list {
		a, b = append(a, d.Subject.Samples), append(b, d.Reference.Samples)
	}
	if len(list) == 0 {
		return false
	}
	least := stats.LeastShift(len(a[0]), len(b[0]), significant/outcomeWeight, seen)
	for i, p := range stats.MaxRank(a, b) {
		d := list[i]
		p = min(1, p*outcomeWeight)
		d.P, d.Detectable = &p, number(math.Expm1(least*scatter(a[i], b[i])))
		differs = differs || p < significant
	}
	return differs
}

func welch(d *Dimension) float64 {
	return stats.Welch(scaled(d, d.Subject.Samples), scaled(d, d.Reference.Samples), 0).P
}

func mannWhitney(d *Dimension) float64 {
	if isSteady(d.Subject.Samples) && isSteady(d.Reference.Samples) {
		return 0
	}
	return stats.MannWhitney(d.Subject.Samples, d.Reference.Samples).P
}

// isSteady reports whether all runs of a side have about one value.
func isSteady(values []float64) bool {
	return slices.Max(values)-slices.Min(values) <= steady*math.Abs(stats.Median(values))
}

// scaled are values as they are tested: logarithms, since times and sizes scatter by
// factors; shares as they are.
func scaled(d *Dimension, values []float64) []float64 {
	if d.Unit == "share" {
		return values
	}
	return logarithms(values)
}

func logarithms(values []float64) []float64 {
	all := make([]float64, len(values))
	for i, v := range values {
		all[i] = math.Log(math.Max(v, 1e-9))
	}
	return all
}

// holm tests dimensions and corrects their p-values for their number.
func holm(tested []*Dimension, test func(*Dimension) float64, weight float64) {
	for _, d := range tested {
		p := test(d)
		d.P = &p
	}
	slices.SortStableFunc(tested, func(a, b *Dimension) int { return cmp.Compare(*a.P, *b.P) })
	least := 0.0
	for i, d := range tested {
		*d.P = min(1, max(least, *d.P*float64(len(tested)-i)*weight))
		least = *d.P
	}
}

// judge turns the p-value of a dimension that was tested into its verdict.
func judge(d *Dimension) {
	switch {
	case d.P == nil:
	case *d.P >= significant:
		d.Verdict = "~"
	case d.Unit == "share" && d.W1 != nil && *d.W1 < relevantShare,
		d.Ratio != nil && *d.Ratio < relevant && *d.Ratio > 1/relevant:
		d.Verdict = "same"
	default:
		d.Verdict = "differs"
	}
}

// scatter is the standard deviation of the logarithms of values about the means of
// their sides.
func scatter(a, b []float64) float64 {
	_, va := stats.Variance(logarithms(a))
	_, vb := stats.Variance(logarithms(b))
	n, m := float64(len(a)-1), float64(len(b)-1)
	return math.Sqrt((n*va + m*vb) / (n + m))
}
