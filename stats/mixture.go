package stats

import (
	"cmp"
	"math"

	"github.com/iotrace/iotrace/internal/sorting"
)

// Limits of the mixtures Mixture fits. Without them the likelihood grows
// without bound on a component that sits on a few equal values.
const (
	minSpread = 0.01 // standard deviation, in units of ln y: 1 %
	minShare  = 0.05 // weight of a component
)

// component is one normal distribution of a Mixture.
type component struct {
	Mean   float64
	SD     float64
	Weight float64 // share of the values, 0 to 1
}

// mixture is a sum of one to three normal distributions fitted to a sample.
type mixture struct {
	Components []component // by ascending mean
	LogLik     float64     // natural logarithm of the likelihood
	BIC        float64     // −2·LogLik + (3k−1)·ln n: the lower the better
}

// fitMixture fits k = 1, 2 or 3 normal distributions by the EM algorithm (Dempster, Laird and Rubin, Journal of the
// Royal Statistical Society B 39, 1977), from several starting points that are computed, not drawn; the one that is
// likeliest after 40 rounds is followed to its end. A standard deviation is at least 0.01, for which values should be
// logarithms: 0.01 is then 1 %. The result has no Components if no solution was found in which every component has a
// weight of at least 0.05. See condense for what becomes of many values.
func fitMixture(pts []point, k int) mixture {
	best := mixture{LogLik: math.Inf(-1), BIC: math.Inf(1)}
	n := 0.0
	for _, p := range pts {
		n += p.Weight
	}
	var promising []component
	top := math.Inf(-1)
	for _, cuts := range startingCuts(pts, n, k) {
		if c, ll := em(pts, n, startAt(pts, cuts), 40); ll > top && valid(c) {
			promising, top = c, ll
		}
	}
	if promising != nil {
		if c, ll := em(pts, n, promising, 500); valid(c) {
			best.Components, best.LogLik = c, ll
		}
	}
	if best.Components != nil {
		best.BIC = -2*best.LogLik + float64(3*k-1)*math.Log(n)
		sorting.Stably(best.Components, func(a, b component) int { return cmp.Compare(a.Mean, b.Mean) })
	}
	return best
}

// valid reports whether no component has vanished.
func valid(c []component) bool {
	for _, g := range c {
		if !(g.Weight >= minShare) || math.IsInf(g.Mean, 0) || math.IsInf(g.SD, 0) {
			return false
		}
	}
	return true
}

// em improves components until the likelihood of the points, of total weight
// n, stands still, or for some rounds, and returns them with its logarithm.
func em(pts []point, n float64, c []component, rounds int) ([]component, float64) {
	const still, interval = 1e-4, 10 // far below what a BIC is judged by, per ten rounds
	e := newExpectation(len(c))
	last := math.Inf(-1)
	for round := 0; ; round++ {
		e.prepare(c)
		if done := round >= rounds; done || round%interval == 0 {
			ll := e.logLik(pts)
			if done || ll-last < still {
				return c, ll
			}
			last = ll
		}
		for _, p := range pts {
			e.share(p)
		}
		next := make([]component, len(c))
		for j := range c {
			s := e.sums[j]
			if s.Weight < 1e-9*n {
				return c, math.Inf(-1)
			}
			d := s.Mean / s.Weight
			variance := s.SD/s.Weight - d*d
			next[j] = component{c[j].Mean + d, math.Sqrt(math.Max(variance, minSpread*minSpread)), s.Weight / n}
		}
		c = next
	}
}

// expectation shares points out among components.
type expectation struct {
	c      []component
	height []float64   // logarithm of the weighted density at the mean, less that of 1/√2π
	r      []float64   // for one point: densities
	sums   []component // weighted sums over the points; Mean and SD hold first and second powers about the mean
}

func newExpectation(k int) *expectation {
	return &expectation{height: make([]float64, k), r: make([]float64, k), sums: make([]component, k)}
}

func (e *expectation) prepare(c []component) {
	e.c = c
	clear(e.sums)
	for j, g := range c {
		e.height[j] = math.Log(g.Weight / g.SD)
	}
}

// densities sets r to the densities at v, all divided by e^top, and returns
// their sum.
func (e *expectation) densities(v float64) (sum, top float64) {
	top = math.Inf(-1)
	for j, g := range e.c {
		u := (v - g.Mean) / g.SD
		e.r[j] = e.height[j] - u*u/2
		top = max(top, e.r[j])
	}
	for j, h := range e.r {
		e.r[j] = 1
		if h != top {
			e.r[j] = math.Exp(h - top)
		}
		sum += e.r[j]
	}
	return sum, top
}

// share adds a point to the sums of the components it may come from.
func (e *expectation) share(p point) {
	sum, _ := e.densities(p.Value)
	for j := range e.sums {
		w, d := p.Weight*e.r[j]/sum, p.Value-e.c[j].Mean
		e.sums[j].Weight += w
		e.sums[j].Mean += w * d
		e.sums[j].SD += w * d * d
	}
}

func (e *expectation) logLik(pts []point) float64 {
	ll := 0.0
	for _, p := range pts {
		sum, top := e.densities(p.Value)
		ll += p.Weight * (top + math.Log(sum) - math.Log(2*math.Pi)/2)
	}
	return ll
}
