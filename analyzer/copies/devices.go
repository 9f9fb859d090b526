package copies

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// devices says what the devices did for a copy.
type devices struct {
	survey  *survey.Survey
	allSafe int64                 // when all that the workload wrote was
	listed  map[int]*profile.File // by number
	sums    *world.Table[fileSums]
	blocks  *blocks
	safety  *safety
	written map[*world.File][]*sink // the sessions that wrote each file, by their first write
	missing []string                // copies of which the devices wrote too little
}

// file is what the profile says of a file; nothing if it is not listed.
func (d *devices) file(f *world.File) *profile.File {
	if p := d.listed[f.Number]; p != nil {
		return p
	}
	return &profile.File{}
}

// describe adds what the devices did for the copy, and when it was durable.
func (d *devices) describe(f *judgedCopy, c *profile.Copy) {
	if !d.survey.SeesRequestFiles() {
		return
	}
	t := d.turn(f)
	in, out := d.fetched(f, c.WallNS), (*share)(nil)
	unknown := t != always && !d.placed(f.Dest) // which requests were those of the copy
	if !unknown {
		out = d.stored(f, c.WallNS, t)
	}
	if in != nil {
		c.DeviceRead, c.DeviceReadBytes = in.flow, in.bytes
	}
	if out != nil {
		c.DeviceWrite, c.DeviceWriteBytes = out.flow, out.bytes
	}
	if c.Bytes > 0 && !trace.InMemory(f.Source.FSType) {
		c.CacheHitShare = max(1-float64(c.DeviceReadBytes)/float64(c.Bytes), 0)
		c.ReadAmplification = float64(c.DeviceReadBytes) / float64(c.Bytes)
	}
	if unknown {
		return
	}
	if c.Bytes > 0 {
		c.WriteAmplification = float64(c.DeviceWriteBytes) / float64(c.Bytes)
	}
	d.durable(f, c, out, t)
}

// placed reports whether it is known of all that the devices wrote of a file where and when it was.
func (d *devices) placed(f *world.File) bool {
	s, list := d.sums.Known(f.Number), d.blocks.written(f)
	return s == nil || s.written.count == 0 || list != nil && !list.joined && list.bytes == s.written.bytes
}

// fetched is what the devices read of the source: of a copy of a part what belongs to the part. nil
// if there was nothing.
func (d *devices) fetched(f *judgedCopy, wall int64) *share {
	s := d.sums.Known(f.Source.Number)
	if s == nil || s.read.count == 0 {
		return nil
	}
	list := d.blocks.read(f.Source)
	if f.Parts.Bytes == 0 || f.Holes > 0 || f.Parts.Bytes >= f.Source.Size || list == nil {
		return entire(s.read, d.file(f.Source).DeviceRead, wall)
	}
	some := list.within(&f.Parts, 0, always)
	return partial(&some, wall)
}

// stored is what the devices wrote of the destination, in the time in which the copy had its place:
// of a copy of a part what belongs to the part. nil if there was nothing.
func (d *devices) stored(f *judgedCopy, wall int64, t turn) *share {
	s := d.sums.Known(f.Dest.Number)
	if s == nil || s.written.count == 0 {
		return nil
	}
	list := d.blocks.written(f.Dest)
	if f.Parts.Bytes == 0 || t == always && (f.Holes > 0 || f.Parts.Bytes >= f.Dest.Size) || list == nil {
		return entire(s.written, d.file(f.Dest).DeviceWrite, wall)
	}
	some := list.within(&f.Parts, f.DestAt-f.SourceAt, t)
	return partial(&some, wall)
}

// durable finds when the destination was safe, and not only after its data had been replaced: when the first sync
// returned that began after all of it was written, or at the latest when all that the workload wrote was. That a device
// has written it is not enough: it may lie in the device's cache, and what says where it lies in memory.
func (d *devices) durable(f *judgedCopy, c *profile.Copy, out *share, t turn) {
	written := c.StartNS + c.WallNS
	safe := d.safety.of(f.Dest, c.StartNS, written)
	if end := d.allSafe; end >= 0 && d.survey.End.Durable >= written && (safe == 0 || end < safe) {
		safe = max(end, written)
	}
	wrote := out != nil && out.count > 0
	switch {
	case f.Unsized, safe == 0, d.survey.Unflushed(f.Dest), trace.InMemory(f.Dest.FSType),
		trace.ByProcess(f.Dest.FSType) && !wrote:
		return
	case safe > t.to:
		c.Marks = measure.Union(c.Marks, []string{"replaced"})
		return
	case wrote:
		shared := c.Method.Clones()
		if n := c.Bytes - c.HoleBytes - out.bytes; n >= maxInline && !fewer(f.Dest.FSType) && !shared {
			d.missing = append(d.missing, fmt.Sprintf("%s (%d of %d bytes)", c.Destination, out.bytes, c.Bytes-c.HoleBytes))
			c.Marks = measure.Union(c.Marks, []string{"device_bytes_missing"})
		}
	}
	c.DurableNS = safe - c.StartNS
	c.DurableBytesPerS = measure.Rate(c.Bytes, c.DurableNS)
}

// maxInline is how much of a file may lie in metadata, or in a page that several
// requests share.
const maxInline = 64 << 10

// fewer reports whether a file system may write fewer bytes than a file has: one that can compress, one whose files
// may be compressed by other programs, and an overlay, which may lie on either.
func fewer(fsType string) bool {
	return trace.Compresses(fsType) || fsType == "ntfs" || fsType == "apfs" || fsType == "overlay"
}

// warn says which copies are called durable although the devices wrote
// less than they hold.
func (d *devices) warn(p *profile.Profile) {
	if n := len(d.missing); n > 0 {
		p.Warnings = append(p.Warnings, profile.Warning{
			Code: "device_bytes_missing", Count: uint64(n),
			Text: fmt.Sprintf("The devices wrote fewer bytes than were copied to %s, which has no holes: "+
				"requests are missing from the recording, or were sent on by a kernel worker and count as those of others, "+
				"as where a limit holds them back. Durable times of %s may be too early. Record again, without limits.",
				d.missing[0], unit.Things(int64(n), "copy")),
		})
	}
}
