package measure

import "github.com/iotrace/iotrace/analyzer/profile"

// Sizes is the distribution of the sizes of operations, the most common ones exactly. Nearly every operation has the
// size of the one before it: as long as it does, it is only counted.
type Sizes struct {
	Common Tally
	all    Histogram
	last   int64
	again  int64 // operations of that size that are in neither of the others yet
}

// Add adds the size of an operation.
func (s *Sizes) Add(size int64) {
	if size != s.last {
		s.settle()
		s.last = size
	}
	s.again++
}

// settle enters the sizes that were only counted.
func (s *Sizes) settle() {
	if s.again > 0 {
		s.all.AddTimes(s.last, s.again)
		s.Common.addTimes(s.last, s.again)
		s.again = 0
	}
}

// Usual is the most common size; 0 if there is none.
func (s *Sizes) Usual() int64 {
	s.settle()
	if top := s.Common.Top(1); len(top) > 0 {
		return top[0].Value
	}
	return 0
}

// with is the distribution of both, of which s has the common sizes.
func (s *Sizes) with(o *Sizes) Sizes {
	s.settle()
	o.settle()
	r := Sizes{Common: s.Common, all: s.all.clone()}
	r.all.Merge(&o.all)
	return r
}

// Dist is the distribution with the most common sizes.
func (s *Sizes) Dist() profile.Dist {
	s.settle()
	return sizeDist(&s.all, &s.Common)
}

// sizeDist is the distribution of the sizes of operations. A percentile whose
// bucket has sizes that were counted one by one is the most frequent of them.
func sizeDist(h *Histogram, t *Tally) profile.Dist {
	d := h.dist(func(q float64) int64 { return t.near(h.SizeQuantile(q)) })
	d.Top = t.Top(5)
	if d.Sum > 0 {
		d.ByBytes = t.near(h.half())
	}
	return d
}
