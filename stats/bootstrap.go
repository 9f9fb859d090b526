package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/iotrace/iotrace/stats/internal/sample"
)

// Percentile returns the bootstrap percentile interval of a statistic of one
// sample (Efron, 1979). It is simple and stable, and too narrow for small
// samples of skewed data; see BCa. Unknown if x is not usable or the statistic
// is not finite for a resample.
func Percentile(x []float64, statistic func([]float64) float64, r Resampling) Interval {
	if !sample.Usable(x) {
		return Interval{}
	}
	return percentile(resample(x, statistic, r), r.level())
}

// BCa returns the bias-corrected and accelerated bootstrap interval of a
// statistic of one sample (Efron, Journal of the American Statistical
// Association 82, 1987): second-order accurate for smooth statistics. For a
// median the acceleration is poorly estimated and it is no better than
// Percentile; MedianCI needs no resampling at all. Where the correction does
// not exist (all resamples on one side, extreme skew) the result is that of Percentile.
func BCa(x []float64, statistic func([]float64) float64, r Resampling) Interval {
	if !sample.Usable(x) {
		return Interval{}
	}
	c := cubes{}
	c.add(jackknife(x, statistic))
	return bca(resample(x, statistic, r), statistic(x), c.acceleration(), r.level())
}

// resample returns the statistic of each resample.
func resample(x []float64, statistic func([]float64) float64, r Resampling) []float64 {
	rng := r.source()
	buf := make([]float64, len(x))
	res := make([]float64, r.count(2000))
	for i := range res {
		draw(rng, buf, x)
		res[i] = statistic(buf)
	}
	return res
}

// jackknife returns the statistic of x with each value left out in turn.
func jackknife(x []float64, statistic func([]float64) float64) []float64 {
	res := make([]float64, len(x))
	buf := make([]float64, 0, len(x))
	for i := range x {
		buf = append(append(buf[:0], x[:i]...), x[i+1:]...)
		res[i] = statistic(buf)
	}
	return res
}

// cubes gathers what the acceleration of BCa is made of: third and second
// powers of the influence of each value, over one or more samples.
type cubes struct{ third, second float64 }

func (c *cubes) add(jack []float64) {
	n := float64(len(jack))
	mean := 0.0
	for _, v := range jack {
		mean += v / n
	}
	for _, v := range jack {
		d := (n - 1) * (mean - v)
		c.third += d * d * d / (n * n * n)
		c.second += d * d / (n * n)
	}
}

// acceleration is 0 where it does not exist, as for a statistic that leaving
// one value out never changes.
func (c *cubes) acceleration() float64 {
	a := c.third / (6 * math.Pow(c.second, 1.5))
	if math.IsNaN(a) || math.IsInf(a, 0) {
		return 0
	}
	return a
}

// percentile is the central part of the resampled statistics.
func percentile(dist []float64, level float64) Interval {
	return between(dist, (1-level)/2, (1+level)/2, level)
}

func bca(dist []float64, value, acceleration, level float64) Interval {
	below := 0.0
	for _, v := range dist {
		if v < value {
			below++
		} else if v == value {
			below += 0.5
		}
	}
	z0 := distuv.UnitNormal.Quantile(below / float64(len(dist)))
	if math.IsInf(z0, 0) || math.IsNaN(z0) {
		return percentile(dist, level)
	}
	lower, upper := z0+distuv.UnitNormal.Quantile((1-level)/2), z0+distuv.UnitNormal.Quantile((1+level)/2)
	if acceleration*lower >= 1 || acceleration*upper >= 1 {
		return percentile(dist, level)
	}
	shifted := func(z float64) float64 { return distuv.UnitNormal.CDF(z0 + z/(1-acceleration*z)) }
	return between(dist, shifted(lower), shifted(upper), level)
}

// between is the range between two quantiles of resampled statistics.
func between(dist []float64, low, high, level float64) Interval {
	q := Quantiles(dist, low, high)
	if math.IsNaN(q[0]) || math.IsNaN(q[1]) {
		return Interval{}
	}
	return Interval{q[0], q[1], level}
}
