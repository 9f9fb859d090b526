package stats

import (
	"cmp"
	"math"
	"slices"
)

// EarthMover is the Wasserstein-1 (earth mover's) distance of two lists of values, in any order, with their weights:
// the area between their distribution functions, in the unit of the values. Weights are normalised.
//
// It is not gonum's WassersteinDistance, which (v0.17.0) takes time quadratic in the number of values; the results are
// the same.
func EarthMover(values, weights, others, otherWeights []float64) float64 {
	a, b := points(values, weights), points(others, otherWeights)
	ta, tb := 0.0, 0.0
	for _, p := range a {
		ta += p.Weight
	}
	for _, p := range b {
		tb += p.Weight
	}
	area, sa, sb := 0.0, 0.0, 0.0
	at := min(a[0].Value, b[0].Value)
	for len(a) > 0 || len(b) > 0 {
		fromA := len(b) == 0 || len(a) > 0 && a[0].Value <= b[0].Value
		p := &b
		if fromA {
			p = &a
		}
		area += math.Abs(sa/ta-sb/tb) * ((*p)[0].Value - at)
		at = (*p)[0].Value
		if fromA {
			sa += a[0].Weight
		} else {
			sb += b[0].Weight
		}
		*p = (*p)[1:]
	}
	return area
}

// points pairs values with their weights, sorted by value.
func points(values, weights []float64) []point {
	list := make([]point, len(values))
	for i, v := range values {
		list[i] = point{Value: v, Weight: weights[i]}
	}
	slices.SortFunc(list, func(x, y point) int { return cmp.Compare(x.Value, y.Value) })
	return list
}

// JensenShannon returns the Jensen–Shannon divergence of two distributions over
// the same bins, given as counts or weights: 0 if their shares are equal, ln 2
// if they have no bin in common (Lin, IEEE Transactions on Information Theory
// 37, 1991). Divide by math.Ln2 for a number from 0 to 1. SciPy's
// "jensenshannon" is the square root of it.
//
// It sees which bins differ, not how far they are apart; EarthMover sees that.
// NaN if a weight is negative or not finite, if all weights of one side are 0,
// or if the numbers of bins differ.
func JensenShannon(a, b []float64) float64 {
	p, q := shares(a), shares(b)
	if p == nil || q == nil || len(p) != len(q) {
		return math.NaN()
	}
	return math.Min(math.Ln2, math.Max(0, jensenShannon(p, q)))
}

// jensenShannon is the divergence of shares.
func jensenShannon(p, q []float64) float64 {
	sum := 0.0
	for i := range p {
		m := 0.5 * (p[i] + q[i])
		for _, share := range [...]float64{p[i], q[i]} {
			if share != 0 {
				sum += 0.5 * share * (math.Log(share) - math.Log(m))
			}
		}
	}
	return sum
}

// shares divides weights by their sum. Nil if that has no meaning.
func shares(w []float64) []float64 {
	if !usable(w) {
		return nil
	}
	most := 0.0
	for _, v := range w {
		if v < 0 {
			return nil
		}
		most = math.Max(most, v)
	}
	sum := 0.0
	for _, v := range w {
		sum += v / most // no overflow, whatever the weights
	}
	if most == 0 {
		return nil
	}
	s := make([]float64, len(w))
	for i, v := range w {
		if s[i] = v / most / sum; s[i] < 1e-300 {
			s[i] = 0 // half of it must not be 0 where it is not
		}
	}
	return s
}
