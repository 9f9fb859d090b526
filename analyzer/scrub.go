package analyzer

import (
	"cmp"
	"slices"
)

const (
	scrubSize  = 8 << 20   // files that are smaller are not scrubbed
	scrubJump  = 256 << 10 // shorter distances are no jumps
	scrubJumps = 8         // that make a scrub
	scrubBytes = 32 << 10  // read per jump, in the median: less is random access to records
	maxScrubs  = 32
)

// scrub follows jumps through one file, by any process: a player that is
// dragged along, or a program that looks here and there.
type scrub struct {
	pid         uint32
	first, last int64
	end         int64 // of the read before
	reads       int64
	jumps       int64
	bytes, time int64 // since the last jump
	perJump     histogram
	distance    histogram
	firstByte   histogram
	jumpTime    histogram
	calls       histogram
}

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
	away := max(at-s.end, s.end-at)
	if s.reads > 0 && away >= scrubJump {
		s.close()
		s.jumps++
		s.distance.add(away)
		s.firstByte.add(end - start)
	}
	s.reads++
	s.end, s.last = at+bytes, max(s.last, end)
	s.bytes += bytes
	s.time += end - start
	s.calls.add(bytes)
}

// close ends what was read after a jump.
func (s *scrub) close() {
	if s.jumps > 0 {
		s.perJump.add(s.bytes)
		s.jumpTime.add(s.time)
	}
	s.bytes, s.time = 0, 0
}

func (a *analysis) listScrubs(p *Profile) {
	p.Scrubs = []Scrub{}
	for _, f := range a.files.all {
		if f.stats == nil || f.stats.scrub == nil || f.size < scrubSize {
			continue
		}
		s := f.stats.scrub
		s.close()
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
