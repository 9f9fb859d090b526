package copies

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/copies/evidence"
	"github.com/iotrace/iotrace/analyzer/copies/transfers"
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/analyzer/world"
)

// devices says what the devices did for a copy.
type devices struct {
	survey  *survey.Survey
	listed  map[int]*profile.File // by number
	sums    *world.Table[fileSums]
	blocks  blocks
	written map[*world.File][]*transfers.Sink // the sessions that wrote each file
	missing []string                          // copies of which the devices wrote too little
}

// file is what the profile says of a file; nothing if it is not listed.
func (d *devices) file(f *world.File) *profile.File {
	if p := d.listed[f.Number]; p != nil {
		return p
	}
	return &profile.File{}
}

// describe adds what the devices did for the copy, and when it was durable.
func (d *devices) describe(f *evidence.Copy, c *profile.Copy) {
	if !d.survey.SeesRequests() {
		return
	}
	in, out := d.moved(f, c.WallNS)
	if in != nil {
		c.DeviceRead, c.DeviceReadBytes = in.flow, in.bytes
	}
	if out != nil {
		c.DeviceWrite, c.DeviceWriteBytes = out.flow, out.bytes
	}
	if c.Bytes > 0 && !world.InMemory[f.Source.FsType] {
		c.CacheHitShare = max(1-float64(c.DeviceReadBytes)/float64(c.Bytes), 0)
		c.ReadAmplification = float64(c.DeviceReadBytes) / float64(c.Bytes)
	}
	if c.Bytes > 0 {
		c.WriteAmplification = float64(c.DeviceWriteBytes) / float64(c.Bytes)
	}
	d.durable(f, c, out)
}

// moved is what the devices read of the source and wrote of the destination.
// Of a copy of a part it is what belongs to the part.
func (d *devices) moved(f *evidence.Copy, wall int64) (in, out *share) {
	if s := d.sums.Known(f.Source.Number); s != nil {
		in = entire(s.read, d.file(f.Source).DeviceRead, wall)
	}
	if s := d.sums.Known(f.Dest.Number); s != nil {
		out = entire(s.written, d.file(f.Dest).DeviceWrite, wall)
	}
	if f.Parts.Bytes == 0 || f.Holes > 0 {
		return in, out
	}
	if b := d.blocks[f.Source]; b != nil && in != nil && f.Parts.Bytes < f.Source.Size {
		some := within(b.read, &f.Parts, 0)
		in = partial(&some, wall)
	}
	if b := d.blocks[f.Dest]; b != nil && out != nil && f.Parts.Bytes < f.Dest.Size {
		some := within(b.written, &f.Parts, f.DestAt-f.SourceAt)
		out = partial(&some, wall)
	}
	return in, out
}

// durable finds when the last byte of the destination was on the device: at
// the end of its last write request, if everything was written back, and not
// only after the data had been replaced.
func (d *devices) durable(f *evidence.Copy, c *profile.Copy, out *share) {
	drained := d.survey.Whole && d.survey.End.Durable >= 0
	end := c.StartNS + c.WallNS
	switch {
	case f.Unsized, world.InMemory[f.Dest.FsType], !drained && (out == nil || out.bytes < c.Bytes-c.HoleBytes):
		return
	case d.replaced(f):
		c.Marks = measure.Union(c.Marks, []string{"replaced"})
		return
	case out != nil && out.count > 0:
		end = max(end, out.last)
		shared := c.Method == "reflink" || c.Method == "clonefile"
		if n := c.Bytes - c.HoleBytes - out.bytes; n >= maxInline && !compresses[f.Dest.FsType] && !shared {
			d.missing = append(d.missing, fmt.Sprintf("%s (%d of %d bytes)", c.Destination, out.bytes, c.Bytes-c.HoleBytes))
			c.Marks = measure.Union(c.Marks, []string{"device_bytes_missing"})
		}
	case c.Bytes > 0:
		end = max(end, d.survey.End.Durable) // shared, inline, or in metadata: not seen by itself
	}
	c.DurableNS = end - c.StartNS
	c.DurableBytesPerS = measure.Rate(c.Bytes, c.DurableNS)
}

// maxInline is how much of a file may lie in metadata, or in a page that several
// requests share.
const maxInline = 64 << 10

// compresses are the file systems that can write fewer bytes than a file has.
var compresses = map[string]bool{
	"btrfs": true, "zfs": true, "bcachefs": true, "f2fs": true, "ntfs": true, "ntfs3": true, "apfs": true, "overlay": true,
}

// replaced reports whether the data was overwritten before it was on the device:
// somebody wrote the same place afterwards, and the device only after that.
func (d *devices) replaced(f *evidence.Copy) bool {
	if f.Out == nil || f.Writer == nil {
		return false
	}
	var dest measure.Ranges
	dest.All(&f.Parts, f.DestAt-f.SourceAt)
	for _, s := range d.written[f.Dest] {
		if s == f.Writer || s.Flow.First < f.Out.Last || !s.Written.Overlaps(&dest) {
			continue
		}
		b := d.blocks[f.Dest]
		if b == nil {
			return true
		}
		issued := slices.DeleteFunc(slices.Clone(b.written), func(x blockIO) bool { return x.issued > s.Flow.First })
		for _, e := range dest.List {
			common := s.Written.Common(e)
			if before := within(issued, &common, 0); before.Bytes < common.Bytes {
				return true
			}
		}
	}
	return false
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
				d.missing[0], wording.Plural(int64(n), "copy", "copies")),
		})
	}
}
