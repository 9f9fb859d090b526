package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// slopes are those between all pairs of points with different x.
//
// If there are too many to list, they are known through below, which counts
// those less than a value v: points in the order of x whose residuals y − v·x
// are in reverse order are joined by such a slope. Equal x are in the order of
// y and never reversed.
type slopes struct {
	x, y   []float64 // by x, then by y
	pairs  int
	most   int       // to list at once
	listed []float64 // all of them; nil if they are more
	lo, hi float64   // the least and the greatest, if they are not listed
	sample []float64 // some of them, sorted, to begin the search with
	order  []int     // buffers for sorting
	buf    [2][]float64
}

func newSlopes(x, y []float64, most int) *slopes {
	s := &slopes{x: make([]float64, len(x)), y: make([]float64, len(x)), most: most}
	s.order = ascending(len(x), func(i, j int) int { return cmp.Or(cmp.Compare(x[i], x[j]), cmp.Compare(y[i], y[j])) })
	for k, i := range s.order {
		s.x[k], s.y[k] = x[i], y[i]
	}
	s.pairs = len(x) * (len(x) - 1) / 2
	s.lo, s.hi = math.Inf(1), math.Inf(-1)
	first := 0 // of the group of equal x before the current one
	for i := 0; i < len(s.x); {
		j := i
		for j < len(s.x) && s.x[j] == s.x[i] {
			j++
		}
		s.pairs -= (j - i) * (j - i - 1) / 2
		if i > 0 { // the extremes lie between points that neighbour in x
			dx := s.x[i] - s.x[first]
			s.lo = math.Min(s.lo, (s.y[i]-s.y[i-1])/dx)
			s.hi = math.Max(s.hi, (s.y[j-1]-s.y[first])/dx)
		}
		first, i = i, j
	}
	switch {
	case !s.finite():
	case s.pairs <= most:
		s.list()
	default:
		s.draw()
	}
	return s
}

// ascending returns the indices below n in the order of compare.
func ascending(n int, compare func(i, j int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

// finite reports whether all slopes are numbers, and the differences they are
// quotients of. Those of points that are no neighbours can overflow alone.
func (s *slopes) finite() bool {
	return usable([]float64{s.lo, s.hi, s.x[len(s.x)-1] - s.x[0], slices.Max(s.y) - slices.Min(s.y)})
}

func (s *slopes) list() {
	s.listed = make([]float64, 0, s.pairs)
	for i := range s.x {
		for j := i + 1; j < len(s.x); j++ {
			if s.x[j] > s.x[i] {
				s.listed = append(s.listed, s.between(i, j))
			}
		}
	}
}

func (s *slopes) between(i, j int) float64 { return (s.y[j] - s.y[i]) / (s.x[j] - s.x[i]) }

// draw takes the sample. It decides how long the search takes, not what it
// finds.
func (s *slopes) draw() {
	rng := rand.New(rand.NewPCG(1, uint64(len(s.x))))
	for range 4096 {
		if i, j := rng.IntN(len(s.x)), rng.IntN(len(s.x)); s.x[i] != s.x[j] {
			s.sample = append(s.sample, s.between(i, j))
		}
	}
	slices.Sort(s.sample)
	s.buf = [2][]float64{make([]float64, len(s.x)), make([]float64, len(s.x))}
}

// median returns the median of all slopes.
func (s *slopes) median() float64 { return midpoint(s.kth((s.pairs-1)/2), s.kth(s.pairs/2)) }

// kth returns the slope of rank k, from 0.
func (s *slopes) kth(k int) float64 {
	if s.listed != nil {
		return nth(s.listed, k)
	}
	// below(lo) ≤ k < below(hi), lo and hi in terms of ordinal.
	lo, hi := ordinal(s.lo), ordinal(s.hi)+1
	under, upTo := 0, s.pairs
	try := func(v uint64) {
		if v <= lo || v >= hi {
			return
		}
		if n := s.below(fromOrdinal(v)); n <= k {
			lo, under = v, n
		} else {
			hi, upTo = v, n
		}
	}
	if m := float64(len(s.sample)); m > 0 {
		share := float64(k) / float64(s.pairs)
		margin := 3*math.Sqrt(m*share*(1-share)) + 2
		try(ordinal(s.sample[int(max(0, share*m-margin))]))
		try(ordinal(s.sample[int(min(m-1, share*m+margin))]))
	}
	for upTo-under > s.most {
		if hi-lo <= 1 {
			return fromOrdinal(lo)
		}
		try(lo + (hi-lo)/2)
	}
	return s.search(k, fromOrdinal(lo), fromOrdinal(hi), upTo-under)
}

// search returns the slope of rank k, which is one of about n from a to b. It
// lists some more on both sides: at the ends it is up to rounding whether a
// slope is inside, but counting and listing round alike.
func (s *slopes) search(k int, a, b float64, n int) float64 {
	more := (b-a)/64 + 1e-12*(math.Abs(a)+math.Abs(b))
	a, b = a-more, b+more
	under := s.below(a)
	rest := s.within(a, b, n+n/16)
	if len(rest) == 0 {
		return midpoint(a, b) // residuals without precision
	}
	return nth(rest, min(max(0, k-under), len(rest)-1))
}

// below counts the slopes less than v.
func (s *slopes) below(v float64) int {
	for i := range s.x {
		s.buf[0][i] = s.y[i] - v*s.x[i]
	}
	return inversions(s.buf[0], s.buf[1])
}

// within lists the slopes from a to less than b, n or so. They join points that
// are in order for a and in reverse order for b.
func (s *slopes) within(a, b float64, n int) []float64 {
	for i := range s.x {
		s.buf[0][i] = s.y[i] - a*s.x[i]
	}
	order := ascending(len(s.x), func(i, j int) int { return cmp.Compare(s.buf[0][i], s.buf[0][j]) })
	for i := range s.x {
		s.buf[0][i] = s.y[i] - b*s.x[i]
	}
	rest := make([]float64, 0, n)
	s.reversed(order, make([]int, len(order)), func(i, j int) {
		if s.x[i] != s.x[j] {
			rest = append(rest, s.between(i, j))
		}
	})
	return rest
}

// reversed calls f for each pair in order whose residuals in buf[0] are in
// reverse order, and sorts order by them.
func (s *slopes) reversed(order, tmp []int, f func(i, j int)) {
	if len(order) < 2 {
		return
	}
	h := len(order) / 2
	s.reversed(order[:h], tmp[:h], f)
	s.reversed(order[h:], tmp[h:], f)
	copy(tmp, order)
	l, r := tmp[:h], tmp[h:]
	for k := range order {
		if len(r) == 0 || len(l) > 0 && s.buf[0][l[0]] <= s.buf[0][r[0]] {
			order[k], l = l[0], l[1:]
			continue
		}
		for _, i := range l {
			f(i, r[0])
		}
		order[k], r = r[0], r[1:]
	}
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
