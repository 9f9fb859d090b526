package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// RobustLine is a fit by medians of slopes. Its slope has an interval, its
// intercept none.
type RobustLine struct {
	Line
	// Joint is the other convention for the intercept: the median of
	// y − Slope·x. Line.Intercept is median(y) − Slope·median(x).
	Joint float64
	Pairs int // slopes the median was taken of
}

// TheilSen fits a line whose slope is the median of the slopes between all
// pairs of points with different x (Theil, Proceedings of the KNAW 53, 1950),
// with Sen's interval at the given level, corrected for ties (Sen, Journal of
// the American Statistical Association 63, 1968). 29 % of the points may be
// outliers before it breaks down.
//
// Up to 4 Mi pairs (2,900 points) the slopes are listed. Beyond, ranks are
// found by bisection on the slope, counting the slopes below it as inversions of
// y − slope·x by merge sort: O(n log n) time a step, O(n) memory, no sampling;
// the result is exact up to rounding of those residuals.
//
// All is NaN if x and y are not usable, differ in length, or all x are equal.
func TheilSen(x, y []float64, level float64) RobustLine {
	if !plane(x, y) {
		return RobustLine{Line: noLine, Joint: nan}
	}
	s := newSlopes(x, y)
	n := s.len()
	slope := midpoint(s.kth((n-1)/2), s.kth(n/2))
	r := RobustLine{Pairs: n}
	r.Slope.Value = slope
	r.Intercept.Value = Median(y) - slope*Median(x)
	r.Joint = medianResidual(x, y, slope)
	if lo, hi, ok := senRanks(x, y, n, level); ok {
		r.Slope.Interval = Interval{s.kth(lo), s.kth(hi), level}
	}
	return r
}

// senRanks returns the ranks of the slopes that bound Sen's interval: the
// normal approximation to the distribution of Kendall's S under ties.
func senRanks(x, y []float64, pairs int, level float64) (lo, hi int, ok bool) {
	if !(level > 0 && level < 1) {
		return 0, 0, false
	}
	n := float64(len(x))
	variance := (n*(n-1)*(2*n+5) - tieTerm(x) - tieTerm(y)) / 18
	if !(variance > 0) {
		return 0, 0, false
	}
	width := distuv.UnitNormal.Quantile(0.5+level/2) * math.Sqrt(variance)
	hi = min(int(math.RoundToEven((float64(pairs)+width)/2)), pairs-1)
	lo = max(int(math.RoundToEven((float64(pairs)-width)/2))-1, 0)
	return lo, hi, true
}

// tieTerm is Σ t(t−1)(2t+5) over the groups of t equal values.
func tieTerm(x []float64) float64 {
	s := sorted(x)
	sum := 0.0
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		t := float64(j - i)
		sum += t * (t - 1) * (2*t + 5)
		i = j
	}
	return sum
}

func medianResidual(x, y []float64, slope float64) float64 {
	res := make([]float64, len(x))
	for i := range res {
		res[i] = y[i] - slope*x[i]
	}
	return Median(res)
}

// slopes are those between all pairs of points with different x.
type slopes struct {
	x, y   []float64 // by x, then by y
	listed []float64 // nil if there are too many
	pairs  int
	lo, hi float64 // the least and the greatest, if they are not listed
	buf    [2][]float64
}

func newSlopes(x, y []float64) *slopes {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j]))
	})
	s := &slopes{x: make([]float64, len(x)), y: make([]float64, len(x))}
	for k, i := range order {
		s.x[k], s.y[k] = x[i], y[i]
	}
	s.pairs = len(x) * (len(x) - 1) / 2
	for i := 0; i < len(s.x); {
		j := i
		for j < len(s.x) && s.x[j] == s.x[i] {
			j++
		}
		s.pairs -= (j - i) * (j - i - 1) / 2
		i = j
	}
	if s.pairs <= exactPairs {
		s.list()
	} else {
		s.bound()
	}
	return s
}

func (s *slopes) len() int { return s.pairs }

func (s *slopes) list() {
	s.listed = make([]float64, 0, s.pairs)
	for i := range s.x {
		for j := i + 1; j < len(s.x); j++ {
			if dx := s.x[j] - s.x[i]; dx > 0 {
				s.listed = append(s.listed, (s.y[j]-s.y[i])/dx)
			}
		}
	}
}

// bound finds the least and the greatest slope: they lie between points that
// neighbour in x.
func (s *slopes) bound() {
	s.lo, s.hi = math.Inf(1), math.Inf(-1)
	first := 0 // of the group of equal x before the current one
	for i := 0; i < len(s.x); {
		j := i
		for j < len(s.x) && s.x[j] == s.x[i] {
			j++
		}
		if i > 0 {
			dx := s.x[i] - s.x[first]
			s.lo = math.Min(s.lo, (s.y[i]-s.y[i-1])/dx)
			s.hi = math.Max(s.hi, (s.y[j-1]-s.y[first])/dx)
		}
		first, i = i, j
	}
	s.buf = [2][]float64{make([]float64, len(s.x)), make([]float64, len(s.x))}
}

// kth returns the slope of rank k, from 0.
func (s *slopes) kth(k int) float64 {
	if s.listed != nil {
		return nth(s.listed, k)
	}
	return kthByCount(s.lo, s.hi, k, s.below)
}

// below counts the slopes less than v. Points in the order of x whose residuals
// y − v·x are in reverse order are joined by such a slope; equal x are in the
// order of y and never reversed.
func (s *slopes) below(v float64) int {
	for i := range s.x {
		s.buf[0][i] = s.y[i] - v*s.x[i]
	}
	return inversions(s.buf[0], s.buf[1])
}

// inversions counts the pairs i < j with a[i] > a[j], and sorts a. tmp is as
// long as a.
func inversions(a, tmp []float64) int {
	if len(a) < 2 {
		return 0
	}
	h := len(a) / 2
	n := inversions(a[:h], tmp[:h]) + inversions(a[h:], tmp[h:])
	copy(tmp, a)
	l, r := tmp[:h], tmp[h:]
	for i := range a {
		if len(r) == 0 || len(l) > 0 && l[0] <= r[0] {
			a[i], l = l[0], l[1:]
		} else {
			n += len(l)
			a[i], r = r[0], r[1:]
		}
	}
	return n
}
