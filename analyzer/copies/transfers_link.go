package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// link is what of a sink came from a source, Delta bytes further on.
type link struct {
	Source   *source
	Sink     *sink
	Delta    int64
	Taken    measure.Ranges // in the source
	Bytes    int64
	Traced   int64 // of those, written from the memory they were read into
	Writes   int64
	Crooked  int64         // writes that began or ended within a read and went beyond it
	Explicit bool          // one call named both files
	Mapped   bool          // the sink was written through a mapping
	Rivals   int           // other sources that fit as well
	Filled   int64         // added to the page cache by those calls
	In, Out  *measure.Flow // the calls that moved its bytes
	Calls    methods

	seen int // reads of the source that were looked at for In
}

// join makes a link one of its source and its sink. A source with a single link
// has all its reads for it.
func (l *link) join() {
	src := l.Source
	switch len(src.Links) {
	case 0:
		l.In = src.Detail
	case 1:
		src.Links[0].seen = src.next
		fallthrough
	default:
		l.In = &measure.Flow{Light: !src.File.Listed}
	}
	src.Links = append(src.Links, l)
	l.Sink.Links = append(l.Sink.Links, l)
}

// take enters bytes of a call.
func (l *link) take(e measure.Extent, x *world.Access) {
	l.Taken.Add(e)
	l.Bytes += e.Bytes()
	l.Writes++
	l.Out.Add(x.Start, x.End, e.Bytes(), false)
	l.Calls.add(x)
	l.Source.Consumed.Add(e)
	if len(l.Source.Links) > 1 {
		l.readings(e)
	}
}

// readings adds the reads that brought in an extent to the calls of one of
// several links of a source.
func (l *link) readings(e measure.Extent) {
	s := l.Source
	l.seen = max(l.seen, s.next-len(s.last))
	for i := l.seen; i < s.next; i++ {
		if r := &s.last[i%maxReadings]; r.From < e.To && e.From < r.To {
			l.In.Add(r.start, r.end, r.Bytes(), false)
			l.seen = i + 1
		}
	}
}

// offers reports whether the source has the bytes for a write, at the link's
// distance.
func (l *link) offers(at, n int64) bool { return l.Source.Read.Has(l.origin(at, n)) }

// origin is where in the source the n bytes at a place of the sink come from.
func (l *link) origin(at, n int64) measure.Extent {
	return measure.Extent{From: at - l.Delta, To: at - l.Delta + n}
}

// suppose enters bytes of a call that may have come through the link.
func (l *link) suppose(e measure.Extent) {
	if !l.Source.straight(e) {
		l.Crooked++
	}
	l.Taken.Add(e)
	l.Bytes += e.Bytes()
	l.Writes++
}

// guess is a stretch of a sink that several sources explain. Which of them it
// was is decided in the end, from all that is known then.
type guess struct {
	Links []*link // not joined yet
	out   *measure.Flow
	calls methods
}

// Accept decides a guess: it was this one.
func (g *guess) Accept(l *link) {
	l.Out, l.Calls = g.out, g.calls
	g.Links = nil
	l.join()
	l.Source.Consumed.All(&l.Taken, 0)
	if len(l.Source.Links) > 1 {
		for _, e := range l.Taken.List {
			l.readings(e)
		}
	}
}
