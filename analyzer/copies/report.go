package copies

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
)

// reflinking are the file systems on which two files can share data.
var reflinking = map[string]bool{"btrfs": true, "xfs": true, "ocfs2": true, "bcachefs": true, "nfs": true, "nfs4": true, "cifs": true, "zfs": true, "overlay": true, "apfs": true}

// listCopies puts the copies into the profile: in the order in which they
// began, and if there are too many, the largest.
func (a *Collector) listCopies(p *profile.Profile) {
	all := a.transfers.copies(a)
	list := make([]profile.Copy, 0, len(all))
	for i := range all {
		list = append(list, a.copy(&all[i]))
	}
	slices.SortStableFunc(list, func(a, b profile.Copy) int {
		return cmp.Or(cmp.Compare(a.StartNS, b.StartNS), cmp.Compare(a.Destination, b.Destination))
	})
	a.shareSources(list)
	p.CopyGroups = groupCopies(list)
	if len(list) > a.most {
		kept := slices.Clone(list)
		slices.SortStableFunc(kept, func(a, b profile.Copy) int {
			return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(described(&b), described(&a)))
		})
		for _, c := range kept[a.most:] {
			p.Omitted.Copies++
			p.Omitted.CopyBytes += c.Bytes
		}
		kept = kept[:a.most]
		slices.SortStableFunc(kept, func(a, b profile.Copy) int { return cmp.Compare(a.StartNS, b.StartNS) })
		list = kept
	}
	p.Copies = list
}

// described is how much of a copy's calls is known: of files that are not
// listed there are sums only.
func described(c *profile.Copy) int {
	n := 0
	if c.Read != nil {
		n++
	}
	if c.Write != nil {
		n++
	}
	return n
}

// copy describes a copy.
func (a *Collector) copy(f *found) profile.Copy {
	c := profile.Copy{
		Source: a.Files.Current(f.id, f.source), Destination: a.Files.Current(f.into, f.dest), Bytes: f.bytes + f.holes, SourceSize: max(f.source.Size, 0),
		SourceAt: f.sourceAt, DestAt: f.destAt, Evidence: f.evidence, Certainty: f.certainty, Rivals: f.rivals, Because: f.because, Via: f.via,
		Interrupted: f.interrupted,
		SizeUnknown: f.unsized, HoleBytes: f.holes, CacheHitShare: -1, ReadAmplification: -1, WriteAmplification: -1, DurableNS: profile.Unknown, DurableBytesPerS: profile.Unknown,
	}
	f.settleCertainty(&c)
	c.Method = a.method(f)
	f.processes(&c)
	c.Threads = len(c.Processes)
	f.times(&c)
	if f.to != "" {
		c.Source, c.Destination = f.from, f.to
	} else {
		c.Renamed = f.dest.Created && len(f.dest.Names) > 0
		c.SourceRemoved = f.source.Deleted && !f.source.Created
	}
	f.calling(&c)
	a.touched(f, &c)
	c.Share = 1
	if c.SourceSize > 0 && c.Bytes < c.SourceSize {
		c.Share = float64(c.Bytes) / float64(c.SourceSize)
	}
	if c.Method != "rename" && c.Method != "hardlink" {
		a.devicesOf(f, &c)
		c.BytesPerS = measure.Rate(c.Bytes, c.WallNS)
	}
	return c
}

// method names how the bytes went, by the way most of them went.
func (a *Collector) method(f *found) string {
	switch {
	case f.method == "reflink" && a.Header.OS == "darwin":
		return "clonefile"
	case f.method != "":
		return f.method
	}
	m := f.calls
	best, name := int64(0), "read_write"
	for _, c := range []struct {
		bytes int64
		name  string
	}{
		{m.clone, "reflink"}, {m.copyRange, "copy_file_range"}, {m.sendfile, "sendfile"}, {m.splice, "splice"},
		{m.uring, "io_uring"}, {m.libaio, "libaio"}, {m.positioned, "pread_pwrite"}, {m.plain, "read_write"},
	} {
		if c.bytes > best {
			best, name = c.bytes, c.name
		}
	}
	switch {
	case name == "reflink" && a.Header.OS == "darwin":
		return "clonefile"
	case name == "copy_file_range" && f.explicit && a.shared(f):
		f.because += "; no data was read or written, neither in the page cache nor on the device: the extents are shared"
		return "reflink"
	}
	return name
}

