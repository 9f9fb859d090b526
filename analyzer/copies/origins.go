package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// add enters bytes that were written, and looks for where they came from: in
// memory, or else by what was read.
func (s *sink) add(at int64, x *world.Access) {
	s.note(x)
	if s.useless {
		s.unmatched += x.Bytes
		s.put(at, x.Bytes, nil)
		return
	}
	pieces := s.by.memory.origin(x.Buffer, x.Bytes, x.End)
	if s.midway && s.before(at, x, len(pieces) > 0) {
		return
	}
	l := s.current
	follows := l != nil && l.offers(at, x.Bytes)
	switch {
	case len(pieces) > 0 && (!follows || s.agrees(pieces, at) || fresh(pieces)):
		s.trace(at, pieces, x)
	case follows:
		s.follow(l, at, x)
	default:
		s.search(at, x)
	}
}

// before reports whether bytes had been read when the recording joined the
// process: nothing was seen of where they came from, and nothing has to be. That
// ends with the first bytes that were read since, which have to follow.
func (s *sink) before(at int64, x *world.Access, explained bool) bool {
	follows := s.joined == 0 || s.joined == at
	if !follows || explained || x.Buffer == 0 && len(s.candidates(at, x.Bytes)) > 0 {
		s.midway = false
		s.useless = s.useless || !follows
		return false
	}
	s.joined = at + x.Bytes
	return true
}

// agrees reports whether memory says the same as the running link.
func (s *sink) agrees(pieces []portion, at int64) bool {
	return len(pieces) == 1 && pieces[0].source == s.current.source && pieces[0].at == at-s.current.delta
}

// fresh reports whether none of the bytes in memory was passed on before. A
// buffer that was may hold something else by now: memory is used again.
func fresh(pieces []portion) bool {
	for _, p := range pieces {
		if p.source.consumed.Common(p.extent()).Bytes > 0 {
			return false
		}
	}
	return true
}

// trace enters bytes by the memory they were written from.
func (s *sink) trace(at int64, pieces []portion, x *world.Access) {
	s.guess = nil
	for _, p := range pieces {
		l := s.current
		if l == nil || l.source != p.source || l.delta != at-p.at {
			l = s.link(p.source, at-p.at)
		}
		s.put(at, p.n, l)
		if l == nil {
			return
		}
		l.traced += p.n
		l.take(p.extent(), x)
		at += p.n
	}
	s.current.source.pace.add(x, false, true)
}

// follow enters bytes that continue a link.
func (s *sink) follow(l *link, at int64, x *world.Access) {
	e := measure.Extent{From: at - l.delta, To: at - l.delta + x.Bytes}
	if !l.source.straight(e) {
		l.crooked++
	}
	s.put(at, x.Bytes, l)
	l.take(e, x)
	l.source.pace.add(x, false, true)
}

// guess is a stretch of a sink that several sources explain. Which of them it
// was is decided in the end, from all that is known then.
type guess struct {
	links []*link // not joined yet
	out   *measure.Flow
	calls methods
}

// search finds sources of a write that neither memory nor a running link
// explains. A file that got bytes from nowhere is no copy any more: nothing is
// searched for it; a pipe may carry other things too.
func (s *sink) search(at int64, x *world.Access) {
	if g := s.guess; g != nil {
		if s.narrow(g, at, x) {
			return
		}
		s.guess = nil
	}
	var list []*link
	if s.misses <= maxMisses {
		list = s.candidates(at, x.Bytes)
	}
	switch len(list) {
	case 0:
		s.misses++
		s.unmatched += x.Bytes
		s.put(at, x.Bytes, nil)
		return
	case 1:
		if l := s.link(list[0].source, list[0].delta); l != nil {
			l.rank = max(l.rank, list[0].rank)
			s.follow(l, at, x)
		}
	default:
		s.guess = &guess{links: list, out: &measure.Flow{Light: !s.file.Listed}}
		s.guesses = append(s.guesses, s.guess)
		s.current = nil
		s.narrow(s.guess, at, x)
	}
	s.misses = 0
}

// candidates lists for each source of the process the first rule by which it
// can be the origin.
func (s *sink) candidates(at, n int64) []*link {
	var list []*link
	best := len(origins)
	for _, src := range s.by.recent {
		if src.file == s.file || src.useless || src.mapped {
			continue
		}
		for i, rule := range origins {
			if from, ok := rule(src, at, n); ok && src.read.Has(measure.Extent{From: from, To: from + n}) {
				src.hinted = true
				list = append(list, &link{source: src, sink: s, delta: at - from, rank: i})
				best = min(best, i)
				break
			}
		}
	}
	if best < passedOn { // bytes that nobody took yet come first
		list = slices.DeleteFunc(list, func(l *link) bool { return l.rank >= passedOn })
	}
	return list
}

// narrow enters bytes that continue a guess, and drops the sources that do not
// have them; false if none has.
func (s *sink) narrow(g *guess, at int64, x *world.Access) bool {
	if !slices.ContainsFunc(g.links, func(l *link) bool { return l.offers(at, x.Bytes) }) {
		return false
	}
	g.links = slices.DeleteFunc(g.links, func(l *link) bool { return !l.offers(at, x.Bytes) })
	s.put(at, x.Bytes, g.links[0])
	for _, l := range g.links {
		e := measure.Extent{From: at - l.delta, To: at - l.delta + x.Bytes}
		if !l.source.straight(e) {
			l.crooked++
		}
		l.taken.Add(e)
		l.bytes += e.Bytes()
		l.writes++
	}
	g.out.Add(x.Start, x.End, x.Bytes, false)
	g.calls.add(x)
	if len(g.links) == 1 {
		l := g.links[0]
		s.accept(g, l)
		s.guess, s.current = nil, l
		g.links = nil
	}
	return true
}

// accept decides a guess.
func (s *sink) accept(g *guess, l *link) {
	l.out, l.calls = g.out, g.calls
	l.join()
	l.source.consumed.All(&l.taken, 0)
	if len(l.source.links) > 1 {
		for _, e := range l.taken.List {
			l.readings(e)
		}
	}
}

// passedOn is the first of the origins that takes bytes a second time.
const passedOn = 5

// origins are the rules for where n bytes written at a place come from, best
// first.
var origins = []func(src *source, at, n int64) (int64, bool){
	func(src *source, at, n int64) (int64, bool) { // one of the last reads, at the same place
		e := measure.Extent{From: at, To: at + n}
		return at, slices.ContainsFunc(src.last, func(r readCall) bool { return r.Extent == e }) && !src.consumed.Has(e)
	},
	func(src *source, _, n int64) (int64, bool) { // what was read last, and only that
		e := src.latest()
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
		e := src.latest()
		return e.From, e.Bytes() == n
	},
	func(src *source, at, _ int64) (int64, bool) { return at, true }, // the same place, once more
}

func (s *source) latest() measure.Extent {
	if s.next == 0 {
		return measure.Extent{}
	}
	return s.last[(s.next-1)%maxReadings].Extent
}

// straight reports whether a write lies within one read, or consists of whole
// reads. Only the last reads are remembered; about others it says yes.
func (s *source) straight(e measure.Extent) bool {
	if r := s.latest(); r.From <= e.From && e.To <= r.To {
		return true
	}
	inside, from, to, known := false, false, false, false
	for _, r := range s.last {
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
