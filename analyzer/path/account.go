package path

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/internal/sorting"
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
	Waits              int64 // of the workload for somebody else that end in it
	Crowded            int64 // of the time: its own threads had the processors, as more of them wanted to run
	Runnable           int64 // the same, added up over the threads that ran or were ready
	Lacked             int64 // time of processors that its threads did not have meanwhile, added up over these
}

// Key is what segments of one kind have in common.
type Key struct {
	What    What
	Cause   trace.WaitCause
	Behind  trace.Op
	Locked  trace.FileID
	Thread  uint32 // where there are too many, another one of the same command, or 0
	Call    Call
	Request Request
	Beyond  uint32
	Ask     uint32
	As      timeline.Label // of one that stands for many: the label of all of these, counted from 1; else 0
}

// KeyOf is what a segment has in common with others of its kind.
func KeyOf(s *Segment) Key {
	return Key{s.What, s.Cause, s.Behind, s.Locked, s.Thread, s.Call, s.Request, s.Beyond, s.Ask, 0}
}

// Account is what the time of a path was spent on.
type Account struct {
	Total   int64
	label   func(*Key) timeline.Label
	list    []*Part
	parts   map[Key]*Part // of all, where they are more than a few
	free    []*Part
	recent  [4]*Part        // programs do the same few things in turn
	next    int             // of them, that is replaced
	longest []Segment       // of which the longest are kept, in the order in which they came
	keeps   int64           // no shorter one is
	limit   int             // of parts
	blocked bool            // the segment that was added last is of a wait for somebody else
	call    Call            // in that call
	coarser []func(Key) Key // what is told apart less from the limit on, from twice the limit on, and so on
}

// NewAccount makes an account without segments. label says under which label segments of a kind fall.
func NewAccount(label func(*Key) timeline.Label) *Account {
	a := &Account{label: label, limit: maxParts}
	a.coarser = []func(Key) Key{a.anyFile, a.anybody}
	return a
}

// Alike has threads told apart by what alike gives for them, once there are too many.
func (a *Account) Alike(alike func(thread uint32) uint32) *Account {
	a.coarser = slices.Insert(a.coarser, 0, func(k Key) Key {
		k.Thread = alike(k.Thread)
		return k
	})
	return a
}

// Limited makes an account that tells fewer kinds of segments apart.
func Limited(parts int, label func(*Key) timeline.Label) *Account {
	a := NewAccount(label)
	a.limit = parts
	return a
}

// Label is the label of segments of a kind.
func (a *Account) Label(k *Key) timeline.Label {
	if k.As != 0 {
		return k.As - 1
	}
	return a.label(k)
}

// reset empties an account.
func (a *Account) reset() {
	a.free = append(a.free, a.list...)
	clear(a.recent[:])
	a.Total, a.list, a.parts, a.longest, a.keeps = 0, a.list[:0], nil, a.longest[:0], 0
	a.blocked = false
}

// Merge adds the parts of another account, of which each may be of another kind here. Its longest segments are not
// kept.
func (a *Account) Merge(b *Account, kind func(Key) Key) {
	for _, x := range b.list {
		p := a.part(kind(x.Key))
		p.NS += x.NS
		p.Count += x.Count
		p.Waits += x.Waits
		p.Crowded += x.Crowded
		p.Runnable += x.Runnable
		p.Lacked += x.Lacked
		p.Longest = max(p.Longest, x.Longest)
	}
	a.Total += b.Total
}

// Each shows all parts.
func (a *Account) Each(show func(*Part)) {
	for _, p := range a.list {
		show(p)
	}
}

// Add takes a segment and says of which part it is.
func (a *Account) Add(s *Segment) *Part {
	p, ns := a.part(KeyOf(s)), s.To-s.From
	p.NS += ns
	p.Count++
	p.Longest = max(p.Longest, ns)
	blocked := p.Label == timeline.Blocked
	if blocked && !(a.blocked && a.call == s.Call) { // a wait has many segments if it is known what the other one did
		p.Waits++
	}
	a.blocked, a.call = blocked, s.Call
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
	p, limit := a.find(&k), a.limit
	for _, coarser := range a.coarser {
		if p != nil || len(a.list) < limit {
			break
		}
		k = coarser(k)
		p, limit = a.find(&k), 2*limit
	}
	if p == nil {
		p = a.enter(k)
	}
	a.recent[a.next] = p
	a.next = (a.next + 1) % len(a.recent)
	return p
}

