package copies

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// blocks is where in a file the devices read and wrote, and when: a part of a
// file has device bytes of its own.
type blocks struct{ read, written []blockIO }

// blockIO is what one request, or several that followed each other, moved.
type blockIO struct {
	measure.Extent
	bytes             int64
	issued, completed int64
}

const (
	maxBlocks      = 1024   // of a file and direction; then neighbours are joined
	maxBlockedFile = 20_000 // files that are followed
)

// request enters what a device moved of a file.
func (b *transfers) request(e *trace.Request, f *world.File, at, n int64) {
	if at < 0 || n <= 0 || e.Op != trace.ReqRead && e.Op != trace.ReqWrite {
		return
	}
	d := b.devices[f]
	if d == nil {
		if len(b.devices) >= maxBlockedFile {
			return
		}
		d = new(blocks)
		b.devices[f] = d
	}
	list := &d.read
	if e.Op == trace.ReqWrite {
		list = &d.written
	}
	*list = append(*list, blockIO{measure.Extent{From: at, To: at + n}, n, e.Issued, e.Completed})
	if len(*list) > maxBlocks {
		*list = joinBlocks(*list)
	}
}

// joinBlocks halves a list: each block is joined with the next.
func joinBlocks(list []blockIO) []blockIO {
	slices.SortFunc(list, func(a, b blockIO) int { return cmp.Compare(a.From, b.From) })
	for i := 0; i+1 < len(list); i += 2 {
		a, b := list[i], list[i+1]
		list[i/2] = blockIO{measure.Extent{From: a.From, To: max(a.To, b.To)}, a.bytes + b.bytes, min(a.issued, b.issued), max(a.completed, b.completed)}
	}
	return list[:len(list)/2]
}

// within sums up what was moved of a part of the file.
func within(list []blockIO, part *measure.Ranges, delta int64) (all measure.Flow) {
	for _, x := range list {
		common := part.Common(measure.Extent{From: x.From - delta, To: x.To - delta})
		if x.Extent.Bytes() > 0 && common.Bytes > 0 {
			all.Light = true
			all.Add(x.issued, x.completed, x.bytes*common.Bytes/x.Extent.Bytes(), false)
		}
	}
	return all
}

// devicesOf adds what the devices did for the copy, and when it was durable.
func (a *Collector) devicesOf(f *found, c *profile.Copy) {
	if !a.SeesRequests() {
		return
	}
	in, out := a.moved(f, c.WallNS)
	if in != nil {
		c.DeviceRead, c.DeviceReadBytes = in.flow, in.bytes
	}
	if out != nil {
		c.DeviceWrite, c.DeviceWriteBytes = out.flow, out.bytes
	}
	if c.Bytes > 0 && !world.InMemory[f.source.FsType] {
		c.CacheHitShare = max(1-float64(c.DeviceReadBytes)/float64(c.Bytes), 0)
		c.ReadAmplification = float64(c.DeviceReadBytes) / float64(c.Bytes)
	}
	if c.Bytes > 0 {
		c.WriteAmplification = float64(c.DeviceWriteBytes) / float64(c.Bytes)
	}
	a.durable(f, c, out)
}

// moved is what the devices read of the source and wrote of the destination.
// Of a copy of a part it is what belongs to the part.
func (a *Collector) moved(f *found, wall int64) (in, out *share) {
	if s := a.sums.Known(f.source.Number); s != nil {
		in = entire(s.read, a.listedFile(f.source).DeviceRead, wall)
	}
	if s := a.sums.Known(f.dest.Number); s != nil {
		out = entire(s.written, a.listedFile(f.dest).DeviceWrite, wall)
	}
	if f.parts.Bytes == 0 || f.holes > 0 {
		return in, out
	}
	if d := a.transfers.devices[f.source]; d != nil && in != nil && f.parts.Bytes < f.source.Size {
		some := within(d.read, &f.parts, 0)
		in = partial(&some, wall)
	}
	if d := a.transfers.devices[f.dest]; d != nil && out != nil && f.parts.Bytes < f.dest.Size {
		some := within(d.written, &f.parts, f.destAt-f.sourceAt)
		out = partial(&some, wall)
	}
	return in, out
}

// durable finds when the last byte of the destination was on the device: at
// the end of its last write request, if everything was written back, and not
// only after the data had been replaced.
func (a *Collector) durable(f *found, c *profile.Copy, out *share) {
	drained := a.Whole && a.End.Durable >= 0
	end := c.StartNS + c.WallNS
	switch {
	case f.unsized, world.InMemory[f.dest.FsType], !drained && (out == nil || out.bytes < c.Bytes-c.HoleBytes):
		return
	case a.replaced(f):
		c.Marks = measure.Union(c.Marks, []string{"replaced"})
		return
	case out != nil && out.count > 0:
		end = max(end, out.last)
		if n := c.Bytes - c.HoleBytes - out.bytes; n >= maxInline && !compresses[f.dest.FsType] && c.Method != "reflink" && c.Method != "clonefile" {
			a.missing = append(a.missing, fmt.Sprintf("%s (%d of %d bytes)", c.Destination, out.bytes, c.Bytes-c.HoleBytes))
			c.Marks = measure.Union(c.Marks, []string{"device_bytes_missing"})
		}
	case c.Bytes > 0:
		end = max(end, a.End.Durable) // shared, inline, or in metadata: not seen by itself
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
func (a *Collector) replaced(f *found) bool {
	if f.out == nil || f.sink == nil {
		return false
	}
	var dest measure.Ranges
	dest.All(&f.parts, f.destAt-f.sourceAt)
	for _, s := range a.transfers.written[f.dest] {
		if s == f.sink || s.flow.First < f.out.Last || !s.written.Overlaps(&dest) {
			continue
		}
		d := a.transfers.devices[f.dest]
		if d == nil {
			return true
		}
		both := s.written
		for _, e := range dest.List {
			common := both.Common(e)
			before := within(slices.DeleteFunc(slices.Clone(d.written), func(x blockIO) bool { return x.issued > s.flow.First }), &common, 0)
			if before.Bytes < common.Bytes {
				return true
			}
		}
	}
	return false
}

// shareSources corrects copies of one source: what the device read for the
// first one was in memory for the others.
func (a *Collector) shareSources(list []profile.Copy) {
	first := map[string]int{}
	for i := range list {
		c := &list[i]
		if c.DeviceRead == nil {
			continue
		}
		j, again := first[c.Source]
		if !again {
			first[c.Source] = i
			continue
		}
		o := &list[j]
		if c.StartNS >= o.StartNS+o.WallNS && c.DeviceRead.LastNS < c.StartNS {
			c.DeviceRead, c.DeviceReadBytes, c.ReadAmplification, c.CacheHitShare = nil, 0, 0, 1
			continue
		}
		for _, x := range []*profile.Copy{c, o} {
			x.Marks = measure.Union(x.Marks, []string{"shared_source"})
		}
	}
}

// warnOfMissing says which copies are called durable although the devices wrote
// less than they hold.
func (a *Collector) warnOfMissing(p *profile.Profile) {
	if n := len(a.missing); n > 0 {
		p.Warnings = append(p.Warnings, profile.Warning{
			Code: "device_bytes_missing", Count: uint64(n),
			Text: fmt.Sprintf("The devices wrote fewer bytes than were copied to %s, which has no holes: requests are missing from the recording, "+
				"or were sent on by a kernel worker and count as those of others, as where a limit holds them back. Durable times of %s may be too early. "+
				"Record again, without limits.", a.missing[0], wording.Plural(int64(n), "copy", "copies")),
		})
	}
}
