package measure

import (
	"cmp"
	"math"
	"slices"
)

// Extent is a range of bytes.
type Extent struct{ From, To int64 }

func (e Extent) Bytes() int64 { return e.To - e.From }

// Ranges is a set of bytes: separate extents in order. Beyond its limit it
// takes no more extents and says that it is scattered.
type Ranges struct {
	List      []Extent
	Bytes     int64
	Scattered bool
	recent    int // the extent that held what was added last
}

// maxScatter is how many separate extents a set holds.
const maxScatter = 4096

// Add adds an extent and returns how many of its bytes are new.
func (r *Ranges) Add(e Extent) int64 {
	if e.From < 0 || e.To <= e.From || e.To == math.MaxInt64 {
		return 0
	}
	if n := len(r.List) - 1; n >= 0 && r.List[n].To == e.From { // as usual
		r.List[n].To = e.To
		r.Bytes += e.Bytes()
		return e.Bytes()
	}
	if r.Scattered {
		return 0
	}
	if i := r.recent; i < len(r.List) && r.List[i].From <= e.From && e.To <= r.List[i].To { // there once more
		return 0
	}
	before := r.Bytes
	i, _ := slices.BinarySearchFunc(r.List, e.From, func(x Extent, at int64) int { return cmp.Compare(x.To, at) })
	j := i
	for j < len(r.List) && r.List[j].From <= e.To {
		e.From, e.To = min(e.From, r.List[j].From), max(e.To, r.List[j].To)
		r.Bytes -= r.List[j].Bytes()
		j++
	}
	r.List, r.recent = slices.Replace(r.List, i, j, e), i
	r.Bytes += e.Bytes()
	r.Scattered = len(r.List) >= maxScatter
	return r.Bytes - before
}

// Has reports whether all of an extent is in the set.
func (r *Ranges) Has(e Extent) bool {
	if n := len(r.List) - 1; n >= 0 && r.List[n].From <= e.From && e.To <= r.List[n].To {
		return true
	}
	i, _ := slices.BinarySearchFunc(r.List, e.From, func(x Extent, at int64) int { return cmp.Compare(x.To, at+1) })
	return i < len(r.List) && r.List[i].From <= e.From && e.To <= r.List[i].To
}

// All adds every extent of another set, moved by delta.
func (r *Ranges) All(o *Ranges, delta int64) {
	for _, e := range o.List {
		r.Add(Extent{e.From + delta, e.To + delta})
	}
	r.Scattered = r.Scattered || o.Scattered
}

// Common is the part of e, at its own place, that is in the set.
func (r *Ranges) Common(e Extent) Ranges {
	var c Ranges
	i, _ := slices.BinarySearchFunc(r.List, e.From, func(x Extent, at int64) int { return cmp.Compare(x.To, at+1) })
	for ; i < len(r.List) && r.List[i].From < e.To; i++ {
		c.Add(Extent{max(e.From, r.List[i].From), min(e.To, r.List[i].To)})
	}
	return c
}

// Whole reports whether the set is exactly the first n bytes.
func (r *Ranges) Whole(n int64) bool { return n > 0 && len(r.List) == 1 && r.List[0] == Extent{0, n} }

// First is where the set begins; 0 if it is empty.
func (r *Ranges) First() int64 {
	if len(r.List) == 0 {
		return 0
	}
	return r.List[0].From
}

// Missing is the first stretch of r that is not in o.
func (r *Ranges) Missing(o *Ranges) Extent {
	for _, e := range r.List {
		i, _ := slices.BinarySearchFunc(o.List, e.From, func(x Extent, at int64) int { return cmp.Compare(x.To, at+1) })
		for ; i < len(o.List) && o.List[i].From <= e.From; i++ {
			e.From = max(e.From, o.List[i].To)
		}
		if i < len(o.List) {
			e.To = min(e.To, o.List[i].From)
		}
		if e.From < e.To {
			return e
		}
	}
	return Extent{}
}

// End is where the set ends; 0 if it is empty.
func (r *Ranges) End() int64 {
	if len(r.List) == 0 {
		return 0
	}
	return r.List[len(r.List)-1].To
}

// Rest is the stretch from the beginning of the set to the end of a file, if the
// set ends there; what is left out of it are holes.
func (r *Ranges) Rest(size int64) (Extent, bool) {
	if len(r.List) == 0 || r.Scattered || r.End() != size {
		return Extent{}, false
	}
	return Extent{r.List[0].From, size}, true
}

// Overlaps reports whether two sets have bytes in common.
func (r *Ranges) Overlaps(o *Ranges) bool {
	for _, e := range o.List {
		if c := r.Common(e); c.Bytes > 0 {
			return true
		}
	}
	return false
}
