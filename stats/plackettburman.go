package stats

import "math"

// PlackettBurmanRuns is the number of runs of the screening design.
const PlackettBurmanRuns = 12

// PlackettBurman returns the 12-run design for up to 11 factors of two
// settings (Plackett and Burman, Biometrika 33, 1946): row r says which
// factors are at their second setting in run r. Every pair of factors has each
// combination of settings three times, so all main effects come out of 12 runs
// instead of 2¹¹.
//
// What it cannot do: a main effect is mixed with a third of each interaction
// of two other factors. It tells which factors to look at, not how much they
// count; that is for Shapley on a full factorial of the few that are left.
func PlackettBurman() [PlackettBurmanRuns][11]bool {
	first := [11]bool{true, true, false, true, true, true, false, false, false, true, false}
	var d [PlackettBurmanRuns][11]bool // the last run has all at the first setting
	for r := range first {
		for f := range first {
			d[r][f] = first[(f-r+11)%11]
		}
	}
	return d
}

// screening is the result of a screening design.
type screening struct {
	Effects []float64 // mean at the second setting less mean at the first, for each factor
	Noise   float64   // standard deviation of an effect without cause, NaN if it cannot be told
}

// Active reports whether a factor's effect is more than twice the noise.
func (s screening) Active(factor int) bool { return math.Abs(s.Effects[factor]) > 2*s.Noise }

// ScreenEffects evaluates the repetitions y[run] of each of the 12 runs for
// the first k ≤ 11 factors. The noise comes from the spread of repetitions if
// all runs have two or more, otherwise from the columns of the design that
// have no factor; with k = 11 and no repetitions there is none. Effects is nil
// if a run has no usable repetition or k is not 1 to 11.
func ScreenEffects(y [PlackettBurmanRuns][]float64, k int) screening {
	if k < 1 || k > 11 {
		return screening{Noise: nan}
	}
	var cell [PlackettBurmanRuns]moments
	repeated := true
	for r, reps := range y {
		if !usable(reps) {
			return screening{Noise: nan}
		}
		cell[r] = momentsOf(reps)
		repeated = repeated && len(reps) > 1
	}
	design := PlackettBurman()
	effect := func(f int) float64 {
		sum := 0.0
		for r, c := range cell {
			if design[r][f] {
				sum += c.mean / 6
			} else {
				sum -= c.mean / 6
			}
		}
		return sum
	}
	s := screening{Noise: nan}
	for f := range k {
		s.Effects = append(s.Effects, effect(f))
	}
	variance := 0.0
	switch {
	case repeated:
		for _, c := range cell {
			variance += c.variance / c.n / 36
		}
	case k < 11:
		for f := k; f < 11; f++ {
			variance += effect(f) * effect(f) / float64(11-k)
		}
	default:
		return s
	}
	s.Noise = math.Sqrt(variance)
	return s
}
