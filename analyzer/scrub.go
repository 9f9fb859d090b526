package analyzer

import (
	"cmp"
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"slices"
)

const (
	scrubSize  = 8 << 20   // files that are smaller are not scrubbed
	scrubJump  = 256 << 10 // shorter distances are no jumps
	scrubNear  = 64 << 10  // distance at which a stream is taken up again
	scrubJumps = 8         // that make a scrub
	scrubBytes = 32 << 10  // read per jump, in the median: less is random access to records
	maxScrubs  = 32
)

// scrub follows jumps through one file, by any process: a player that is
// dragged along, or a program that looks here and there. Several places that
// are read on by turns are streams: to go on with one is no jump.
type scrub struct {
	pid         uint32
	first, last int64
	end         int64 // of the read before
	reads       int64
	jumps       int64
	streams     []stretch // most recent last
	perJump     measure.Histogram
	distance    measure.Histogram
	firstByte   measure.Histogram
	jumpTime    measure.Histogram
	calls       measure.Histogram
}

// stretch is what was read in one go after a jump.
type stretch struct {
	end         int64 // offset
	bytes, time int64
	jumped      bool // not the first read of the file
}

// scrubStreams is how many streams are told apart.
const scrubStreams = 16

// jump follows the reads of a file that is large enough.
func (s *fileStats) jump(f *file, pid uint32, x *access) {
	if s.scrub == nil {
		if f.size < scrubSize {
			return
		}
		s.scrub = new(scrub)
	}
	s.scrub.read(pid, x.start, x.end, x.at, x.bytes)
}

func (s *scrub) read(pid uint32, start, end, at, bytes int64) {
	if bytes <= 0 || at < 0 {
		return
	}
	if s.reads == 0 {
		s.pid, s.first = pid, start
	}
	i := s.stream(at)
	x := stretch{jumped: s.reads > 0}
	switch {
	case i >= 0:
		x = s.streams[i]
		s.streams = slices.Delete(s.streams, i, i+1)
	case s.reads > 0:
		s.jumps++
		s.distance.Add(max(at-s.end, s.end-at))
		s.firstByte.Add(end - start)
	}
	if len(s.streams) == scrubStreams {
		s.close(s.streams[0])
		s.streams = slices.Delete(s.streams, 0, 1)
	}
	x.end, x.bytes, x.time = at+bytes, x.bytes+bytes, x.time+end-start
	s.streams = append(s.streams, x)
	s.reads++
	s.end, s.last = at+bytes, max(s.last, end)
	s.calls.Add(bytes)
}

// stream finds the stream that goes on at an offset: the last one, or an earlier
// one of which next to nothing is left out; -1 if there is none.
func (s *scrub) stream(at int64) int {
	near := int64(scrubJump)
	for i := len(s.streams) - 1; i >= 0; i-- {
		if away := at - s.streams[i].end; max(away, -away) < near {
			return i
		}
		near = scrubNear
	}
	return -1
}

// close ends a stretch.
func (s *scrub) close(x stretch) {
	if x.jumped {
		s.perJump.Add(x.bytes)
		s.jumpTime.Add(x.time)
	}
}

func (a *analysis) listScrubs(p *profile.Profile) {
	p.Scrubs = []profile.Scrub{}
	for _, f := range a.files.all {
		if f.stats == nil || f.stats.scrub == nil || f.size < scrubSize || f.created {
			continue // a program that jumps in a file of its own sorts or merges
		}
		s := f.stats.scrub
		for _, x := range s.streams {
			s.close(x)
		}
		s.streams = nil
		if s.jumps < scrubJumps || s.perJump.Quantile(.5) < scrubBytes {
			continue
		}
		c := f.cache()
		p.Scrubs = append(p.Scrubs, profile.Scrub{
			Path: f.path, PID: s.pid, StartNS: s.first, WallNS: s.last - s.first, Jumps: s.jumps, PerJump: s.perJump.Dist(),
			Distance: s.distance.Dist(), FirstByte: s.firstByte.Dist(), JumpTime: s.jumpTime.Dist(), Calls: s.calls.Dist(),
			DeviceBytes: c.DeviceBytes, State: c.State,
		})
	}
	slices.SortStableFunc(p.Scrubs, func(a, b profile.Scrub) int { return cmp.Compare(b.Jumps, a.Jumps) })
	p.Scrubs = p.Scrubs[:min(len(p.Scrubs), maxScrubs)]
}
