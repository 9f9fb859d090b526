package analyzer

import (
	"cmp"
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
	perJump     histogram
	distance    histogram
	firstByte   histogram
	jumpTime    histogram
	calls       histogram
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
		s.distance.add(max(at-s.end, s.end-at))
		s.firstByte.add(end - start)
	}
	if len(s.streams) == scrubStreams {
		s.close(s.streams[0])
		s.streams = slices.Delete(s.streams, 0, 1)
	}
	x.end, x.bytes, x.time = at+bytes, x.bytes+bytes, x.time+end-start
	s.streams = append(s.streams, x)
	s.reads++
	s.end, s.last = at+bytes, max(s.last, end)
	s.calls.add(bytes)
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
		s.perJump.add(x.bytes)
		s.jumpTime.add(x.time)
	}
}

func (a *analysis) listScrubs(p *Profile) {
	p.Scrubs = []Scrub{}
	for _, f := range a.files.all {
		if f.stats == nil || f.stats.scrub == nil || f.size < scrubSize || f.created {
			continue // a program that jumps in a file of its own sorts or merges
		}
		s := f.stats.scrub
		for _, x := range s.streams {
			s.close(x)
		}
		s.streams = nil
		if s.jumps < scrubJumps || s.perJump.quantile(.5) < scrubBytes {
			continue
		}
		c := f.cache()
		p.Scrubs = append(p.Scrubs, Scrub{
			Path: f.path, PID: s.pid, StartNS: s.first, WallNS: s.last - s.first, Jumps: s.jumps, PerJump: s.perJump.dist(),
			Distance: s.distance.dist(), FirstByte: s.firstByte.dist(), JumpTime: s.jumpTime.dist(), Calls: s.calls.dist(),
			DeviceBytes: c.DeviceBytes, State: c.State,
		})
	}
	slices.SortStableFunc(p.Scrubs, func(a, b Scrub) int { return cmp.Compare(b.Jumps, a.Jumps) })
	p.Scrubs = p.Scrubs[:min(len(p.Scrubs), maxScrubs)]
}
