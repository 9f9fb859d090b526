package stats

import (
	"math"
	"slices"
)

// usable reports whether x is a sample that can be computed with: not empty,
// and every value finite.
func usable(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return len(x) > 0
}

// positive reports whether x is usable and every value is above zero, so that
// logarithms and ratios exist.
func positive(x []float64) bool {
	for _, v := range x {
		if !(v > 0) {
			return false
		}
	}
	return usable(x)
}

// Sorted returns a sorted copy of x.
func Sorted(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return s
}

// logs returns the natural logarithms of x.
func logs(x []float64) []float64 {
	l := make([]float64, len(x))
	for i, v := range x {
		l[i] = math.Log(v)
	}
	return l
}

// nth rearranges x so that the value of rank k (from 0) is at x[k], nothing
// larger before it and nothing smaller behind it, and returns that value. It is
// Hoare's quickselect with the median of three as pivot; if the pivots turn out
// badly it sorts the rest, so that the worst case is O(n log n).
func nth(x []float64, k int) float64 {
	lo, hi := 0, len(x)-1
	for budget := 4 * len(x); hi-lo > 12; {
		if budget -= hi - lo; budget < 0 {
			break
		}
		p := median3(x[lo], x[lo+(hi-lo)/2], x[hi])
		i, j := lo, hi
		for i <= j {
			for x[i] < p {
				i++
			}
			for x[j] > p {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return x[k]
		}
	}
	slices.Sort(x[lo : hi+1])
	return x[k]
}

func median3(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }

// medianOf returns the median of x, which it rearranges. x must be usable.
func medianOf(x []float64) float64 {
	n := len(x)
	upper := nth(x, n/2)
	if n%2 == 1 {
		return upper
	}
	return midpoint(slices.Max(x[:n/2]), upper)
}

// Median returns the middle value of x, or the mean of the two middle ones.
// NaN if x is not usable.
func Median(x []float64) float64 {
	if !usable(x) {
		return math.NaN()
	}
	return medianOf(slices.Clone(x))
}

// midpoint is (a+b)/2 without overflow.
func midpoint(a, b float64) float64 {
	if a == b {
		return a
	}
	return a/2 + b/2
}

// ordinal numbers the floating-point numbers in their order: neighbours differ
// by 1.
func ordinal(f float64) uint64 {
	b := math.Float64bits(f)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func fromOrdinal(o uint64) float64 {
	if o>>63 == 1 {
		return math.Float64frombits(o &^ (1 << 63))
	}
	return math.Float64frombits(^o)
}

// scaled returns f of every value of x.
func scaled(x []float64, f func(float64) float64) []float64 {
	s := make([]float64, len(x))
	for i, v := range x {
		s[i] = f(v)
	}
	return s
}

// point is a value with the weight it has in a sample.
type point struct{ Value, Weight float64 }

// Points gives every value of a sorted sample the weight 1.
func Points(s []float64) []point {
	p := make([]point, len(s))
	for i, v := range s {
		p[i] = point{v, 1}
	}
	return p
}
