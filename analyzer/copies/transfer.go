package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// How copies are found. The data itself is not recorded. What is, from the best
// evidence to the poorest: a call that names both files; the memory that bytes
// were read into and written from; the order and the places of reads and writes;
// names and sizes. docs/copies.md says what each is worth.
//
// A session is what one process does to one file from an open to its close.
// This file keeps the sessions while the trace is read; found.go closes them.

// maxSessions bounds the sources and the sinks that are followed.
const maxSessions = 300_000

// source is what one process read from one file in one session.
type source struct {
	file     *world.File
	by       *actor
	fd       int32
	id       trace.FileID // the name it was opened by
	session  int          // of those that were kept in this place
	read     measure.Ranges
	consumed measure.Ranges // that was passed on
	last     []readCall
	next     int           // reads so far; also the place of the next in last
	again    int64         // bytes that had been read before
	flow     measure.Flow  // sums of all reads
	detail   *measure.Flow // all reads, until there is a second link
	asked    measure.Tally // lengths asked for
	pace     *pace
	calls    methods
	links    []*link
	closed   bool
	hinted   bool // is part of a guess
	mapped   bool // the process reads memory instead: what it reads is not seen
	useless  bool // read here and there: see once
}

// readCall is one of the last reads of a source.
type readCall struct {
	measure.Extent
	start, end int64
}

// maxReadings is how many of the last reads of a source are remembered.
const maxReadings = 64

// sink is what one process wrote to one file in one session.
type sink struct {
	file       *world.File
	by         *actor
	fd         int32
	id         trace.FileID // the name it was opened by
	written    measure.Ranges
	total      int64
	unmatched  int64        // came from nowhere that is known
	misses     int          // searches without result since the last with one
	again      int64        // bytes that had been written before, with other data
	flow       measure.Flow // sums of all writes
	calls      methods
	links      []*link
	current    *link
	guess      *guess   // several sources that explain the last writes
	guesses    []*guess // all of those
	useless    bool     // can be no copy any more, but for calls that name both files
	explicitly bool     // there were such calls
	failed     bool     // the last write failed
	midway     bool     // the process had the file open before, and what it had read by then is still being written
	joined     int64    // where the last of that ended
	closed     bool
}

// link is what of a sink came from a source, delta bytes further on.
type link struct {
	source   *source
	sink     *sink
	delta    int64
	taken    measure.Ranges // in the source
	bytes    int64
	traced   int64 // of those, written from the memory they were read into
	writes   int64
	crooked  int64         // writes that began or ended within a read and went beyond it
	explicit bool          // one call named both files
	mapped   bool          // the sink was written through a mapping
	rivals   int           // other sources that fit as well
	rank     int           // of the rule that suggested it: see origins
	filled   int64         // added to the page cache by those calls
	in, out  *measure.Flow // the calls that moved its bytes
	calls    methods
	seen     int // reads of the source that were looked at for in
}

// actor is a process that reads and writes.
type actor struct {
	process  *world.Process
	memory   buffers
	sources  map[session]*source
	sinks    map[session]*sink
	recent   []*source // the last ones read from, latest first
	mappings []mapping
	reading  []*world.File // open for reading, and nothing was read yet
	source   *source       // the last ones that were looked up
	sink     *sink
	all      []*source
	written  map[*world.File]*sink // the last session of each
	opened   map[*world.File]bool  // by a process that ran before the recording, since then
}

// session is what the running sessions of a process are found by.
type session struct {
	file *world.File
	fd   int32
}

func newActor(p *world.Process) *actor {
	return &actor{process: p, sources: map[session]*source{}, sinks: map[session]*sink{}, written: map[*world.File]*sink{}}
}

// maxRecent is how many sources of a process are considered for a write.
const maxRecent = 32

// latest moves a source to the front of the recent ones.
func (a *actor) latest(s *source) {
	if len(a.recent) > 0 && a.recent[0] == s {
		return
	}
	i := 0
	for i < len(a.recent) && a.recent[i] != s {
		i++
	}
	if i == len(a.recent) {
		if i == maxRecent {
			i--
		} else {
			a.recent = append(a.recent, nil)
		}
	}
	copy(a.recent[1:i+1], a.recent[:i])
	a.recent[0] = s
}

