package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
)

// reporter describes copies as the profile does.
type reporter struct {
	survey  *survey.Survey
	sums    *world.Table[fileSums]
	written map[*world.File][]*sink // the sessions that wrote each file
	devices *devices
}

// mostParts is how many files between are named.
const mostParts = 16

// copy describes a copy.
func (a *reporter) copy(f *judgedCopy) profile.Copy {
	c := profile.Copy{
		Source: a.survey.Files.Current(f.ID, f.Source), Destination: a.survey.Files.Current(f.Into, f.Dest),
		Bytes: f.Bytes + f.Holes, HoleBytes: f.Holes, SizeUnknown: f.Unsized, SourceSize: max(f.Source.Size, 0),
		SourceAt: f.SourceAt, DestAt: f.DestAt, Via: f.Via, Interrupted: f.Interrupted,
		Evidence: f.Evidence, Rivals: f.Rivals, Because: f.Because,
		CacheHitShare: -1, ReadAmplification: -1, WriteAmplification: -1,
		DurableNS: profile.Unknown, DurableBytesPerS: profile.Unknown,
	}
	c.Checked, c.Certainty = f.Checked, settled(f)
	c.Method = a.method(f)
	c.Processes = processes(f)
	c.Threads = len(c.Processes)
	c.StartNS, c.WallNS = span(f)
	if f.To != "" {
		c.Source, c.Destination = f.From, f.To
	} else {
		c.Renamed = f.Dest.Created && len(f.Dest.Names) > 0
		c.SourceRemoved = f.Source.Deleted && !f.Source.Created
	}
	c.PartFiles = len(f.Through)
	for _, x := range f.Through[:min(len(f.Through), mostParts)] {
		c.Parts = append(c.Parts, x.Path)
	}
	calls(f, &c)
	a.touched(f, &c)
	c.Share = 1
	if c.SourceSize > 0 && c.Bytes < c.SourceSize {
		c.Share = float64(c.Bytes) / float64(c.SourceSize)
	}
	if !c.Method.Names() {
		a.devices.describe(f, &c)
		c.BytesPerS = measure.Rate(c.Bytes, c.WallNS)
	}
	return c
}

// touched counts what else was done to the two files.
func (a *reporter) touched(f *judgedCopy, c *profile.Copy) {
	for i, x := range []*world.File{f.Source, f.Dest} {
		s := a.sums.Known(x.Number)
		if s == nil || i == 1 && f.Source == f.Dest {
			continue
		}
		c.MetadataCalls += s.metaCalls
		c.MetadataNS += s.metaNS
		if i == 1 {
			c.Syncs, c.SyncNS = s.syncs, s.syncNS
			c.Preallocated, c.Sparse = s.allocated, s.holed
		}
	}
	c.Sparse = c.Sparse || f.Holes > 0
	if hole := a.left(f); hole > 0 {
		c.Sparse, c.HoleBytes, c.Bytes, c.SourceAt, c.DestAt = true, hole, f.Dest.Size, 0, 0
	}
}

// left is what a copy left out that became holes: the process made the file and
// gave it the size of its source, and all that was written to it is of the copy.
func (a *reporter) left(f *judgedCopy) int64 {
	if f.Writer == nil || f.Interrupted || f.SourceAt != f.DestAt || f.To != "" || !f.Dest.Created ||
		f.Dest.Size != f.Source.Size {
		return 0
	}
	var written measure.Ranges
	for _, s := range a.written[f.Dest] {
		if s.By != f.Writer.By {
			return 0
		}
		written.All(&s.Written, 0)
	}
	if f.Parts.Bytes > 0 && written.Bytes != f.Parts.Bytes || f.Writer.By.Present {
		return 0
	}
	return f.Dest.Size - written.Bytes
}

// reflinking are the file systems on which two files can share data.
var reflinking = map[string]bool{
	"btrfs": true, "xfs": true, "ocfs2": true, "bcachefs": true, "nfs": true, "nfs4": true, "cifs": true, "zfs": true,
	"overlay": true, "apfs": true,
}

// method names how the bytes went, by the way most of them went.
func (a *reporter) method(f *judgedCopy) profile.Method {
	switch {
	case f.Method == profile.ByReflink && a.survey.Header.OS == "darwin":
		return profile.ByClonefile
	case f.Method != "":
		return f.Method
	}
	name := f.Calls.Most()
	switch {
	case name == profile.ByReflink && a.survey.Header.OS == "darwin":
		return profile.ByClonefile
	case name == profile.ByCopyFileRange && f.Explicit && a.shared(f):
		f.Because += "; no data was read or written, neither in the page cache nor on the device: " +
			"the extents are shared"
		return profile.ByReflink
	}
	return name
}

// shared reports whether copy_file_range made the destination share its data:
// the file system can do it, nothing came into the page cache, and although
// everything was written back the destination was not.
func (a *reporter) shared(f *judgedCopy) bool {
	written := int64(0)
	if s := a.sums.Known(f.Dest.Number); s != nil {
		written = s.written.bytes
	}
	return reflinking[f.Dest.FSType] && f.Dest.FSType == f.Source.FSType &&
		f.Filled*20 < f.Bytes && written*20 < f.Bytes &&
		a.survey.SeesRequests() && !f.Dest.Deleted && a.survey.Whole && (a.survey.End.Durable >= 0 || f.Calls.Direct > 0)
}
