package survey

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// Losses gathers what could not be recorded. Neighbouring slices of a kind are
// joined, so that their number stays bounded.
type Losses struct {
	total  uint64
	Kinds  map[string]uint64
	slices []profile.LostSlice
	gap    int64 // slices closer than this are joined
}

const roomForLosses = 4096

func (l *Losses) add(e *trace.Lost) {
	if l.Kinds == nil {
		l.Kinds = map[string]uint64{}
	}
	l.total += e.Count
	l.Kinds[e.Kind.String()] += e.Count
	l.slices = append(l.slices, profile.LostSlice{FromNS: e.From, ToNS: max(e.From, e.To), Kind: e.Kind.String(),
		Count: e.Count})
	for len(l.slices) > roomForLosses {
		l.join()
		l.gap = max(2*l.gap, 1_000_000)
	}
}

// join merges the slices of a kind that touch, or lie closer than the gap.
func (l *Losses) join() {
	slices.SortFunc(l.slices, func(a, b profile.LostSlice) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.FromNS, b.FromNS))
	})
	kept := l.slices[:0]
	for _, s := range l.slices {
		if n := len(kept) - 1; n >= 0 && kept[n].Kind == s.Kind && s.FromNS <= kept[n].ToNS+l.gap {
			kept[n].ToNS = max(kept[n].ToNS, s.ToNS)
			kept[n].Count += s.Count
			continue
		}
		kept = append(kept, s)
	}
	l.slices = kept
}

// profile lists the losses in the order of time, at most n slices.
func (l *Losses) profile(n int) profile.Lost {
	for l.join(); len(l.slices) > n; l.join() {
		l.gap = max(2*l.gap, 1_000_000)
	}
	list := slices.Clone(l.slices)
	slices.SortFunc(list, func(a, b profile.LostSlice) int {
		return cmp.Or(cmp.Compare(a.FromNS, b.FromNS), cmp.Compare(a.Kind, b.Kind))
	})
	return profile.Lost{Total: l.total, Kinds: l.Kinds, Slices: list}
}

// Within reports whether something was lost in a stretch of time.
func (l *Losses) Within(from, to int64) bool {
	for _, s := range l.slices {
		if s.FromNS <= to && s.ToNS >= from {
			return true
		}
	}
	return false
}
