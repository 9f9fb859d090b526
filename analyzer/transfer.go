package analyzer

import (
	"slices"

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
// This file keeps the books while the trace is read; finish.go closes them.

// maxRecent is how many sources of a process are considered for a write.
const maxRecent = 8

// maxSessions bounds the sources and the sinks that are followed.
const maxSessions = 300_000

// source is what one process read from one file: from an opening of the file
// to the next one after all was passed on.
type source struct {
	file     *file
	process  *process
	read     ranges
	consumed ranges // that was passed on
	ends     []extent
	next     int   // place in ends
	again    int64 // bytes that had been read before
	flow     flow
	asked    tally // lengths asked for
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
	written    ranges
	total      int64
	unmatched  int64 // came from nowhere that is known
	misses     int   // searches without result since the last with one
	again      int64 // bytes that had been written before
	flow       flow
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
	taken    ranges // in the source
	bytes    int64
	writes   int64
	crooked  int64 // writes that began or ended within a read and went beyond it
	explicit bool  // one call named both files
	filled   int64 // added to the page cache by those calls
	calls    methods
}

// methods counts bytes by the way in which they were moved.
type methods struct {
	plain, positioned, uring, libaio, copyRange, sendfile, splice, clone int64
	direct, cached                                                       int64
}

func (m *methods) add(x *access) {
	switch {
	case x.api == trace.APIUring:
		m.uring += x.bytes
	case x.api == trace.APILibaio || x.api == trace.APIPosixAIO:
		m.libaio += x.bytes
	case x.op == trace.OpCopyRange, x.op == trace.OpCopyfile:
		m.copyRange += x.bytes
	case x.op == trace.OpSendfile:
		m.sendfile += x.bytes
	case x.op == trace.OpSplice, x.op == trace.OpTee:
		m.splice += x.bytes
	case x.op == trace.OpClone, x.op == trace.OpCloneRange:
		m.clone += x.bytes
	case x.flags&trace.FlagPositioned != 0:
		m.positioned += x.bytes
	default:
		m.plain += x.bytes
	}
	if x.flags&(trace.FlagDirect|trace.FlagNoCache) != 0 {
		m.direct += x.bytes
	} else {
		m.cached += x.bytes
	}
}

func (m *methods) merge(o methods) {
	m.plain += o.plain
	m.positioned += o.positioned
	m.uring += o.uring
	m.libaio += o.libaio
	m.copyRange += o.copyRange
	m.sendfile += o.sendfile
	m.splice += o.splice
	m.clone += o.clone
	m.direct += o.direct
	m.cached += o.cached
}

// pace watches the calls of a transfer: what was in flight, and the pauses.
type pace struct {
	begun                  bool
	first, last            int64
	read, write, any       int64 // time with one in flight
	readEnd, writeEnd, end int64
	think                  histogram
	threads                []uint32
}

// maxPaced is how many threads of a transfer are told apart.
const maxPaced = 64

func (p *pace) add(x *access, read, write bool) {
	start, end := x.start, x.end
	if n := len(p.threads); n < maxPaced && (n == 0 || p.threads[n-1] != x.tid) && !slices.Contains(p.threads, x.tid) {
		p.threads = append(p.threads, x.tid)
	}
	if !p.begun {
		p.begun, p.first, p.last = true, start, start
		p.readEnd, p.writeEnd, p.end = start, start, start
	}
	if start > p.end {
		p.think.add(start - p.end)
	}
	if read {
		p.read += max(end-max(start, p.readEnd), 0)
		p.readEnd = max(p.readEnd, end)
	}
	if write {
		p.write += max(end-max(start, p.writeEnd), 0)
		p.writeEnd = max(p.writeEnd, end)
	}
	p.any += max(end-max(start, p.end), 0)
	p.end = max(p.end, end)
	p.last = p.end
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

// books are all transfers of a trace.
type books struct {
	sources []*source
	sinks   []*sink
	empties []*empty
	mappers []*process
	made    []maker
	streams map[*file]*channel
	full    bool // sessions were left out
}

func newTransfers() *transfers {
	return &transfers{sources: map[*file]*source{}, sinks: map[*file]*sink{}}
}

func newBooks() *books { return &books{streams: map[*file]*channel{}} }

// channel is a pipe or a socket: bytes come out of it in the order in which
// they went in.
type channel struct {
	file         *file
	given, taken int64
	writers      map[*process]int64
	readers      map[*process]int64
}

func (b *books) channel(f *file) *channel {
	c := b.streams[f]
	if c == nil {
		c = &channel{file: f, writers: map[*process]int64{}, readers: map[*process]int64{}}
		b.streams[f] = c
	}
	return c
}

// access enters a call that moved data.
func (b *books) access(x *access, p *process) {
	if x.bytes <= 0 || x.failed {
		return
	}
	from, to := x.file, x.file2
	if x.op == trace.OpWrite {
		from, to = nil, x.file
	}
	var src *source
	at := x.at
	if from != nil && (from.data() || from.stream()) {
		if from.stream() {
			c := b.channel(from)
			at = c.taken
			if x.op != trace.OpTee {
				c.taken += x.bytes
				c.readers[p] += x.bytes
			}
		}
		if at >= 0 {
			if src = b.sourceOf(p, from); src == nil {
				return
			}
			src.add(at, x)
			p.flows.latest(src)
		}
	}
	if to == nil || !(to.data() || to.stream()) {
		return
	}
	into := x.at2
	if x.op == trace.OpWrite {
		into = x.at
	}
	if to.stream() {
		c := b.channel(to)
		into = c.given
		c.given += x.bytes
		c.writers[p] += x.bytes
	}
	if into < 0 {
		return
	}
	s := b.sinkOf(p, to)
	if s == nil {
		return
	}
	if src != nil { // one call names both
		s.explicit(src, at, into, x)
		return
	}
	s.add(into, x)
}

// sourceOf is the running session of a process on a file.
func (b *books) sourceOf(p *process, f *file) *source {
	t := p.flows
	if t.source != nil && t.source.file == f && !t.source.stale {
		return t.source
	}
	s := t.sources[f]
	if s == nil || s.stale {
		if len(b.sources) >= maxSessions {
			b.full = true
			return nil
		}
		s = &source{file: f, process: p, pace: new(pace)}
		t.sources[f] = s
		b.sources = append(b.sources, s)
	}
	t.source = s
	return s
}

func (b *books) sinkOf(p *process, f *file) *sink {
	t := p.flows
	if t.sink != nil && t.sink.file == f && !t.sink.stale {
		return t.sink
	}
	s := t.sinks[f]
	if s == nil || s.stale {
		if len(b.sinks) >= maxSessions {
			b.full = true
			return nil
		}
		s = &sink{file: f, process: p}
		t.sinks[f] = s
		b.sinks = append(b.sinks, s)
	}
	t.sink = s
	return s
}

// opened begins new sessions: of a source that was passed on whole, since what
// is read now is another transfer, and of a sink that was emptied.
func (t *transfers) opened(f *file, flags trace.IOFlags) {
	if s := t.sources[f]; s != nil && len(s.links) > 0 && s.consumed.bytes >= s.read.bytes {
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
		s.remember(extent{at, at + x.bytes})
	}
	s.asked.add(x.asked)
	s.calls.add(x)
	s.flow.add(x.start, x.end, x.bytes, false)
	s.pace.add(x, true, x.file2 != nil)
}

func (s *source) remember(e extent) {
	s.again += e.bytes() - s.read.add(e)
	s.useless = s.read.scattered || !s.once()
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
	l.take(extent{from, from + x.bytes}, x)
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
	e := extent{at - l.delta, at - l.delta + x.bytes}
	if !l.source.straight(e) {
		l.crooked++
	}
	l.take(e, x)
	l.source.pace.add(x, false, true)
}

// note enters bytes whatever their origin.
func (s *sink) note(at int64, x *access) {
	if s.again == 0 && !s.written.scattered || s.explicitly {
		s.again += x.bytes - s.written.add(extent{at, at + x.bytes})
		s.useless = s.useless || s.again > 0 || s.written.scattered
	}
	s.total += x.bytes
	s.calls.add(x)
	s.flow.add(x.start, x.end, x.bytes, false)
}

func (l *link) take(e extent, x *access) {
	l.taken.add(e)
	l.bytes += x.bytes
	l.writes++
	l.calls.add(x)
	l.source.consumed.add(e)
}

// offers reports whether the source has the bytes for a write, at the link's
// distance.
func (l *link) offers(at, n int64) bool {
	return l.source.read.has(extent{at - l.delta, at - l.delta + n})
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
