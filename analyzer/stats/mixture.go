package stats

import (
	"math"
	"slices"
)

// Limits of the mixtures Mixture fits. Without them the likelihood grows
// without bound on a component that sits on a few equal values.
const (
	minSpread = 0.01 // standard deviation, in units of ln y: 1 %
	minShare  = 0.05 // weight of a component
)

// Component is one normal distribution of a Mixture.
type Component struct {
	Mean   float64
	SD     float64
	Weight float64 // share of the values, 0 to 1
}

// Mixture is a sum of one to three normal distributions fitted to a sample.
type Mixture struct {
	Components []Component // by ascending mean
	LogLik     float64     // natural logarithm of the likelihood
	BIC        float64     // −2·LogLik + (3k−1)·ln n: the lower the better
}

// FitMixture fits k = 1, 2 or 3 normal distributions to z by the EM algorithm
// (Dempster, Laird and Rubin, Journal of the Royal Statistical Society B 39,
// 1977), from several starting points that are computed, not drawn; the
// likeliest result is kept. A standard deviation is at least 0.01, for which z
// should be logarithms: 0.01 is then 1 %. The result has no Components if z is
// not usable, has fewer than 3k values, or no solution was found in which
// every component has a weight of at least 0.05.
//
// Above 4,096 values z is put into 4,096 bins of equal width first.
func FitMixture(z []float64, k int) Mixture {
	if k < 1 || k > 3 || len(z) < 3*k || !usable(z) {
		return Mixture{LogLik: math.Inf(-1), BIC: math.Inf(1)}
	}
	return fitMixture(condense(sorted(z)), k)
}

func fitMixture(pts []point, k int) Mixture {
	best := Mixture{LogLik: math.Inf(-1), BIC: math.Inf(1)}
	n := 0.0
	for _, p := range pts {
		n += p.weight
	}
	for _, cut := range startingCuts(pts, n, k) {
		c, ll := em(pts, n, startAt(pts, cut))
		if ll > best.LogLik && valid(c) {
			best.Components, best.LogLik = c, ll
		}
	}
	if best.Components != nil {
		best.BIC = -2*best.LogLik + float64(3*k-1)*math.Log(n)
		slices.SortFunc(best.Components, func(a, b Component) int {
			if a.Mean < b.Mean {
				return -1
			}
			return 1
		})
	}
	return best
}

// valid reports whether no component has vanished.
func valid(c []Component) bool {
	for _, g := range c {
		if !(g.Weight >= minShare) || math.IsInf(g.Mean, 0) || math.IsInf(g.SD, 0) {
			return false
		}
	}
	return true
}

// em improves components until the likelihood of the points, of total weight
// n, stands still, and returns them with its logarithm.
func em(pts []point, n float64, c []Component) ([]Component, float64) {
	const rounds, still = 500, 1e-9
	r := make([]float64, len(c))     // responsibilities for one point
	sum := make([]Component, len(c)) // weighted sums; SD holds squares about the old mean
	last := math.Inf(-1)
	for range rounds {
		for j := range sum {
			sum[j] = Component{}
		}
		ll := 0.0
		for _, p := range pts {
			ll += p.weight * responsibilities(c, p.value, r)
			for j, share := range r {
				w, d := p.weight*share, p.value-c[j].Mean
				sum[j].Weight += w
				sum[j].Mean += w * d
				sum[j].SD += w * d * d
			}
		}
		if ll-last < still*math.Abs(ll) {
			return c, ll
		}
		last = ll
		next := make([]Component, len(c))
		for j, s := range sum {
			if s.Weight < 1e-9*n {
				return c, math.Inf(-1)
			}
			d := s.Mean / s.Weight
			variance := s.SD/s.Weight - d*d
			next[j] = Component{c[j].Mean + d, math.Sqrt(math.Max(variance, minSpread*minSpread)), s.Weight / n}
		}
		c = next
	}
	return c, last
}

// responsibilities sets r to the probability that v comes from each of the
// components, and returns the logarithm of the density at v.
func responsibilities(c []Component, v float64, r []float64) float64 {
	top := math.Inf(-1)
	for j, g := range c {
		u := (v - g.Mean) / g.SD
		r[j] = math.Log(g.Weight/g.SD) - u*u/2
		top = max(top, r[j])
	}
	sum := 0.0
	for j := range r {
		r[j] = math.Exp(r[j] - top)
		sum += r[j]
	}
	for j := range r {
		r[j] /= sum
	}
	return top + math.Log(sum) - math.Log(2*math.Pi)/2
}
