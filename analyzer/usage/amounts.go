package usage

import (
	"math/bits"
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Amounts gathers what was moved of each file, and by each device. Every byte of every request has one reason: those
// of requests without a file are known when they pass, those of files when all calls have been seen.
type Amounts struct {
	devices  *world.Devices
	files    *world.Files
	calls    []string
	told     bool // the recording tells which files requests are of
	pages    *pages
	uppers   []string // directories that overlays write to, with a slash behind
	used     world.Table[fileAmounts]
	all      []*fileAmounts
	requests world.Table[deviceAmounts]
	packed   packedReads
	end      *trace.End
	copied   copyUps
	named    uint64 // devices of which requests name files, a bit for each of the first 64
	drop     bool   // the page cache was dropped
}

// deviceAmounts is what was moved of no file.
type deviceAmounts struct {
	bytes [2]int64
	parts [2]parts
	other [2]int64 // of requests that are not the workload's, and of parts of a journal's
	freed int64    // that the device was told are free again
	changed
}

// NewAmounts returns a collector for a trace that was read once.
func NewAmounts(s *survey.Survey) *Amounts {
	c := &Amounts{devices: s.Devices, files: s.Files, calls: s.Header.Calls, told: s.SeesRequestFiles(),
		end: &s.End, pages: newPages(), packed: newPackedReads(), copied: newCopyUps()}
	c.named = s.Files.Rest.SeenAt
	for _, f := range s.Files.All {
		c.named |= f.SeenAt
	}
	for i := range s.End.Mounts {
		m := &s.End.Mounts[i]
		for _, option := range []string{"upperdir", "workdir"} { // a copy is made in workdir, and moved from there
			if dir := trace.OptionValue(m.Options, option); dir != "" && m.FSType == "overlay" {
				c.uppers = append(c.uppers, dir+"/")
			}
		}
	}
	return c
}

func ones(mask uint64) int64 { return int64(bits.OnesCount64(mask)) * pageBytes }

func (c *Amounts) of(f *world.File) *fileAmounts {
	s := c.used.Known(f.Number)
	if s == nil {
		s = &fileAmounts{File: f}
		s.upper = slices.ContainsFunc(c.uppers, func(dir string) bool { return strings.HasPrefix(f.Path, dir) })
		c.used.Set(f.Number, s)
		c.all = append(c.all, s)
	}
	return s
}

// Data adds a call, or an asynchronous operation, on files that hold data.
func (c *Amounts) Data(x *world.Access) {
	if x.Reads {
		c.of(x.File).access(c.pages, x, x.At, reading)
		c.unpacks(x.File, x.TID, x.Start, x.End, false)
	}
	if out, at := x.Out(); x.Writes {
		c.of(out).access(c.pages, x, at, writing)
	}
}

// writable are the flags of a mapping through which a file can be written.
const writable = trace.FlagShared | trace.FlagWrite

// Advice of posix_fadvise that the pages of a file are not needed any more.
const dontNeed = 4

// NoData notes what makes a device read or write what no call moves.
func (c *Amounts) NoData(e *world.Call) {
	if e.File == nil || e.Result < 0 {
		return
	}
	c.copied.begins(e)
	if !e.File.Data() {
		return
	}
	switch e.Op {
	case trace.OpMmap:
		f := c.of(e.File)
		c.unpacks(e.File, e.TID, e.Start, e.End(), true)
		f.mapped = true
		f.mappedToWrite = f.mappedToWrite || e.Flags&writable == writable
	case trace.OpTruncate, trace.OpAllocate, trace.OpPunch:
		c.of(e.File).allocated = true
	case trace.OpAdvise:
		c.unpacks(e.File, e.TID, e.Start, e.End(), false)
		if e.Offset2 == dontNeed && int(e.Call) < len(c.calls) && c.calls[e.Call] == "fadvise64" {
			c.of(e.File).dropped = true
		}
	}
}

// dropping is what a program writes to to have the page cache dropped.
const dropping = "/proc/sys/vm/drop_caches"

// Access notes that the page cache is dropped.
func (c *Amounts) Access(x *world.Access) {
	if out, _ := x.Out(); out != nil && !x.Failed && path.Clean(out.Path) == dropping {
		c.drop = true
	}
}

// Fault notes that a file is read through a mapping.
func (c *Amounts) Fault(e *world.Fault) {
	if e.File != nil && e.File.Data() {
		c.of(e.File).mapped = true
		c.unpacks(e.File, e.TID, e.Start, e.Start+e.Duration, true)
	}
}

// Request divides a request into what belongs to files, and the rest, of which the reason is known.
func (c *Amounts) Request(e *world.Request) {
	direction := writing
	switch e.Op {
	case trace.ReqRead:
		direction = reading
	case trace.ReqWrite, trace.ReqWriteZeroes:
	case trace.ReqDiscard:
		if e.Ours && e.Flags&trace.ReqRecorder == 0 {
			c.requests.Of(e.Device.Number).freed += e.Bytes
		}
		return
	default:
		return
	}
	d := c.requests.Of(e.Device.Number)
	d.bytes[direction] += e.Bytes
	d.other[direction] += e.Others
	d.changed.add(e)
	to := &d.parts[direction]
	switch {
	case e.Flags&trace.ReqRecorder != 0:
		to.add(profile.ByRecorder, e.Bytes)
	case !e.Ours:
		d.other[direction] += e.Bytes
	case e.Flags&trace.ReqSwap != 0:
		to.add(profile.Swap, e.Bytes)
	case e.Op == trace.ReqWriteZeroes:
		to.add(profile.Zeroed, e.Bytes)
	case !c.told:
		to.add(profile.Untold, e.Bytes)
	case e.Flags&trace.ReqMeta != 0:
		to.add(c.withoutFile(e.Device), e.Own())
	default:
		c.data(e, to)
	}
}

// data gives a request to the files whose data it carries.
func (c *Amounts) data(e *world.Request, to *parts) {
	left := e.Own()
	world.Pieces(e.Request, func(id trace.FileID, at, bytes int64) {
		f := c.files.File(id)
		left -= bytes
		switch {
		case f == nil:
			to.add(profile.Untold, bytes)
		case f.Backing, f.Top != nil && f.Top != e.Device && e.Device.Level > f.Top.Level:
			to.add(profile.Above, bytes)
		case !f.Data() && !f.Other:
			to.add(profile.Metadata, bytes)
		default:
			own := c.of(f)
			own.copied = own.copied || c.copied.within(e.Request)
			own.request(c.pages, e.Request, own.place(e.Device), at, bytes, c.drop)
		}
	})
	switch {
	case left <= 0:
		return
	case c.copiesPacked(e):
		to.add(profile.CopyUp, left)
		return
	case c.packedData(e.Request, left):
		return
	}
	to.add(c.withoutFile(e.Device), left)
}

// withoutFile is the reason for what belongs to no file: the file system's own, or that of one on a device above.
func (c *Amounts) withoutFile(d *world.Device) string {
	if d.Level > 1 && c.stacked(d) {
		return profile.Above
	}
	return profile.Metadata
}

// stacked reports whether a device that was used passes on its own requests to d. A loop device does not: below it lies
// a file system, which has metadata of its own.
func (c *Amounts) stacked(d *world.Device) bool {
	return slices.ContainsFunc(d.Uppers(), func(u *world.Device) bool { return u.Used && u.Layer() != "loop" })
}

// droppedByOthers corrects why files were read again, where no recorded program had dropped them: what the kernel did
// not take for want of memory somebody else had dropped, by posix_fadvise or drop_caches.
func (c *Amounts) droppedByOthers() {
	if !c.plenty() {
		return
	}
	for _, f := range c.all {
		for _, p := range f.at {
			p.why[dropped] += p.why[evicted]
			p.why[evicted] = 0
		}
	}
}

// plenty reports whether memory was not short. An older recording does not tell what the kernel took; but of a limit
// that was reached, and of drop_caches.
func (c *Amounts) plenty() bool {
	if c.end.Reclaimed == nil {
		return c.end.CacheDrops > 0 && len(c.end.Memory) == 0
	}
	again := int64(0)
	for _, f := range c.all {
		for _, p := range f.at {
			again += p.why[evicted]
		}
	}
	return 2**c.end.Reclaimed < again
}
