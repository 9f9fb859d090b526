package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// source is what one process read from one file in one session.
type source struct {
	File     *world.File
	By       *world.Process
	ID       trace.FileID // the name it was opened by
	Read     measure.Ranges
	Consumed measure.Ranges // that was passed on
	Again    int64          // bytes that had been read before
	Flow     measure.Flow   // sums of all reads
	Detail   *measure.Flow  // all reads, until there is a second link
	Pace     *pace
	Calls    methods
	Links    []*link
	Mapped   bool // the process reads memory instead: what it reads is not seen

	fd      int32
	session int // of those that were kept in this place
	last    []readCall
	next    int           // reads so far; also the place of the next in last
	asked   measure.Tally // lengths asked for
	closed  bool
	hinted  bool // is part of a guess
	useless bool // read here and there: see Again
}

// readCall is one of the last reads of a source.
type readCall struct {
	measure.Extent
	start, end int64
}

// maxReadings is how many of the last reads of a source are remembered.
const maxReadings = 64

// add enters bytes that were read.
func (s *source) add(at int64, x *world.Access) {
	e := measure.Extent{From: at, To: at + x.Bytes}
	if !s.useless {
		s.Again += e.Bytes() - s.Read.Add(e)
		s.useless = s.Read.Scattered
	}
	r := readCall{e, x.Start, x.End}
	if len(s.last) < maxReadings {
		s.last = append(s.last, r)
	} else {
		s.last[s.next%maxReadings] = r
	}
	s.next++
	if s.Pace != nil {
		s.asked.Add(x.Asked)
	}
	s.Calls.add(x)
	s.Flow.Add(x.Start, x.End, x.Bytes, false)
	if len(s.Links) < 2 {
		s.Detail.Add(x.Start, x.End, x.Bytes, false)
	}
	s.Pace.add(x, true, x.File2 != nil)
}

// latest is what was read last.
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

// Buffer is the most common length of the calls: asked of reads, moved by calls
// that name both files (they are asked for everything at once).
func (s *source) Buffer() int64 {
	top := s.asked.Top(1)
	if s.Calls.within() {
		return s.Detail.Usual()
	}
	if len(top) == 0 {
		return 0
	}
	return top[0].Value
}
