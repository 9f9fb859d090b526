package analyzer

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// filesCollector gathers what was done to each file.
type filesCollector struct {
	files *identities
	used  table[fileStats]
	span  int64
}

func newFilesCollector(files *identities, span int64) *filesCollector {
	return &filesCollector{files: files, span: span}
}

func (c *filesCollector) of(f *file) *fileStats {
	s := c.used.known(f.number)
	if s == nil {
		s = &fileStats{light: !f.listed}
		c.used.set(f.number, s)
	}
	return s
}

// Call counts a call for its files.
func (c *filesCollector) Call(e *call) {
	if e.file != nil {
		c.of(e.file).operation(e.PID, e.Op, e.Duration, e.Bytes(), e.Result < 0)
	}
	if e.file2 != nil && e.file2 != e.file {
		c.of(e.file2).operation(e.PID, e.Op, e.Duration, e.Bytes(), e.Result < 0)
	}
}

// Async counts an asynchronous operation for its file.
func (c *filesCollector) Async(e *async) {
	if e.file != nil {
		c.of(e.file).operation(e.PID, e.Op, max(e.Complete-e.Submit, 0), e.Bytes(), e.Result < 0)
	}
}

// Access adds the data of an access to its files.
func (c *filesCollector) Access(x *access) {
	if f := x.file; f != nil && x.op.Reads() {
		s := c.of(f)
		s.input(x.start, x.end, x.at, x.bytes, x.failed)
		if x.reads {
			s.fill(x)
		}
	}
	if out, at := x.out(); out != nil {
		c.of(out).output(x.start, x.end, at, x.bytes, x.failed)
	}
}

// Fault adds a page fault that had to wait.
func (c *filesCollector) Fault(e *fault) {
	if e.file != nil {
		s := c.of(e.file)
		s.user(e.PID)
		s.fault(e)
	}
}

// Request adds a request to the files whose data it carries.
func (c *filesCollector) Request(e *request) {
	for i := range e.pieces {
		c.of(e.pieces[i].file).request(e, e.pieces[i].bytes)
	}
}

// Finish lists the files, and counts what was left out.
func (c *filesCollector) Finish(p *profile.Profile) {
	for _, f := range append(slices.Clone(c.files.all), c.files.rest) {
		switch s := c.used.known(f.number); {
		case s == nil:
		case f.listed:
			p.Files = append(p.Files, s.profile(f, c.span))
		default:
			p.Omitted.Files++
			p.Omitted.FilesBytes += s.moved()
		}
	}
	p.Omitted.Files += c.files.omitted
	p.Pattern.ReadClass = c.mainClass(func(s *fileStats) (*measure.Flow, *measure.Pattern) { return s.read, s.reads })
	p.Pattern.WriteClass = c.mainClass(func(s *fileStats) (*measure.Flow, *measure.Pattern) { return s.write, s.writes })
	c.memory(&p.Pattern)
}

// memory says how large the working set is, and how much of it came from memory.
func (c *filesCollector) memory(w *profile.WholePattern) {
	cache := profile.Cache{}
	for _, f := range c.files.all {
		s := c.used.known(f.number)
		if s == nil || !f.data() {
			continue
		}
		w.WorkingSet += s.set()
		if s.read != nil && s.cached > 0 {
			c := s.cache()
			cache.ReadBytes += c.ReadBytes
			cache.FilledBytes += min(c.FilledBytes, c.ReadBytes)
			cache.DeviceBytes += min(c.DeviceBytes, c.ReadBytes)
		}
	}
	if cache.ReadBytes > 0 {
		w.Cache = measure.CacheOf(cache.ReadBytes, cache.FilledBytes, cache.DeviceBytes)
	}
}

// mainClass is the class of access that holds most bytes, in one direction.
func (c *filesCollector) mainClass(of func(*fileStats) (*measure.Flow, *measure.Pattern)) string {
	sums := map[string]int64{}
	for _, f := range c.files.all {
		s := c.used.known(f.number)
		if s == nil || !f.data() {
			continue
		}
		if moved, order := of(s); moved != nil && moved.Bytes > 0 {
			if p := order.Profile(); p != nil {
				sums[p.Class] += moved.Bytes
			}
		}
	}
	best := ""
	for _, k := range measure.SortedKeys(sums) {
		if best == "" || sums[k] > sums[best] {
			best = k
		}
	}
	return best
}
