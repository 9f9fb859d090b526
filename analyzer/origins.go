package analyzer

import "slices"

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
			if from, ok := rule(src, at, n); ok && src.read.has(extent{from, from + n}) {
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
		e := extent{at, at + n}
		return at, slices.Contains(src.ends, e) && !src.consumed.has(e)
	},
	func(src *source, _, n int64) (int64, bool) { // what was read last, and only that
		e := src.last()
		return e.from, e.bytes() == n && !src.consumed.has(e)
	},
	func(src *source, _, n int64) (int64, bool) { // all that waits
		e := src.read.missing(&src.consumed)
		return e.from, e.bytes() == n
	},
	func(src *source, at, n int64) (int64, bool) { // the same place
		return at, !src.consumed.has(extent{at, at + n})
	},
	func(src *source, _, n int64) (int64, bool) { // the first that waits
		e := src.read.missing(&src.consumed)
		return e.from, e.bytes() >= n
	},
	func(src *source, _, n int64) (int64, bool) { // what was read last, once more
		e := src.last()
		return e.from, e.bytes() == n
	},
	func(src *source, at, _ int64) (int64, bool) { return at, true }, // the same place, once more
}

func (s *source) last() extent {
	if s.next == 0 {
		return extent{}
	}
	return s.ends[(s.next-1)%maxEnds]
}

// straight reports whether a write lies within one read, or consists of whole
// reads. Only the last reads are remembered; about others it says yes.
func (s *source) straight(e extent) bool {
	if r := s.last(); r.from <= e.from && e.to <= r.to {
		return true
	}
	inside, from, to, known := false, false, false, false
	for _, r := range s.ends {
		if r.from <= e.from && e.to <= r.to {
			return true
		}
		from = from || r.from == e.from || r.to == e.from
		to = to || r.to == e.to || r.from == e.to
		inside = inside || r.to > e.from && r.to < e.to
		known = known || r.from <= e.from
	}
	return !inside || !known || from && to
}
