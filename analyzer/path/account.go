package path

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// maxParts bounds the kinds of segments that are told apart.
const maxParts = 1 << 14

// maxLongest is how many of the longest segments are kept.
const maxLongest = 32

// Part is all segments of one kind.
type Part struct {
	Key
	Label              timeline.Label
	NS, Count, Longest int64
}

// Key is what segments of one kind have in common.
type Key struct {
	What    What
	Thread  uint32 // 0 where there are too many
	Call    Call
	Cause   trace.WaitCause
	Request Request
	Beyond  uint32
}

// KeyOf is what a segment has in common with others of its kind.
func KeyOf(s *Segment) Key { return Key{s.What, s.Thread, s.Call, s.Cause, s.Request, s.Beyond} }

// Account is what the time of a path was spent on.
type Account struct {
	Total   int64
	label   func(*Key) timeline.Label
	parts   map[Key]*Part
	recent  [4]*Part  // programs do the same few things in turn
	next    int       // of them, that is replaced
	longest []Segment // the shortest of them first
	limit   int       // of parts
}

// NewAccount makes an account without segments. label says under which label segments of a kind fall.
func NewAccount(label func(*Key) timeline.Label) *Account {
	return &Account{label: label, parts: map[Key]*Part{}, limit: maxParts}
}

// Limited makes an account that tells fewer kinds of segments apart.
func Limited(parts int, label func(*Key) timeline.Label) *Account {
	a := NewAccount(label)
	a.limit = parts
	return a
}

// Label is the label of segments of a kind.
func (a *Account) Label(k *Key) timeline.Label { return a.label(k) }

// reset empties an account.
func (a *Account) reset() {
	clear(a.parts)
	clear(a.recent[:])
	a.Total, a.longest = 0, a.longest[:0]
}

// Merge adds the parts of another account, of which each may be of another kind here. Its longest segments are not kept.
func (a *Account) Merge(b *Account, kind func(Key) Key) {
	for _, x := range b.parts {
		p := a.part(kind(x.Key))
		p.NS += x.NS
		p.Count += x.Count
		p.Longest = max(p.Longest, x.Longest)
	}
	a.Total += b.Total
}

// Each shows all parts, in no order.
func (a *Account) Each(show func(*Part)) {
	for _, p := range a.parts {
		show(p)
	}
}

// Add takes a segment and says of which part it is.
func (a *Account) Add(s *Segment) *Part {
	p, ns := a.part(KeyOf(s)), s.To-s.From
	p.NS += ns
	p.Count++
	p.Longest = max(p.Longest, ns)
	a.Total += ns
	a.keep(s, ns)
	return p
}

func (a *Account) part(k Key) *Part {
	for _, p := range a.recent {
		if p != nil && p.Key == k {
			return p
		}
	}
	p := a.parts[k]
	if p == nil && len(a.parts) >= a.limit {
		k.Thread, k.Call.File, k.Request.File = 0, 0, 0
		p = a.parts[k]
	}
	if p == nil {
		p = &Part{Key: k}
		if a.label != nil {
			p.Label = a.label(&k)
		}
		a.parts[k] = p
	}
	a.recent[a.next] = p
	a.next = (a.next + 1) % len(a.recent)
	return p
}

// keep keeps a segment that is among the longest.
func (a *Account) keep(s *Segment, ns int64) {
	length := func(s *Segment) int64 { return s.To - s.From }
	if len(a.longest) == maxLongest {
		if ns <= length(&a.longest[0]) {
			return
		}
		a.longest = slices.Delete(a.longest, 0, 1)
	}
	i, _ := slices.BinarySearchFunc(a.longest, ns, func(x Segment, ns int64) int { return cmp.Compare(length(&x), ns) })
	a.longest = slices.Insert(a.longest, i, *s)
}

// Labels are the time under each label.
func (a *Account) Labels() (sum [timeline.NumLabels]int64) {
	for _, p := range a.parts {
		sum[p.Label] += p.NS
	}
	return sum
}

// Unknown is the time in waits of which it is not known what ended them.
func (a *Account) Unknown() (ns int64) {
	for _, p := range a.parts {
		if p.What == Unknown {
			ns += p.NS
		}
	}
	return ns
}

// Parts are all parts, most time first.
func (a *Account) Parts() []*Part {
	list := make([]*Part, 0, len(a.parts))
	for _, p := range a.parts {
		list = append(list, p)
	}
	slices.SortFunc(list, func(x, y *Part) int {
		return cmp.Or(cmp.Compare(y.NS, x.NS), cmp.Compare(y.Count, x.Count), compare(&x.Key, &y.Key))
	})
	return list
}

// compare puts kinds of segments into an order that is the same each time.
func compare(x, y *Key) int {
	return cmp.Or(cmp.Compare(x.What, y.What), cmp.Compare(x.Thread, y.Thread), cmp.Compare(x.Call.Op, y.Call.Op),
		cmp.Compare(x.Call.File, y.Call.File), cmp.Compare(x.Request.Device, y.Request.Device),
		cmp.Compare(x.Request.Op, y.Request.Op), cmp.Compare(x.Request.File, y.Request.File),
		cmp.Compare(x.Request.Flags, y.Request.Flags), cmp.Compare(x.Request.By, y.Request.By), cmp.Compare(x.Cause, y.Cause),
		cmp.Compare(x.Beyond, y.Beyond))
}

// Longest are the longest segments, the longest first.
func (a *Account) Longest() []Segment {
	list := slices.Clone(a.longest)
	slices.Reverse(list)
	return list
}
