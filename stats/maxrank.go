package stats

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
)

// MaxRank tries every division of the runs into two sides if there are at most
// allDivisions, and otherwise draws drawnDivisions (always the same).
const (
	allDivisions   = 20_000 // eight against eight
	drawnDivisions = 10_000
)

// MaxRank tests several quantities of the same runs together: a[k] and b[k] are the
// values of quantity k in the runs of each side. It returns a two-sided P for each,
// corrected for their number: the share of the divisions of the runs into two sides in
// which the rank sum of any quantity is as extreme (Westfall and Young,
// Resampling-Based Multiple Testing, 1993; single-step max T). Runs keep their
// quantities together, so those that go together cost nothing: of one quantity, or of
// several that order the runs alike, P is the one of MannWhitney, and exact with ties too.
//
// All are NaN if a sample is not usable or the runs are not the same for each.
func MaxRank(a, b [][]float64) []float64 {
	p := make([]float64, len(a))
	floats.AddConst(nan, p)
	if len(a) == 0 || len(a) != len(b) {
		return p
	}
	n, m := len(a[0]), len(b[0])
	t := rankSums{middle: float64(n) * float64(n+m+1) / 2}
	for k := range a {
		if len(a[k]) != n || len(b[k]) != m || !usable(a[k]) || !usable(b[k]) {
			return p
		}
		t.ranks = append(t.ranks, midranks(a[k], b[k]))
	}
	own := make([]float64, len(a))
	first := make([]int, n)
	for i := range first {
		first[i] = i
	}
	for k := range own {
		own[k] = t.extreme(k, first)
	}
	beyond, tried := make([]float64, len(a)), 0.0
	eachDivision(n, m, first, func(chosen []int) {
		most := 0.0
		for k := range own {
			most = math.Max(most, t.extreme(k, chosen))
		}
		for k := range own {
			if most >= own[k]-1e-9 {
				beyond[k]++
			}
		}
		tried++
	})
	floats.ScaleTo(p, 1/tried, beyond)
	return p
}

type rankSums struct {
	ranks  [][]float64 // of each quantity
	middle float64     // what the rank sum of the first side is in the mean
}

// extreme is how far the rank sum of the chosen runs is from the middle.
func (t *rankSums) extreme(k int, chosen []int) float64 {
	sum := -t.middle
	for _, i := range chosen {
		sum += t.ranks[k][i]
	}
	return math.Abs(sum)
}

// midranks are the ranks of the values of two samples put together, ties sharing
// their mean rank.
func midranks(a, b []float64) []float64 {
	sorted := append(append([]float64(nil), a...), b...)
	places := make([]int, len(sorted))
	floats.Argsort(sorted, places)
	ranks := make([]float64, len(sorted))
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		for k := i; k < j; k++ {
			ranks[places[k]] = float64(i+j+1) / 2
		}
		i = j
	}
	return ranks
}

// eachDivision calls f with the places of n of n+m runs; given is one of the divisions.
func eachDivision(n, m int, given []int, f func(chosen []int)) {
	if combin.LogGeneralizedBinomial(float64(n+m), float64(n)) <= math.Log(allDivisions) {
		all := combin.NewCombinationGenerator(n+m, n)
		chosen := make([]int, n)
		for all.Next() {
			f(all.Combination(chosen))
		}
		return
	}
	f(given)
	rnd := rand.New(rand.NewPCG(uint64(n), uint64(m)))
	for range drawnDivisions - 1 {
		f(rnd.Perm(n + m)[:n])
	}
}