// anyFile is the kind that stands for all that differ in their files alone, and have the same label. That depends on
// the file, so it is looked for before this is forgotten.
func (a *Account) anyFile(k Key) Key {
	if a.label != nil {
		k.As = a.Label(&k) + 1
	}
	k.Call.File, k.Request.File, k.Request.By, k.Request.Ask, k.Ask = 0, 0, 0, 0, 0
	return k
}

// anybody does the same with threads.
func (a *Account) anybody(k Key) Key {
	if a.label != nil {
		k.As = a.Label(&k) + 1
	}
	k.Thread = 0
	return k
}

// few parts are looked for one after the other: most operations have no more.
const few = 12

func (a *Account) find(k *Key) *Part {
	if a.parts != nil {
		return a.parts[*k]
	}
	for _, p := range a.list {
		if p.Key == *k {
			return p
		}
	}
	return nil
}

func (a *Account) enter(k Key) *Part {
	var p *Part
	if n := len(a.free); n > 0 {
		p, a.free = a.free[n-1], a.free[:n-1]
		*p = Part{Key: k}
	} else {
		p = &Part{Key: k}
	}
	if a.label != nil {
		p.Label = a.Label(&p.Key)
	}
	a.list = append(a.list, p)
	switch {
	case a.parts != nil:
		a.parts[k] = p
	case len(a.list) > few:
		a.parts = map[Key]*Part{}
		for _, x := range a.list {
			a.parts[x.Key] = x
		}
	}
	return p
}

// keep keeps a segment that is among the longest; of those that are as long, the first ones.
func (a *Account) keep(s *Segment, ns int64) {
	if ns <= a.keeps {
		return
	}
	if a.longest = append(a.longest, *s); len(a.longest) == len(lengths{}) {
		a.shorten()
	}
}

func length(s *Segment) int64 { return s.To - s.From }

// lengths are as many as there are before only the longest are kept. Segments are large: they are not sorted for that.
type lengths [2 * maxLongest]int64

// shorten leaves the longest segments, in the order in which they came.
func (a *Account) shorten() {
	var all lengths
	for i := range a.longest {
		all[i] = length(&a.longest[i])
	}
	slices.Sort(all[:])
	a.keeps = all[len(all)-maxLongest]
	room := maxLongest // for those that are no longer
	for _, ns := range all[len(all)-maxLongest:] {
		if ns > a.keeps {
			room--
		}
	}
	kept := a.longest[:0]
	for i := range a.longest {
		switch ns := length(&a.longest[i]); {
		case ns > a.keeps:
		case ns < a.keeps || room == 0:
			continue
		default:
			room--
		}
		kept = append(kept, a.longest[i])
	}
	a.longest = kept
}

// Labels are the time under each label.
func (a *Account) Labels() (sum [timeline.NumLabels]int64) {
	for _, p := range a.list {
		sum[p.Label] += p.NS
	}
	return sum
}

// Unknown is the time in waits of which it is not known what ended them.
func (a *Account) Unknown() (ns int64) {
	for _, p := range a.list {
		if p.What == Unknown {
			ns += p.NS
		}
	}
	return ns
}

// Parts are all parts, most time first.
func (a *Account) Parts() []*Part {
	list := slices.Clone(a.list)
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
		cmp.Compare(x.Beyond, y.Beyond), cmp.Compare(x.Behind, y.Behind),
		cmp.Compare(x.Locked, y.Locked), cmp.Compare(x.Request.Ask, y.Request.Ask),
		cmp.Compare(x.Ask, y.Ask), cmp.Compare(x.As, y.As))
}

// Longest are the longest segments, the longest first.
func (a *Account) Longest() []Segment {
	list := slices.Clone(a.longest)
	sorting.Stably(list, func(x, y Segment) int { return cmp.Compare(length(&y), length(&x)) })
	return list[:min(len(list), maxLongest)]
}
