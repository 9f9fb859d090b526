package stats

import "math"

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

// percentile is the bootstrap percentile interval (Efron, 1979): the central part of the resampled statistics.
func percentile(dist []float64, level float64) Interval {
	return between(dist, (1-level)/2, (1+level)/2, level)
}

// bca is the bias-corrected and accelerated bootstrap interval (Efron, Journal of the American Statistical Association
// 82, 1987): second-order accurate for smooth statistics. Where the correction does not exist (all resamples on one
// side, extreme skew) it is that of percentile.
func bca(dist []float64, value, acceleration, level float64) Interval {
	below := 0.0
	for _, v := range dist {
		if v < value {
			below++
		} else if v == value {
			below += 0.5
		}
	}
	z0 := normalQuantile(below / float64(len(dist)))
	if math.IsInf(z0, 0) || math.IsNaN(z0) {
		return percentile(dist, level)
	}
	lower, upper := z0+normalQuantile((1-level)/2), z0+normalQuantile((1+level)/2)
	if acceleration*lower >= 1 || acceleration*upper >= 1 {
		return percentile(dist, level)
	}
	shifted := func(z float64) float64 { return normalCDF(z0 + z/(1-acceleration*z)) }
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
