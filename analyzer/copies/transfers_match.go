package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// write is bytes that a process wrote to a place of a sink, and that are to be
// found among those that it had read.
type write struct {
	by *process
	to *sink
	at int64
	x  *world.Access
}

// match enters bytes that were written, and looks for where they came from: in
// memory, or else by what was read.
func (w *write) match() {
	s := w.to
	s.note(w.x)
	if s.useless {
		w.nowhere()
		return
	}
	pieces := w.by.memory.origin(w.x.Buffer, w.x.Bytes, w.x.End)
	if s.midway && w.before(len(pieces) > 0) {
		return
	}
	follows := s.current != nil && s.current.offers(w.at, w.x.Bytes)
	switch {
	case follows && (len(pieces) == 0 || !w.agrees(pieces) && !fresh(pieces)):
		w.follow(s.current)
	case len(pieces) == 1 && (s.guess != nil || !follows && w.doubtful(&pieces[0])):
		w.search(pieces...)
	case len(pieces) > 0:
		w.trace(pieces)
	default:
		w.search()
	}
}

// doubtful reports whether something speaks against what lies in memory, at the first write of a file: the bytes were
// passed on before, or may have been, or are a part of what was read; and just as many of another file were read since,
// all that was read of it, which nobody took yet. Memory is used again, and what is copied there within a program is
// not seen.
func (w *write) doubtful(p *portion) bool {
	if p.source.File == w.to.File || p.n == p.source.Read.Bytes && !p.source.hinted && fresh([]portion{*p}) {
		return false
	}
	for _, src := range w.by.recent {
		if src == p.source { // what was read since is before it
			return false
		}
		other := src.File != w.to.File && !src.useless && !src.Mapped
		if other && src.Read.Bytes == w.x.Bytes && src.Consumed.Bytes == 0 {
			return true
		}
	}
	return false
}

// nowhere enters bytes of which it is not known where they came from.
func (w *write) nowhere() {
	w.to.unmatched += w.x.Bytes
	w.to.put(w.at, w.x.Bytes, nil)
}

// before reports whether bytes had been read when the recording joined the
// process: nothing was seen of where they came from, and nothing has to be. That
// ends with the first bytes that were read since, which have to follow.
func (w *write) before(explained bool) bool {
	s := w.to
	follows := s.joined == 0 || s.joined == w.at
	if !follows || explained || w.x.Buffer == 0 && len(w.candidates()) > 0 {
		s.midway = false
		s.useless = s.useless || !follows
		return false
	}
	s.joined = w.at + w.x.Bytes
	return true
}

// agrees reports whether memory says the same as the running link.
func (w *write) agrees(pieces []portion) bool {
	l := w.to.current
	return len(pieces) == 1 && pieces[0].source == l.Source && pieces[0].at == w.at-l.Delta
}

// fresh reports whether none of the bytes in memory was passed on before. A
// buffer that was may hold something else by now: memory is used again.
func fresh(pieces []portion) bool {
	return !slices.ContainsFunc(pieces, func(p portion) bool { return p.source.Consumed.Common(p.extent()).Bytes > 0 })
}

// trace enters bytes by the memory they were written from.
func (w *write) trace(pieces []portion) {
	s, at := w.to, w.at
	s.guess = nil
	for _, p := range pieces {
		l := s.current
		if l == nil || l.Source != p.source || l.Delta != at-p.at {
			l = s.link(p.source, at-p.at)
		}
		s.put(at, p.n, l)
		if l == nil {
			return
		}
		l.Traced += p.n
		l.take(p.extent(), w.x)
		at += p.n
	}
	s.current.Source.Pace.add(w.x, false, true)
}

// follow enters bytes that continue a link.
func (w *write) follow(l *link) {
	e := l.origin(w.at, w.x.Bytes)
	if !l.Source.straight(e) {
		l.Crooked++
	}
	w.to.put(w.at, w.x.Bytes, l)
	l.take(e, w.x)
	l.Source.Pace.add(w.x, false, true)
}

// maxMisses is how many searches in a row may find nothing.
const maxMisses = 64

// search finds sources of a write that neither memory nor a running link
// explains, or of one that what lies in memory explains no better than others. A
// file that got bytes from nowhere is no copy any more: nothing is searched for it;
// a pipe may carry other things too.
func (w *write) search(memory ...portion) {
	s := w.to
	if g := s.guess; g != nil {
		if w.narrow(g, memory) {
			return
		}
		s.guess = nil
	}
	var list []candidate
	if s.misses <= maxMisses {
		list = w.candidates()
	}
	for _, p := range memory {
		list = w.with(list, p)
	}
	switch len(list) {
	case 0:
		s.misses++
		w.nowhere()
		return
	case 1:
		if l := s.link(list[0].source, list[0].delta); l != nil {
			w.follow(l)
		}
	default:
		links := make([]*link, len(list))
		for i, c := range list {
			links[i] = &link{Source: c.source, Sink: s, Delta: c.delta}
		}
		s.guess = &guess{Links: links, out: &measure.Flow{Light: !s.File.Listed}}
		s.Guesses = append(s.Guesses, s.guess)
		s.current = nil
		w.narrow(s.guess, memory)
	}
	s.misses = 0
}

// candidate is a source that a write may have its bytes from, by which rule, and how far they were moved.
type candidate struct {
	source *source
	delta  int64
	rank   int
}

// candidates lists for each source of the process the first rule by which it can be the origin. The list is that of the
// next write, too.
func (w *write) candidates() []candidate {
	list, best := w.by.candidates[:0], len(origins)
	for _, src := range w.by.recent {
		if src.File == w.to.File || src.useless || src.Mapped {
			continue
		}
		if from, rank, ok := originIn(src, w.at, w.x.Bytes); ok {
			src.hinted = true
			list = append(list, candidate{src, w.at - from, rank})
			best = min(best, rank)
		}
	}
	if best < passedOn { // bytes that nobody took yet come first
		list = slices.DeleteFunc(list, func(c candidate) bool { return c.rank >= passedOn })
	}
	w.by.candidates = list
	return list
}

// with adds to candidates what lies in memory.
func (w *write) with(list []candidate, p portion) []candidate {
	if slices.ContainsFunc(list, func(c candidate) bool { return c.source == p.source && c.delta == w.at-p.at }) {
		return list
	}
	p.source.hinted = true
	return append(list, candidate{source: p.source, delta: w.at - p.at})
}

// narrow enters bytes that continue a guess, and drops the sources that do not
// have them; false if none has.
func (w *write) narrow(g *guess, memory []portion) bool {
	at, n := w.at, w.x.Bytes
	if !slices.ContainsFunc(g.Links, func(l *link) bool { return l.offers(at, n) }) {
		return false
	}
	g.Links = slices.DeleteFunc(g.Links, func(l *link) bool { return !l.offers(at, n) })
	w.to.put(at, n, g.Links[0])
	for _, l := range g.Links {
		l.suppose(l.origin(at, n))
		if len(memory) == 1 && memory[0].source == l.Source && memory[0].at == at-l.Delta {
			l.Traced += n
		}
	}
	g.out.Add(w.x.Start, w.x.End, n, false)
	g.calls.add(w.x)
	if len(g.Links) == 1 {
		l := g.Links[0]
		g.Accept(l)
		w.to.guess, w.to.current = nil, l
	}
	return true
}
