package copies

import (
	"cmp"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
)

// option is one answer to a guess.
type option struct {
	sink  *sink
	guess *guess
	link  *link
	score int
}

// decide answers the guesses: which of several sources a sink was written from.
// The answers that most speaks for come first, and a source that is given away
// counts less for others. Where two sources fit equally, that is noted.
func (b *transfers) decide() {
	var options []option
	for _, s := range b.sinks {
		for _, g := range s.guesses {
			b.exclude(g, s)
			for _, l := range g.links {
				options = append(options, option{s, g, l, l.score()})
			}
		}
	}
	slices.SortStableFunc(options, func(a, b option) int { return cmp.Compare(b.score, a.score) })
	given := map[*source]*measure.Ranges{} // to sinks that have no other choice
	for _, free := range []bool{true, false} {
		for _, o := range options {
			if len(o.guess.links) == 0 || free && o.link.taken.Overlaps(&o.link.source.consumed) {
				continue
			}
			o.link.rivals = o.rivals(given)
			o.sink.accept(o.guess, o.link)
			if o.link.rivals == 0 {
				if given[o.link.source] == nil {
					given[o.link.source] = new(measure.Ranges)
				}
				given[o.link.source].All(&o.link.taken, 0)
			}
			o.guess.links = nil
		}
	}
}

// exclude drops the sources that hold something else than the sink, unless that
// leaves none.
func (b *transfers) exclude(g *guess, s *sink) {
	other := func(l *link) bool {
		same, known := b.contents.same(l.source.file, s.file)
		return known && !same
	}
	if slices.ContainsFunc(g.links, func(l *link) bool { return !other(l) }) {
		g.links = slices.DeleteFunc(g.links, other)
	}
}

// rivals counts the sources that fit as well as the one that was chosen, and
// were not surely given to another sink.
func (o option) rivals(given map[*source]*measure.Ranges) int {
	n := 0
	for _, l := range o.guess.links {
		if l != o.link && l.source.file != o.link.source.file && l.score() >= o.score && (given[l.source] == nil || !l.taken.Overlaps(given[l.source])) {
			n++
		}
	}
	return n
}

// score weighs what speaks for one of several sources.
func (l *link) score() int {
	score := 0
	a, b := l.source.file, l.sink.file
	if l.taken.Bytes == l.source.read.Bytes {
		score += 8
	}
	if a.Size == b.Size {
		score += 8
	}
	if path.Base(a.Path) == path.Base(b.Path) {
		score += 4
	} else if alike(a.Path, b.Path) {
		score += 2
	}
	if l.delta == 0 {
		score++
	}
	return score
}
