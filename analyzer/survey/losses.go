package survey

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Losses gathers what could not be recorded. Neighbouring slices of a kind are joined where about as much was lost in
// each: where much was lost stays told apart from where little was. Their number stays bounded.
type Losses struct {
	total  uint64
	Kinds  map[string]uint64
	slices []profile.LostSlice
	grid   int64 // slices whose ends lie in the same cells of this width are joined, too; 0: none
}

const (
	roomForLosses = 4096

	// alikeBy is how many times as much may be lost in one slice as in its neighbour if they are to be joined.
	alikeBy = 2
	// finest is the width of a cell to begin with.
	finest = 1_000_000
)

func (l *Losses) add(e *trace.Lost) {
	if l.Kinds == nil {
		l.Kinds = map[string]uint64{}
	}
	l.total += e.Count
	l.Kinds[e.Kind.String()] += e.Count
	l.slices = append(l.slices, profile.LostSlice{FromNS: e.From, ToNS: max(e.From, e.To), Kind: e.Kind.String(),
		Count: e.Count})
	if len(l.slices) > roomForLosses {
		l.shrink(roomForLosses / 2) // so that the next time is far off
	}
}

// shrink joins slices until there are at most n, or none are left to be joined.
func (l *Losses) shrink(n int) {
	for l.join(); len(l.slices) > n && l.grid <= trace.MaxTime; l.join() {
		l.grid = max(2*l.grid, finest)
	}
}

// join merges the slices of a kind that are of the same time, or of the same cells, and neighbours that are alike.
func (l *Losses) join() {
	width := max(l.grid, 1)
	sorting.Stably(l.slices, func(a, b profile.LostSlice) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.FromNS/width, b.FromNS/width),
			cmp.Compare(a.ToNS/width, b.ToNS/width), cmp.Compare(a.FromNS, b.FromNS))
	})
	l.merge(func(a, b *profile.LostSlice) bool {
		return a.FromNS/width == b.FromNS/width && a.ToNS/width == b.ToNS/width
	})
	sorting.Stably(l.slices, func(a, b profile.LostSlice) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.FromNS, b.FromNS), cmp.Compare(a.ToNS, b.ToNS))
	})
	l.merge(func(a, b *profile.LostSlice) bool { return b.FromNS <= a.ToNS && alike(a, b) })
}

// merge joins each slice to the one before it if they are of a kind and belong together.
func (l *Losses) merge(together func(a, b *profile.LostSlice) bool) {
	kept := l.slices[:0]
	for _, s := range l.slices {
		if n := len(kept) - 1; n >= 0 && kept[n].Kind == s.Kind && together(&kept[n], &s) {
			kept[n].FromNS, kept[n].ToNS = min(kept[n].FromNS, s.FromNS), max(kept[n].ToNS, s.ToNS)
			kept[n].Count += s.Count
			continue
		}
		kept = append(kept, s)
	}
	l.slices = kept
}

// alike reports whether about as much was lost in one slice as in another, for how long they are.
func alike(a, b *profile.LostSlice) bool {
	x := float64(a.Count) * float64(max(b.ToNS-b.FromNS, 1))
	y := float64(b.Count) * float64(max(a.ToNS-a.FromNS, 1))
	return max(x, y) <= alikeBy*min(x, y)
}

// profile lists the losses in the order of time, at most n slices.
func (l *Losses) profile(n int) profile.Lost {
	l.shrink(n)
	list := slices.Clone(l.slices)
	sorting.Stably(list, func(a, b profile.LostSlice) int {
		return cmp.Or(cmp.Compare(a.FromNS, b.FromNS), cmp.Compare(a.ToNS, b.ToNS), cmp.Compare(a.Kind, b.Kind))
	})
	return profile.Lost{Total: l.total, Kinds: l.Kinds, Slices: list}
}

// Within reports whether something was lost in a stretch of time.
func (l *Losses) Within(from, to int64) bool {
	return slices.ContainsFunc(l.slices, func(s profile.LostSlice) bool { return s.FromNS <= to && s.ToNS >= from })
}
