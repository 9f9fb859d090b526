package analyzer

import (
	"cmp"
	"math"
	"slices"
)

// extent is a range of bytes.
type extent struct{ from, to int64 }

func (e extent) bytes() int64 { return e.to - e.from }

// ranges is a set of bytes: separate extents in order. Beyond its limit it
// takes no more extents and says that it is scattered.
type ranges struct {
	list      []extent
	bytes     int64
	scattered bool
}

// maxScatter is how many separate extents a set holds.
const maxScatter = 4096

// add adds an extent and returns how many of its bytes are new.
func (r *ranges) add(e extent) int64 {
	if e.from < 0 || e.to <= e.from || e.to == math.MaxInt64 {
		return 0
	}
	if n := len(r.list) - 1; n >= 0 && r.list[n].to == e.from { // as usual
		r.list[n].to = e.to
		r.bytes += e.bytes()
		return e.bytes()
	}
	if r.scattered {
		return 0
	}
	before := r.bytes
	i, _ := slices.BinarySearchFunc(r.list, e.from, func(x extent, at int64) int { return cmp.Compare(x.to, at) })
	j := i
	for j < len(r.list) && r.list[j].from <= e.to {
		e.from, e.to = min(e.from, r.list[j].from), max(e.to, r.list[j].to)
		r.bytes -= r.list[j].bytes()
		j++
	}
	r.list = slices.Replace(r.list, i, j, e)
	r.bytes += e.bytes()
	r.scattered = len(r.list) >= maxScatter
	return r.bytes - before
}

// has reports whether all of an extent is in the set.
func (r *ranges) has(e extent) bool {
	if n := len(r.list) - 1; n >= 0 && r.list[n].from <= e.from && e.to <= r.list[n].to {
		return true
	}
	i, _ := slices.BinarySearchFunc(r.list, e.from, func(x extent, at int64) int { return cmp.Compare(x.to, at+1) })
	return i < len(r.list) && r.list[i].from <= e.from && e.to <= r.list[i].to
}

// all adds every extent of another set, moved by delta.
func (r *ranges) all(o *ranges, delta int64) {
	for _, e := range o.list {
		r.add(extent{e.from + delta, e.to + delta})
	}
	r.scattered = r.scattered || o.scattered
}

// common is the part of e, at its own place, that is in the set.
func (r *ranges) common(e extent) ranges {
	var c ranges
	i, _ := slices.BinarySearchFunc(r.list, e.from, func(x extent, at int64) int { return cmp.Compare(x.to, at+1) })
	for ; i < len(r.list) && r.list[i].from < e.to; i++ {
		c.add(extent{max(e.from, r.list[i].from), min(e.to, r.list[i].to)})
	}
	return c
}

// whole reports whether the set is exactly the first n bytes.
func (r *ranges) whole(n int64) bool {
	return n > 0 && len(r.list) == 1 && r.list[0] == extent{0, n}
}

// first is where the set begins; 0 if it is empty.
func (r *ranges) first() int64 {
	if len(r.list) == 0 {
		return 0
	}
	return r.list[0].from
}

// missing is the first stretch of r that is not in o.
func (r *ranges) missing(o *ranges) extent {
	for _, e := range r.list {
		i, _ := slices.BinarySearchFunc(o.list, e.from, func(x extent, at int64) int { return cmp.Compare(x.to, at+1) })
		for ; i < len(o.list) && o.list[i].from <= e.from; i++ {
			e.from = max(e.from, o.list[i].to)
		}
		if i < len(o.list) {
			e.to = min(e.to, o.list[i].from)
		}
		if e.from < e.to {
			return e
		}
	}
	return extent{}
}
