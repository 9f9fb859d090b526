package copies

import (
	"math/bits"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
)

// joiner joins the blocks of a list two by two. It keeps its memory from one list to the next: of random access each
// request is sorted once.
type joiner struct {
	fresh, joined []blockIO
	places, moved []position
}

// position is where a block lies, and which it is.
type position struct {
	from  uint64
	index uint32
}

// halve joins each block of a list with the next. The first ones are in order since they were joined before.
func (j *joiner) halve(list []blockIO) []blockIO {
	n := 1
	for n < len(list) && list[n-1].From <= list[n].From {
		n++
	}
	old, fresh := list[:n], j.sorted(list[n:])
	next := func() blockIO {
		from := &fresh
		if len(fresh) == 0 || len(old) > 0 && old[0].From <= fresh[0].From {
			from = &old
		}
		x := (*from)[0]
		*from = (*from)[1:]
		return x
	}
	j.joined = j.joined[:0]
	for range len(list) / 2 {
		a, b := next(), next()
		j.joined = append(j.joined, blockIO{measure.Extent{From: a.From, To: max(a.To, b.To)}, a.bytes + b.bytes,
			min(a.issued, b.issued), max(a.completed, b.completed)})
	}
	return append(list[:0], j.joined...)
}

// sorted is a copy of a list in the order of places; what lies at the same one stays in its order.
func (j *joiner) sorted(list []blockIO) []blockIO {
	j.places = j.places[:0]
	for i := range list {
		j.places = append(j.places, position{uint64(list[i].From), uint32(i)})
	}
	j.radix()
	j.fresh = j.fresh[:0]
	for _, p := range j.places {
		j.fresh = append(j.fresh, list[p.index])
	}
	return j.fresh
}

const (
	digitBits = 11
	digits    = 1 << digitBits
)

// radix sorts the places, digit by digit from the lowest in which they differ. They are so many that comparing them
// takes ten times as long.
func (j *joiner) radix() {
	differ := uint64(0)
	for _, p := range j.places {
		differ |= p.from ^ j.places[0].from
	}
	for shift := bits.TrailingZeros64(differ); shift < bits.Len64(differ); shift += digitBits {
		var ends [digits + 1]uint32
		for _, p := range j.places {
			ends[p.from>>shift%digits+1]++
		}
		for d := range digits {
			ends[d+1] += ends[d]
		}
		j.moved = slices.Grow(j.moved[:0], len(j.places))[:len(j.places)]
		for _, p := range j.places {
			to := &ends[p.from>>shift%digits]
			j.moved[*to] = p
			*to++
		}
		j.places, j.moved = j.moved, j.places
	}
}
