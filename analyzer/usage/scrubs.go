package usage

// This file finds files in which a program jumps about.

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

const (
	scrubSize  = 8 << 20   // files that are smaller are not scrubbed
	scrubJump  = 256 << 10 // shorter distances are no jumps
	scrubNear  = 64 << 10  // distance at which a stream is taken up again
	scrubJumps = 8         // that make a scrub
	scrubBytes = 32 << 10  // read per jump, in the median: less is random access to records
	maxScrubs  = 32

	fewestScrubbed = scrubJumps / 2 * scrubBytes // bytes of a file that is scrubbed
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

	cached, filled, device int64 // bytes read through the page cache, added to it meanwhile, read by the device
}

// stretch is what was read in one go after a jump.
type stretch struct {
	end         int64 // offset
	bytes, time int64
	jumped      bool // not the first read of the file
}

// scrubStreams is how many streams are told apart.
const scrubStreams = 16

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

// Scrubs follows the reads of large files that the workload did not make.
type Scrubs struct {
	files *world.Files
	by    world.Table[scrub]
	cache bool // it is told what came from memory
}

// NewScrubs returns a collector; cache says whether the recording tells what came from memory.
func NewScrubs(files *world.Files, cache bool) *Scrubs { return &Scrubs{files: files, cache: cache} }

// Data adds a read.
func (c *Scrubs) Data(x *world.Access) {
	f := x.File
	if !x.Reads {
		return
	}
	s := c.of(f)
	if s == nil {
		return
	}
	if !x.Direct() { // a call that also writes has the pages of its destination in filled
		s.cached += x.Bytes
		s.filled += x.Filled
		if x.File2 != nil {
			s.filled -= min(x.Filled, x.Bytes)
		}
	}
	if s.reads > 0 || f.Size >= scrubSize {
		s.read(x.Process.PID, x.Start, x.End, x.At, x.Bytes)
	}
}

// of is what is known of the reads of a file; nil if they are too few.
func (c *Scrubs) of(f *world.File) *scrub {
	if f.Number == 0 || f.Created || f.Weight < fewestScrubbed || !f.Data() {
		return nil // a program that jumps in a file of its own sorts or merges
	}
	return c.by.Of(f.Number)
}

// Request adds what the device read.
func (c *Scrubs) Request(e *world.Request) {
	if e.Op != trace.ReqRead || e.Error != 0 {
		return
	}
	for i := range e.Pieces {
		if s := c.of(e.Pieces[i].File); s != nil {
			s.device += e.Pieces[i].Bytes
		}
	}
}

// Finish lists the scrubs.
func (c *Scrubs) Finish(p *profile.Profile) {
	p.Scrubs = []profile.Scrub{}
	for _, f := range c.files.All {
		s := c.by.Known(f.Number)
		if s == nil || f.Size < scrubSize {
			continue
		}
		for _, x := range s.streams {
			s.close(x)
		}
		s.streams = nil
		if s.jumps < scrubJumps || s.perJump.Quantile(.5) < scrubBytes {
			continue
		}
		cache := measure.CacheOf(s.cached, s.filled, s.device, c.cache)
		p.Scrubs = append(p.Scrubs, profile.Scrub{
			Path: f.Path, PID: s.pid, StartNS: s.first, WallNS: s.last - s.first, Jumps: s.jumps, PerJump: s.perJump.Dist(),
			Distance: s.distance.Dist(), FirstByte: s.firstByte.Dist(), JumpTime: s.jumpTime.Dist(), Calls: s.calls.Dist(),
			DeviceBytes: cache.DeviceBytes, State: cache.State,
		})
	}
	sorting.Stably(p.Scrubs, func(a, b profile.Scrub) int { return cmp.Compare(b.Jumps, a.Jumps) })
	p.Scrubs = p.Scrubs[:min(len(p.Scrubs), maxScrubs)]
}
