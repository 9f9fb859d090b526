package stats

import (
	"math"
	"slices"
)

// Noise is how a series varies from value to value, whatever its level does.
type Noise struct {
	Sigma       float64 // standard deviation of one value
	Correlation float64 // of neighbouring values, 0 to 0.9
}

// minSigma is the least noise assumed of a series of logarithms: 1 %. Changes
// worth reporting are far above it, and a series of few different values
// would have none otherwise.
const minSigma = 0.01

// NoiseOf estimates the noise of the logarithms of rates, all above zero, as
// ChangePoints does beforehand; Correlation is not known then.
func NoiseOf(y []float64) Noise {
	if !positive(y) {
		return Noise{}
	}
	n, _ := noiseOf(logs(y))
	return n
}

// noiseOf estimates the noise of z from differences, which a change of level
// touches once only, and returns it with z tamed.
//
// Sigma is the greater of two: from the MAD of neighbours, which ignores up to
// half of them, and from the lower four fifths of their squares. The second is
// there for interleaved modes, cache hits say, which look to the first like
// little noise and many changes; stalls of one value in ten it ignores too.
func noiseOf(z []float64) (Noise, []float64) {
	if len(z) < 4 {
		return Noise{Sigma: minSigma}, z
	}
	d := differences(z, 1)
	n := Noise{Sigma: minSigma}
	n.Sigma = max(n.Sigma, d[len(d)/2]*normalMAD/math.Sqrt2)
	n.Sigma = max(n.Sigma, math.Sqrt(innerSquares(d, 0.8)/inner80/2))
	return n, n.tame(z)
}

// correlation is that of neighbours in z about the levels between the cuts,
// with the part restored that fitting the levels takes away (Marriott and
// Pope, Biometrika 41, 1954). Values that were moved when z was tamed from raw tell
// nothing of it: all of those in a row lie at the same distance now.
func correlation(z, raw []float64, cuts []int) float64 {
	var products, squares float64
	first, told := 0, 0
	for _, end := range append(slices.Clone(cuts), len(z)) {
		level := untouched(z[first:end], raw[first:end])
		told += len(level)
		mean, last := 0.0, 0.0
		if len(level) > 0 {
			mean = Mean(level)
		}
		for i := first; i < end; i++ {
			if z[i] != raw[i] {
				last = 0
				continue
			}
			products += (z[i] - mean) * last
			squares += (z[i] - mean) * (z[i] - mean)
			last = z[i] - mean
		}
		first = end
	}
	if squares == 0 {
		return 0
	}
	r := products / squares
	r += (1 + 3*max(0, r)) * float64(len(cuts)+1) / float64(told)
	return min(0.9, max(0, r))
}

// untouched are the values of z that are those of raw.
func untouched(z, raw []float64) (list []float64) {
	for i, v := range z {
		if v == raw[i] {
			list = append(list, v)
		}
	}
	return list
}

// inner80 is innerSquares(d, 0.8) of normal values in units of their variance:
// 1 − 2qφ(q)/0.8 with q = Φ⁻¹(0.9).
const inner80 = 0.4377

// differences are the sizes of the differences between values lag apart, sorted.
func differences(z []float64, lag int) []float64 {
	d := make([]float64, 0, len(z)-lag)
	for i := lag; i < len(z); i++ {
		d = append(d, math.Abs(z[i]-z[i-lag]))
	}
	slices.Sort(d)
	return d
}

// innerSquares is the mean square of the lower part of the sorted d.
func innerSquares(d []float64, part float64) float64 {
	n := max(1, int(float64(len(d))*part))
	sum := 0.0
	for _, v := range d[:n] {
		sum += v * v
	}
	return sum / float64(n)
}

// longRun is the variance that sums of the series grow with: σ² if its values
// are independent. Of an AR(1) process with correlation r, MAD of differences
// shows (1−r)·σ², and sums grow with (1+r)/(1−r)·σ².
func (n Noise) longRun() float64 {
	r := n.Correlation
	return n.Sigma * n.Sigma * (1 + r) / ((1 - r) * (1 - r))
}

// worth is the number of independent values that count correlated ones are
// worth when their mean is tested.
func (n Noise) worth(count int) float64 {
	return max(2, float64(count)*(1-n.Correlation)/(1+n.Correlation))
}

// stall is how many σ a value may lie from the median of those around it.
const stall = 5

// surroundings is how many values are around one, itself among them: of a level
// that is long enough to be one, more than half of those around each of its
// values.
const surroundings = 2*minSize - 1

// tame returns z with values that stick out of their surroundings moved to
// stall·σ from the median of those. Fewer of them in a row than a level has, as a
// stall, a cache hit, or the first chunks of a limit that lets a burst through,
// are none, and would hide a change among squares. A step is left as it is.
func (n Noise) tame(z []float64) []float64 {
	t := make([]float64, len(z))
	window := make([]float64, 0, surroundings)
	for i, v := range z {
		first := max(0, min(i-surroundings/2, len(z)-surroundings))
		window = append(window[:0], z[first:min(first+surroundings, len(z))]...)
		m := medianOf(window)
		t[i] = min(max(v, m-stall*n.Sigma), m+stall*n.Sigma)
	}
	return t
}