// add enters bytes that were read.
func (s *source) add(at int64, x *world.Access) {
	e := measure.Extent{From: at, To: at + x.Bytes}
	if !s.useless {
		s.again += e.Bytes() - s.read.Add(e)
		s.useless = s.read.Scattered
	}
	r := readCall{e, x.Start, x.End}
	if len(s.last) < maxReadings {
		s.last = append(s.last, r)
	} else {
		s.last[s.next%maxReadings] = r
	}
	s.next++
	if s.pace != nil {
		s.asked.Add(x.Asked)
	}
	s.calls.add(x)
	s.flow.Add(x.Start, x.End, x.Bytes, false)
	if len(s.links) < 2 {
		s.detail.Add(x.Start, x.End, x.Bytes, false)
	}
	s.pace.add(x, true, x.File2 != nil)
}

// explicit enters a call that named source and sink.
func (s *sink) explicit(src *source, from, to int64, x *world.Access) *link {
	s.note(x)
	s.written.Add(measure.Extent{From: to, To: to + x.Bytes})
	l := s.current
	if l == nil || l.source != src || l.delta != to-from {
		l = s.link(src, to-from)
	}
	if l == nil {
		return nil
	}
	l.explicit, s.explicitly = true, true
	l.filled += x.Filled
	l.take(measure.Extent{From: from, To: from + x.Bytes}, x)
	return l
}

// note counts a write whatever its origin.
func (s *sink) note(x *world.Access) {
	s.failed = false
	s.total += x.Bytes
	s.calls.add(x)
	s.flow.Add(x.Start, x.End, x.Bytes, false)
}

// put enters bytes that came through a link; nil if it is not known from where.
func (s *sink) put(at, n int64, l *link) {
	if s.again > 0 || s.written.Scattered {
		return
	}
	over := n - s.written.Add(measure.Extent{From: at, To: at + n})
	if over > 0 && (l == nil || !l.taken.Has(measure.Extent{From: at - l.delta, To: at - l.delta + n})) {
		s.again += over
	}
	if s.again > 0 || s.written.Scattered || l == nil && !s.file.Stream() {
		s.useless = true
	}
}

// take enters bytes of a call.
func (l *link) take(e measure.Extent, x *world.Access) {
	l.taken.Add(e)
	l.bytes += e.Bytes()
	l.writes++
	l.out.Add(x.Start, x.End, e.Bytes(), false)
	l.calls.add(x)
	l.source.consumed.Add(e)
	if len(l.source.links) > 1 {
		l.readings(e)
	}
}

// readings adds the reads that brought in an extent to the calls of one of
// several links of a source.
func (l *link) readings(e measure.Extent) {
	s := l.source
	l.seen = max(l.seen, s.next-len(s.last))
	for i := l.seen; i < s.next; i++ {
		if r := &s.last[i%maxReadings]; r.From < e.To && e.From < r.To {
			l.in.Add(r.start, r.end, r.Bytes(), false)
			l.seen = i + 1
		}
	}
}

// offers reports whether the source has the bytes for a write, at the link's
// distance.
func (l *link) offers(at, n int64) bool {
	return l.source.read.Has(measure.Extent{From: at - l.delta, To: at - l.delta + n})
}

const (
	maxLinks  = 256 // sources of one sink
	maxMisses = 64  // searches in a row that found nothing
)

// link is the link of the sink to a source at a distance, a new one if need
// be; nil if there are too many.
func (s *sink) link(src *source, delta int64) *link {
	for _, l := range s.links {
		if l.source == src && l.delta == delta {
			s.current = l
			return l
		}
	}
	if len(s.links) == maxLinks {
		s.useless = true
		return nil
	}
	l := &link{source: src, sink: s, delta: delta, out: &measure.Flow{Light: !s.file.Listed}}
	l.join()
	s.current = l
	return l
}

// join makes a link one of its source and its sink. A source with a single link
// has all its reads for it.
func (l *link) join() {
	src := l.source
	switch len(src.links) {
	case 0:
		l.in = src.detail
	case 1:
		src.links[0].seen = src.next
		fallthrough
	default:
		l.in = &measure.Flow{Light: !src.file.Listed}
	}
	src.links = append(src.links, l)
	l.sink.links = append(l.sink.links, l)
}
