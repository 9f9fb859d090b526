package stats

import "math"

// attribution divides a measured difference among factors, with the
// uncertainty that repetitions show.
type attribution struct {
	Contributions []contribution // one per factor; the intervals are bootstrapped
	Verdicts      []verdict      // one per factor
	Interactions  [][]float64    // see Interactions
	Gap           Estimate       // the difference that is divided: all factors against none
}

// verdict says what may be claimed of a contribution.
type verdict uint8

// The verdicts.
const (
	notResolved  verdict = iota // the interval includes 0: no claim
	orderDecides                // the interval excludes 0, but the sign of the effect depends on the other factors
	Resolved                    // the interval excludes 0 and every order agrees on the sign
)

func (v verdict) String() string {
	switch v {
	case Resolved:
		return "resolved"
	case orderDecides:
		return "sign depends on order"
	}
	return "not resolved"
}

// verdict judges a contribution by its interval and its range over orders.
func (c contribution) Verdict() verdict {
	switch {
	case !c.Phi.Known() || c.Phi.Contains(0):
		return notResolved
	case c.Least < 0 && c.Greatest > 0:
		return orderDecides
	}
	return Resolved
}

// Attribute computes the contributions (see Shapley) for a full factorial
// table of repeated measurements: cells[mask] are the repetitions in one cell,
// which counts with their median.
//
// Contributions have percentile bootstrap intervals from resampling within the
// cells. Simulated with six to ten repetitions, 1 to 4 factors and normal or
// skewed noise, 95 % intervals covered the truth in 94 to 98.5 % of experiments.
// The interval of the gap, which rests on two cells only, is widened by
// √(n/(n−1)) for n repetitions, because a resample of few values varies too
// little by that; it then covered in 91 to 98 %. Below six repetitions in some
// cell there are no intervals. All is nil if the table is not usable.
func Attribute(cells [][]float64, r Resampling) attribution {
	a := attribution{Gap: noEstimate}
	table, ordered := make([]float64, len(cells)), make([][]float64, len(cells))
	fewest := math.MaxInt
	for mask, reps := range cells {
		if !usable(reps) {
			return a
		}
		ordered[mask] = Sorted(reps)
		table[mask] = quantileSorted(ordered[mask], 0.5)
		fewest = min(fewest, len(reps))
	}
	if a.Contributions = Shapley(table); a.Contributions == nil {
		return a
	}
	a.Interactions = interactions(table)
	a.Gap = Estimate{Value: table[len(table)-1] - table[0]}
	if fewest >= minMedian {
		a.resample(ordered, r)
		widening := math.Sqrt(float64(fewest) / float64(fewest-1))
		a.Gap.Low = a.Gap.Value - widening*(a.Gap.Value-a.Gap.Low)
		a.Gap.High = a.Gap.Value + widening*(a.Gap.High-a.Gap.Value)
	}
	for _, c := range a.Contributions {
		a.Verdicts = append(a.Verdicts, c.Verdict())
	}
	return a
}

// resample sets the intervals. cells are sorted.
func (a *attribution) resample(cells [][]float64, r Resampling) {
	n, rng := r.count(2000), r.source()
	gaps := make([]float64, n)
	phis := make([][]float64, len(a.Contributions))
	for i := range phis {
		phis[i] = make([]float64, n)
	}
	table := make([]float64, len(cells))
	for b := range n {
		for mask, reps := range cells {
			table[mask] = resampledMedian(rng, reps)
		}
		for i, c := range Shapley(table) {
			phis[i][b] = c.Phi.Value
		}
		gaps[b] = table[len(table)-1] - table[0]
	}
	for i := range phis {
		a.Contributions[i].Phi.Interval = percentile(phis[i], r.level())
	}
	a.Gap.Interval = percentile(gaps, r.level())
}
