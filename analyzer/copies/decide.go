package copies

import (
	"cmp"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/internal/sorting"
)

// option is one answer to a guess.
type option struct {
	guess *guess
	link  *link
	score int
}

// decide answers the guesses: which of several sources a sink was written from.
// The answers that most speaks for come first, and a source that is given away
// counts less for others. Where two sources fit equally, that is noted.
func (j *judge) decide() {
	var options []option
	for _, s := range j.Sinks {
		for _, g := range s.Guesses {
			j.contents.exclude(g, s)
			for _, l := range g.Links {
				options = append(options, option{g, l, score(l)})
			}
		}
	}
	sorting.Stably(options, func(a, b option) int { return cmp.Compare(b.score, a.score) })
	given := map[*source]*measure.Ranges{} // to sinks that have no other choice
	for _, free := range []bool{true, false} {
		for _, o := range options {
			if len(o.guess.Links) == 0 || free && o.link.Taken.Overlaps(&o.link.Source.Consumed) {
				continue
			}
			o.link.Rivals = o.rivals(given)
			o.guess.Accept(o.link)
			if o.link.Rivals == 0 {
				if given[o.link.Source] == nil {
					given[o.link.Source] = new(measure.Ranges)
				}
				given[o.link.Source].All(&o.link.Taken, 0)
			}
		}
	}
}

// exclude drops the sources that hold something else than the sink, unless that
// leaves none.
func (c contents) exclude(g *guess, s *sink) {
	other := func(l *link) bool {
		same, known := c.same(l.Source.File, s.File)
		return known && !same
	}
	if slices.ContainsFunc(g.Links, func(l *link) bool { return !other(l) }) {
		g.Links = slices.DeleteFunc(g.Links, other)
	}
}

// rivals counts the sources that fit as well as the one that was chosen, and
// were not surely given to another sink.
func (o option) rivals(given map[*source]*measure.Ranges) int {
	n := 0
	for _, l := range o.guess.Links {
		if l == o.link || l.Source.File == o.link.Source.File || score(l) < o.score {
			continue
		}
		if given[l.Source] == nil || !l.Taken.Overlaps(given[l.Source]) {
			n++
		}
	}
	return n
}

// score weighs what speaks for one of several sources.
func score(l *link) int {
	n := 0
	a, b := l.Source.File, l.Sink.File
	if l.Taken.Bytes == l.Source.Read.Bytes {
		n += 8
	}
	if a.Size == b.Size {
		n += 8
	}
	if path.Base(a.Path) == path.Base(b.Path) {
		n += 4
	} else if alike(a.Path, b.Path) {
		n += 2
	}
	if l.Delta == 0 {
		n++
	}
	if l.Traced > 0 { // which has been passed on before
		n++
	}
	return n
}
