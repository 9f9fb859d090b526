package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/trace"
)

// How copies are found. The data itself is not recorded, so a copy is known by
// its bookkeeping: every byte that a process writes to one file must have been
// read from one place of another file before, each byte once, at a constant
// distance, with the ends of writes where reads ended. A program that
// compresses, converts or edits breaks this within a few calls; one that maps
// every byte to another one in place (tr, a cipher) does not, and cannot be
// told from a copy.
//
// This file keeps the books while the trace is read; found.go closes them.

// maxRecent is how many sources of a process are considered for a write.
const maxRecent = 8

// maxSessions bounds the sources and the sinks that are followed.
const maxSessions = 300_000

// source is what one process read from one file: from an opening of the file
// to the next one after all was passed on.
type source struct {
	file     *file
	process  *process
	read     measure.Ranges
	consumed measure.Ranges // that was passed on
	ends     []measure.Extent
	next     int   // place in ends
	again    int64 // bytes that had been read before
	flow     measure.Flow
	asked    measure.Tally // lengths asked for
	pace     *pace
	calls    methods
	links    []*link
	stale    bool // opened again: the next read begins a new session
	useless  bool // read here and there: see once
}

// sink is what one process wrote to one file, up to the next time it emptied it.
type sink struct {
	file       *file
	process    *process
	written    measure.Ranges
	total      int64
	unmatched  int64 // came from nowhere that is known
	misses     int   // searches without result since the last with one
	again      int64 // bytes that had been written before
	flow       measure.Flow
	calls      methods
	links      []*link
	current    *link
	useless    bool // can be no copy any more, but for calls that name both files
	explicitly bool // there were such calls
	stale      bool
}

// link is what of a sink came from a source, delta bytes further on.
type link struct {
	source   *source
	sink     *sink
	delta    int64
	taken    measure.Ranges // in the source
	bytes    int64
	writes   int64
	crooked  int64 // writes that began or ended within a read and went beyond it
	explicit bool  // one call named both files
	filled   int64 // added to the page cache by those calls
}

// transfers are the books of one process.
type transfers struct {
	sources  map[*file]*source
	sinks    map[*file]*sink
	recent   []*source // the last ones read from, latest first
	mappings []mapping
	vacant   *file   // an empty file that is open for reading
	source   *source // the last ones that were looked up
	sink     *sink
}

func newTransfers() *transfers {
	return &transfers{sources: map[*file]*source{}, sinks: map[*file]*sink{}}
}

// opened begins new sessions: of a source that was passed on whole, since what
// is read now is another transfer, and of a sink that was emptied.
func (t *transfers) opened(f *file, flags trace.IOFlags) {
	if s := t.sources[f]; s != nil && len(s.links) > 0 && s.consumed.Bytes >= s.read.Bytes {
		s.stale = true
	}
	if s := t.sinks[f]; s != nil && s.total > 0 && flags&trace.FlagTrunc != 0 {
		s.stale = true
	}
}

// latest moves a source to the front of the recent ones.
func (t *transfers) latest(s *source) {
	if len(t.recent) > 0 && t.recent[0] == s {
		return
	}
	i := 0
	for i < len(t.recent) && t.recent[i] != s {
		i++
	}
	if i == len(t.recent) {
		if i == maxRecent {
			i--
		} else {
			t.recent = append(t.recent, nil)
		}
	}
	copy(t.recent[1:i+1], t.recent[:i])
	t.recent[0] = s
}

// maxEnds is how many of the last reads of a source are remembered.
const maxEnds = 64

// add enters bytes that were read.
func (s *source) add(at int64, x *access) {
	if !s.useless {
		s.remember(measure.Extent{From: at, To: at + x.bytes})
	}
	if !s.flow.Light {
		s.asked.Add(x.asked)
	}
	s.calls.add(x)
	s.flow.Add(x.start, x.end, x.bytes, false)
	s.pace.add(x, true, x.file2 != nil)
}

func (s *source) remember(e measure.Extent) {
	s.again += e.Bytes() - s.read.Add(e)
	s.useless = s.read.Scattered || !s.once()
	if len(s.ends) < maxEnds {
		s.ends = append(s.ends, e)
	} else {
		s.ends[s.next%maxEnds] = e
	}
	s.next++
}

// explicit enters a call that named source and sink.
func (s *sink) explicit(src *source, from, to int64, x *access) {
	s.note(to, x)
	l := s.current
	if l == nil || l.source != src || l.delta != to-from {
		l = s.link(src, to-from)
	}
	if l == nil {
		return
	}
	l.explicit, s.explicitly = true, true
	l.filled += x.filled
	l.take(measure.Extent{From: from, To: from + x.bytes})
}

// add enters bytes that were written, and looks for where they came from.
func (s *sink) add(at int64, x *access) {
	s.note(at, x)
	l := s.current
	if s.useless || l == nil || !l.offers(at, x.bytes) {
		if l = s.search(at, x.bytes); l == nil {
			s.unmatched += x.bytes
			s.useless = s.useless || !s.file.stream()
			return
		}
	}
	e := measure.Extent{From: at - l.delta, To: at - l.delta + x.bytes}
	if !l.source.straight(e) {
		l.crooked++
	}
	l.take(e)
	l.source.pace.add(x, false, true)
}

// note enters bytes whatever their origin.
func (s *sink) note(at int64, x *access) {
	if s.again == 0 && !s.written.Scattered || s.explicitly {
		s.again += x.bytes - s.written.Add(measure.Extent{From: at, To: at + x.bytes})
		s.useless = s.useless || s.again > 0 || s.written.Scattered
	}
	s.total += x.bytes
	s.calls.add(x)
	s.flow.Add(x.start, x.end, x.bytes, false)
}

func (l *link) take(e measure.Extent) {
	l.taken.Add(e)
	l.bytes += e.Bytes()
	l.writes++
	l.source.consumed.Add(e)
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
		if l.source == src && !l.explicit { // in a copy the distance is constant
			s.useless = true
		}
	}
	if len(s.links) == maxLinks {
		s.useless = true
		return nil
	}
	l := &link{source: src, sink: s, delta: delta}
	s.links = append(s.links, l)
	src.links = append(src.links, l)
	s.current = l
	return l
}
