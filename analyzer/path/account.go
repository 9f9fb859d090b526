package path

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// maxParts bounds the kinds of segments that are told apart.
const maxParts = 1 << 14

// maxLongest is how many of the longest segments are kept.
const maxLongest = 32

// Part is all segments of one kind.
type Part struct {
	Key
	NS, Count, Longest int64
}

// Key is what segments of one kind have in common.
type Key struct {
	What    What
	Thread  uint32 // 0 where there are too many
	Call    Call
	Cause   trace.WaitCause
	Request Request
}

func keyOf(s *Segment) Key { return Key{s.What, s.Thread, s.Call, s.Cause, s.Request} }

// Account is what the time of a path was spent on.
type Account struct {
	Total   int64
	parts   map[Key]*Part
	longest []Segment // the shortest of them first
}

// NewAccount makes an account without segments.
func NewAccount() *Account { return &Account{parts: map[Key]*Part{}} }

// Add takes a segment, the last one first.
func (a *Account) Add(s Segment) {
	k := keyOf(&s)
	p := a.parts[k]
	if p == nil {
		if len(a.parts) >= maxParts {
			k.Thread, k.Call.File, k.Request.File = 0, 0, 0
			p = a.parts[k]
		}
		if p == nil {
			p = &Part{Key: k}
			a.parts[k] = p
		}
	}
	ns := s.To - s.From
	p.NS += ns
	p.Count++
	p.Longest = max(p.Longest, ns)
	a.Total += ns
	a.keep(s)
}

// keep keeps a segment that is among the longest.
func (a *Account) keep(s Segment) {
	length := func(s Segment) int64 { return s.To - s.From }
	if len(a.longest) == maxLongest {
		if length(s) <= length(a.longest[0]) {
			return
		}
		a.longest = a.longest[1:]
	}
	i, _ := slices.BinarySearchFunc(a.longest, s, func(x, y Segment) int { return cmp.Compare(length(x), length(y)) })
	a.longest = slices.Insert(a.longest, i, s)
}

// Parts are all parts, most time first.
func (a *Account) Parts() []*Part {
	list := make([]*Part, 0, len(a.parts))
	for _, p := range a.parts {
		list = append(list, p)
	}
	slices.SortFunc(list, func(x, y *Part) int {
		return cmp.Or(cmp.Compare(y.NS, x.NS), cmp.Compare(y.Count, x.Count), cmp.Compare(x.What, y.What),
			cmp.Compare(x.Thread, y.Thread), cmp.Compare(x.Call.Op, y.Call.Op), cmp.Compare(x.Call.File, y.Call.File),
			cmp.Compare(x.Request.Device, y.Request.Device), cmp.Compare(x.Request.Op, y.Request.Op),
			cmp.Compare(x.Request.File, y.Request.File), cmp.Compare(x.Request.Flags, y.Request.Flags),
			cmp.Compare(x.Cause, y.Cause))
	})
	return list
}

// Longest are the longest segments, the longest first.
func (a *Account) Longest() []Segment {
	list := slices.Clone(a.longest)
	slices.Reverse(list)
	return list
}
