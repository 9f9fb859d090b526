package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/iotrace/iotrace/stats/internal/sample"
)

// MeanDifference is mean(a) − mean(b), the usual statistic of a permutation
// test.
func MeanDifference(a, b []float64) float64 {
	return stat.Mean(a, nil) - stat.Mean(b, nil)
}

// MedianDifference is the median of a less the median of b.
func MedianDifference(a, b []float64) float64 {
	return Median(a) - Median(b)
}

// PermutationTest returns the two-sided probability of a statistic at least as
// large in absolute value as that of a and b, if the labels "a" and "b" had
// been dealt at random (Fisher; Pitman, Supplement to the Journal of the Royal
// Statistical Society 4, 1937). It assumes nothing about the distribution, but
// that the values are exchangeable: not the points of one time series.
//
// If there are at most N ways to deal the labels, all are tried and the
// result is exact; otherwise N random ones give (k+1)/(N+1), which is never
// zero (Phipson and Smyth, Statistical Applications in Genetics and Molecular
// Biology 9, 2010). The statistic must not keep or change its arguments. NaN if a sample is not usable.
func PermutationTest(a, b []float64, statistic func(a, b []float64) float64, r Resampling) float64 {
	if !sample.Usable(a) || !sample.Usable(b) {
		return nan
	}
	// Rounding must not decide whether an arrangement is as extreme as the observed one.
	observed := math.Abs(statistic(a, b)) * (1 - 1e-12)
	all := append(append(make([]float64, 0, len(a)+len(b)), a...), b...)
	n := r.count(9999)

	if combin.LogGeneralizedBinomial(float64(len(all)), float64(len(a))) <= math.Log(float64(n))+1e-9 {
		extreme, total := 0, 0
		first, second := make([]float64, len(a)), make([]float64, len(b))
		chosen := make([]int, len(a))
		for g := combin.NewCombinationGenerator(len(all), len(a)); g.Next(); total++ {
			split(all, g.Combination(chosen), first, second)
			if math.Abs(statistic(first, second)) >= observed {
				extreme++
			}
		}
		return float64(extreme) / float64(total)
	}

	extreme := 0
	rng := r.source()
	for range n {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		if math.Abs(statistic(all[:len(a)], all[len(a):])) >= observed {
			extreme++
		}
	}
	return float64(extreme+1) / float64(n+1)
}

// split copies the chosen values (by ascending index) to first and the others
// to second.
func split(all []float64, chosen []int, first, second []float64) {
	c, o := 0, 0
	for i, v := range all {
		if c < len(chosen) && chosen[c] == i {
			first[c] = v
			c++
			continue
		}
		second[o] = v
		o++
	}
}
