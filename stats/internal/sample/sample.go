// Package sample holds what the methods of statistics share: what a sample is, its
// order and its ranks.
package sample

import (
	"math"
	"slices"
)

// Usable reports whether x is a sample that can be computed with: not empty,
// and every value finite.
func Usable(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return len(x) > 0
}

// Positive reports whether x is usable and every value is above zero, so that
// logarithms and ratios exist.
func Positive(x []float64) bool {
	for _, v := range x {
		if !(v > 0) {
			return false
		}
	}
	return Usable(x)
}

// Sorted returns a sorted copy of x.
func Sorted(x []float64) []float64 {
	s := slices.Clone(x)
	slices.Sort(s)
	return s
}

// Logs returns the natural logarithms of x.
func Logs(x []float64) []float64 {
	l := make([]float64, len(x))
	for i, v := range x {
		l[i] = math.Log(v)
	}
	return l
}

// Nth rearranges x so that the value of rank k (from 0) is at x[k], nothing
// larger before it and nothing smaller behind it, and returns that value. It is
// Hoare's quickselect with the median of three as pivot; if the pivots turn out
// badly it sorts the rest, so that the worst case is O(n log n).
func Nth(x []float64, k int) float64 {
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

func median3(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}

// MedianOf returns the median of x, which it rearranges. x must be usable.
func MedianOf(x []float64) float64 {
	n := len(x)
	upper := Nth(x, n/2)
	if n%2 == 1 {
		return upper
	}
	return Midpoint(slices.Max(x[:n/2]), upper)
}

// Median returns the median of x, NaN if x is not usable.
func Median(x []float64) float64 {
	if !Usable(x) {
		return math.NaN()
	}
	return MedianOf(slices.Clone(x))
}

// Midpoint is (a+b)/2 without overflow.
func Midpoint(a, b float64) float64 {
	if a == b {
		return a
	}
	return a/2 + b/2
}

// Ordinal numbers the floating-point numbers in their order: neighbours differ
// by 1.
func Ordinal(f float64) uint64 {
	b := math.Float64bits(f)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func FromOrdinal(o uint64) float64 {
	if o>>63 == 1 {
		return math.Float64frombits(o &^ (1 << 63))
	}
	return math.Float64frombits(^o)
}

// Scaled returns f of every value of x.
func Scaled(x []float64, f func(float64) float64) []float64 {
	s := make([]float64, len(x))
	for i, v := range x {
		s[i] = f(v)
	}
	return s
}

// Point is a value with the weight it has in a sample.
type Point struct{ Value, Weight float64 }

// Points gives every value of a sorted sample the weight 1.
func Points(s []float64) []Point {
	p := make([]Point, len(s))
	for i, v := range s {
		p[i] = Point{v, 1}
	}
	return p
}
