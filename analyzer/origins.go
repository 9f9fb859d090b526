package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"slices"
)

// search finds the source of a write that no running link explains. A file that
// got bytes from nowhere is no copy any more: nothing is searched for it; a
// pipe may carry other things too.
func (s *sink) search(at, n int64) *link {
	if s.useless || s.misses > maxMisses {
		return nil
	}
	for _, rule := range origins {
		for _, src := range s.process.flows.recent {
			if src.file == s.file || src.useless {
				continue
			}
			if from, ok := rule(src, at, n); ok && src.read.Has(measure.Extent{From: from, To: from + n}) {
				s.misses = 0
				return s.link(src, at-from)
			}
		}
	}
	s.misses++
	return nil
}

// origins are the rules for where n bytes written at a place come from, best
// first.
var origins = []func(src *source, at, n int64) (int64, bool){
	func(src *source, at, n int64) (int64, bool) { // one of the last reads, at the same place
		e := measure.Extent{From: at, To: at + n}
		return at, slices.Contains(src.ends, e) && !src.consumed.Has(e)
	},
	func(src *source, _, n int64) (int64, bool) { // what was read last, and only that
		e := src.last()
		return e.From, e.Bytes() == n && !src.consumed.Has(e)
	},
	func(src *source, _, n int64) (int64, bool) { // all that waits
		e := src.read.Missing(&src.consumed)
		return e.From, e.Bytes() == n
	},
	func(src *source, at, n int64) (int64, bool) { // the same place
		return at, !src.consumed.Has(measure.Extent{From: at, To: at + n})
	},
	func(src *source, _, n int64) (int64, bool) { // the first that waits
		e := src.read.Missing(&src.consumed)
		return e.From, e.Bytes() >= n
	},
	func(src *source, _, n int64) (int64, bool) { // what was read last, once more
		e := src.last()
		return e.From, e.Bytes() == n
	},
	func(src *source, at, _ int64) (int64, bool) { return at, true }, // the same place, once more
}

func (s *source) last() measure.Extent {
	if s.next == 0 {
		return measure.Extent{}
	}
	return s.ends[(s.next-1)%maxEnds]
}

// straight reports whether a write lies within one read, or consists of whole
// reads. Only the last reads are remembered; about others it says yes.
func (s *source) straight(e measure.Extent) bool {
	if r := s.last(); r.From <= e.From && e.To <= r.To {
		return true
	}
	inside, from, to, known := false, false, false, false
	for _, r := range s.ends {
		if r.From <= e.From && e.To <= r.To {
			return true
		}
		from = from || r.From == e.From || r.To == e.From
		to = to || r.To == e.To || r.From == e.To
		inside = inside || r.To > e.From && r.To < e.To
		known = known || r.From <= e.From
	}
	return !inside || !known || from && to
}