// shared reports whether copy_file_range made the destination share its data:
// the file system can do it, nothing came into the page cache, and although
// everything was written back the destination was not.
func (a *Collector) shared(f *found) bool {
	written := int64(0)
	if s := a.sums.Known(f.dest.Number); s != nil {
		written = s.written.bytes
	}
	return reflinking[f.dest.FsType] && f.dest.FsType == f.source.FsType && f.filled*20 < f.bytes && written*20 < f.bytes &&
		a.SeesRequests() && !f.dest.Deleted && a.Whole && (a.End.Durable >= 0 || f.calls.direct > 0)
}

func (f *found) processes(c *profile.Copy) {
	c.Processes = []uint32{}
	list := f.between
	if f.sink != nil && !slices.Contains(list, f.sink.by.process) {
		list = append(slices.Clone(list), f.sink.by.process)
	}
	for _, p := range list {
		c.Processes = append(c.Processes, p.PID)
	}
	if f.pid != 0 {
		c.Processes = append(c.Processes, f.pid)
	}
}

// times sets when the copy took place: from the first call on its data to the
// last.
func (f *found) times(c *profile.Copy) {
	from, to := f.at, f.until
	switch {
	case f.in != nil && f.out != nil:
		from, to = min(f.in.First, f.out.First), max(f.in.Last, f.out.Last)
	case f.in != nil:
		from, to = f.in.First, max(f.in.Last, f.until)
	case f.out != nil:
		from, to = f.out.First, f.out.Last
	}
	c.StartNS, c.WallNS = from, max(to-from, 0)
}

// calling describes the data calls.
func (f *found) calling(c *profile.Copy) {
	if f.in != nil && f.in.Count > 0 {
		c.Read = f.in.Profile(c.WallNS)
		c.DirectSource = f.src.calls.direct > f.src.calls.cached
		c.BufferBytes = f.src.buffer()
	}
	if f.out != nil && f.out.Count > 0 {
		c.Write = f.out.Profile(c.WallNS)
		c.DirectDestination = f.sink.calls.direct > f.sink.calls.cached
		if c.BufferBytes == 0 {
			c.BufferBytes = f.out.Usual()
		}
	}
	part := func(ns int64) float64 {
		if c.WallNS <= 0 {
			return 0
		}
		return float64(ns) / float64(c.WallNS)
	}
	if p := f.pace; p != nil && p.begun && f.via == "" {
		c.Threads = len(p.threads)
		think := p.think.Dist()
		c.Think = &think
		c.ReadShare, c.WriteShare = part(p.read), part(p.write)
		c.OverlapShare, c.ThinkShare = part(p.read+p.write-p.any), max(1-part(p.any), 0)
		return
	}
	if c.Read != nil {
		c.ReadShare = part(c.Read.Depth.BusyNS)
	}
	if c.Write != nil {
		c.WriteShare = part(c.Write.Depth.BusyNS)
	}
	c.OverlapShare, c.ThinkShare = -1, -1
}

// buffer is the most common length of the calls: asked of reads, moved by calls
// that name both files (they are asked for everything at once).
func (s *source) buffer() int64 {
	top := s.asked.Top(1)
	if m := s.calls; m.copyRange+m.sendfile+m.splice+m.clone > m.plain+m.positioned+m.uring+m.libaio {
		return s.detail.Usual()
	}
	if len(top) == 0 {
		return 0
	}
	return top[0].Value
}

// touched counts what else was done to the two files.
func (a *Collector) touched(f *found, c *profile.Copy) {
	for i, x := range []*world.File{f.source, f.dest} {
		s := a.sums.Known(x.Number)
		if s == nil || i == 1 && f.source == f.dest {
			continue
		}
		c.MetadataCalls += s.metaCalls
		c.MetadataNS += s.metaNS
		if i == 1 {
			c.Syncs, c.SyncNS = s.syncs, s.syncNS
			c.Preallocated, c.Sparse = s.allocated, s.holed
		}
	}
	c.Sparse = c.Sparse || f.holes > 0
	if hole := f.left(a.transfers); hole > 0 {
		c.Sparse, c.HoleBytes, c.Bytes, c.SourceAt, c.DestAt = true, hole, f.dest.Size, 0, 0
	}
}

// left is what a copy left out that became holes: the process made the file and
// gave it the size of its source, and all that was written to it is of the copy.
func (f *found) left(b *transfers) int64 {
	if f.sink == nil || f.interrupted || f.sourceAt != f.destAt || f.to != "" || !f.dest.Created || f.dest.Size != f.source.Size {
		return 0
	}
	var written measure.Ranges
	for _, s := range b.written[f.dest] {
		if s.by != f.sink.by {
			return 0
		}
		written.All(&s.written, 0)
	}
	if f.parts.Bytes > 0 && written.Bytes != f.parts.Bytes || f.sink.by.process.Present {
		return 0
	}
	return f.dest.Size - written.Bytes
}
