package stats

import "math"

// dipSorted returns Hartigan's dip of a sorted usable sample: the least distance sup |Fₙ − F| between the
// empirical distribution function Fₙ and any unimodal distribution function F
// (J. A. and P. M. Hartigan, Annals of Statistics 13, 1985). It lies between 0
// and ¼, and is ½·(largest share of equal values outside the mode) or more, so
// 1/(2n) for a sample without a trace of a second mode. A sample of equal
// values has the dip 0. Order, shift and scale of the values do not matter.
//
// It is computed from the definition. F is convex up to its mode, concave from
// there on, and may jump at the mode; whether such an F fits into the band
// Fₙ ± d is decided in one sweep from each side, and d is found by bisection to
// within the tolerance. Time and memory are O(n) for each step of it.
func dipSorted(s []float64, tolerance float64) float64 {
	f := newSteps(s)
	if len(f.at) == 1 {
		return 0
	}
	g := f.mirrored()
	low, high := 0.0, 0.25
	left, right := make([]float64, len(f.at)), make([]float64, len(f.at))
	hull := make([]int, 0, len(f.at))
	for high-low > tolerance {
		d := (low + high) / 2
		if unimodalWithin(d, f, g, left, right, hull) {
			high = d
		} else {
			low = d
		}
	}
	return high
}

// steps is an empirical distribution function: it jumps at at[i] from below[i]
// to above[i].
type steps struct{ at, below, above []float64 }

// newSteps scales the values to 0…1, which keeps all later products finite;
// values closer than 1e-308 of the range become one.
func newSteps(s []float64) steps {
	n := float64(len(s))
	q := 1.0
	if math.IsInf(s[len(s)-1]-s[0], 0) {
		q = 0.25
	}
	if span := q*s[len(s)-1] - q*s[0]; span > 0 {
		lo := q * s[0]
		s = scaled(s, func(v float64) float64 { return (q*v - lo) / span })
	}
	f := steps{}
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		f.at = append(f.at, s[i])
		f.below = append(f.below, float64(i)/n)
		f.above = append(f.above, float64(j)/n)
		i = j
	}
	return f
}

// mirrored is the distribution function of −x.
func (f steps) mirrored() steps {
	n := len(f.at)
	g := steps{make([]float64, n), make([]float64, n), make([]float64, n)}
	for i := range n {
		j := n - 1 - i
		g.at[j], g.below[j], g.above[j] = -f.at[i], 1-f.above[i], 1-f.below[i]
	}
	return g
}

// unimodalWithin reports whether some unimodal distribution function stays
// within d of f; g is f mirrored. left, right and hull are buffers.
//
// A mode at at[m] is possible if the lowest convex function through the band
// left of it arrives there no higher than where the highest concave function
// right of it starts.
func unimodalWithin(d float64, f, g steps, left, right []float64, hull []int) bool {
	last := f.lowestConvex(d, left, hull)
	first := len(f.at) - 1 - g.lowestConvex(d, right, hull)
	for m := first; m <= last; m++ {
		if left[m] <= 1-right[len(right)-1-m] {
			return true
		}
	}
	return false
}

// lowestConvex follows, from the left, the lowest convex increasing function
// that stays within d of f at all points passed, and notes in reach[m] where
// it arrives at at[m] if the mode is there (an atom at the mode frees it from
// coming near above[m]). It returns the last m that it can reach.
//
// The lowest function is 0 first. Where it would fall below the band it must
// have left an earlier upper edge of the band on a steeper line: on the tangent
// from the point it has to reach to the lower convex hull of the upper edges.
// That line is above all earlier ones from there on, so one line is all there
// is to remember.
func (f steps) lowestConvex(d float64, reach []float64, hull []int) int {
	x0, y0, slope := f.at[0], 0.0, 0.0
	tangent := 0 // place in hull of the last tangent point: later ones are right of it
	hull = hull[:0]
	upper := func(i int) float64 { return f.below[i] + d }
	for m, x := range f.at {
		y := y0 + slope*(x-x0)
		if y > upper(m) {
			return m - 1
		}
		reach[m] = max(y, f.below[m]-d)
		if lower := f.above[m] - d; y < lower {
			if lower > upper(m) {
				return m // only an atom gets past here
			}
			if m > 0 {
				for tangent+1 < len(hull) && turnsUp(f, hull[tangent], hull[tangent+1], x, lower-d) {
					tangent++
				}
				i := hull[tangent]
				slope = max(0, (lower-upper(i))/(x-f.at[i]))
			}
			x0, y0 = x, lower
		}
		for len(hull) > tangent+1 && !convex(f, hull[len(hull)-2], hull[len(hull)-1], m) {
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, m)
	}
	return len(f.at) - 1
}

// turnsUp reports whether the line to (x, y) is steeper from hull point j than
// from hull point i < j.
func turnsUp(f steps, i, j int, x, y float64) bool {
	return (y-f.below[j])*(x-f.at[i]) >= (y-f.below[i])*(x-f.at[j])
}

// convex reports whether the lower edge through i, j, k turns left at j.
func convex(f steps, i, j, k int) bool {
	return (f.below[j]-f.below[i])*(f.at[k]-f.at[j]) < (f.below[k]-f.below[j])*(f.at[j]-f.at[i])
}
