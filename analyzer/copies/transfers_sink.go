package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// sink is what one process wrote to one file in one session.
type sink struct {
	File    *world.File
	By      *world.Process
	ID      trace.FileID // the name it was opened by
	Written measure.Ranges
	Again   int64        // bytes that had been written before, with other data
	Flow    measure.Flow // sums of all writes
	Calls   methods
	Links   []*link
	Guesses []*guess // stretches that several sources explain

	fd        int32
	unmatched int64 // came from nowhere that is known
	misses    int   // searches without result since the last with one
	current   *link
	guess     *guess // that the last writes belong to
	useless   bool   // can be no copy any more, but for calls that name both files
	failed    bool   // the last write failed
	midway    bool   // the process had the file open before, and what it had read by then is still being written
	joined    int64  // where the last of that ended
	closed    bool
}

// explicit enters a call that named source and sink.
func (s *sink) explicit(src *source, from, to int64, x *world.Access) *link {
	s.note(x)
	s.Written.Add(measure.Extent{From: to, To: to + x.Bytes})
	l := s.current
	if l == nil || l.Source != src || l.Delta != to-from {
		l = s.link(src, to-from)
	}
	if l == nil {
		return nil
	}
	l.Explicit = true
	l.Filled += x.Filled
	l.take(measure.Extent{From: from, To: from + x.Bytes}, x)
	return l
}

// note counts a write whatever its origin.
func (s *sink) note(x *world.Access) {
	s.failed = false
	s.Calls.add(x)
	s.Flow.Add(x.Start, x.End, x.Bytes, false)
}

// put enters bytes that came through a link; nil if it is not known from where.
func (s *sink) put(at, n int64, l *link) {
	if s.Again > 0 || s.Written.Scattered {
		return
	}
	over := n - s.Written.Add(measure.Extent{From: at, To: at + n})
	if over > 0 && (l == nil || !l.Taken.Has(l.origin(at, n))) {
		s.Again += over
	}
	if s.Again > 0 || s.Written.Scattered || l == nil && !s.File.Stream() {
		s.useless = true
	}
}

// maxLinks bounds the sources of one sink.
const maxLinks = 256

// link is the link of the sink to a source at a distance, a new one if need
// be; nil if there are too many.
func (s *sink) link(src *source, delta int64) *link {
	for _, l := range s.Links {
		if l.Source == src && l.Delta == delta {
			s.current = l
			return l
		}
	}
	if len(s.Links) == maxLinks {
		s.useless = true
		return nil
	}
	l := &link{Source: src, Sink: s, Delta: delta, Out: &measure.Flow{Light: !s.File.Listed}}
	l.join()
	s.current = l
	return l
}

// Clean reports whether a file got all of its bytes, each once, from known
// places. A pipe may carry other things too.
func (s *sink) Clean() bool { return s.File.Stream() || s.unmatched == 0 && s.Again == 0 && !s.useless }

// Interrupted reports whether the last write failed, or the process did not get
// so far as to close the file.
func (s *sink) Interrupted() bool { return s.failed || !s.closed && s.By.BrokenOff() }
