// Package usage collects who moved what, and when: files, devices, layers, processes, calls, starts of programs, the
// time stack and the workload as a whole. Of each extra byte that a device read or wrote, and of each that a call moved
// and a device did not, it gives the reason. Each is a collector of its own. It is a package of its own, as every
// collector is: none knows another.
package usage

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Files gathers what was done to each file.
type Files struct {
	files   *world.Files
	used    world.Table[fileStats]
	span    int64
	cache   bool
	calls   []string
	refused refusals
	listed  listings
	hands   hands
}

// NewFiles returns a collector; cache says whether the recording tells what came from memory.
func NewFiles(files *world.Files, calls []string, span int64, cache bool) *Files {
	c := &Files{files: files, span: span, cache: cache, calls: calls, refused: refusals{}, listed: newListings(calls)}
	c.hands.of = c.handed
	return c
}

func (c *Files) of(f *world.File) *fileStats {
	s := c.used.Known(f.Number)
	if s == nil {
		s = &fileStats{light: !f.Listed}
		c.used.Set(f.Number, s)
	}
	return s
}

// handed is who handed data over in a file.
func (c *Files) handed(f *world.File) *handing {
	s := c.of(f)
	if s.handed == nil {
		s.handed = new(handing)
	}
	return s.handed
}

// Call counts a call for its files.
func (c *Files) Call(e *world.Call) {
	if e.File != nil {
		c.of(e.File).operation(e.PID, e.Op, e.Duration, e.Bytes(), e.Result < 0)
		if e.Awaits {
			c.of(e.File).asked += e.Duration
		}
		if e.Op == trace.OpAdvise && int(e.Call) < len(c.calls) {
			if what := adviceOf(e, c.calls[e.Call]); what != "" {
				c.of(e.File).advice = counted(c.of(e.File).advice, what)
			}
		}
		c.refused.call(e, c.of(made(e)))
		c.listed.call(e)
		c.hands.call(e)
		if e.Op == trace.OpMmap && e.Result >= 0 && e.Flags&trace.FlagExec == 0 {
			c.of(e.File).mapped = max(c.of(e.File).mapped, e.Requested)
		}
	}
	if e.File2 != nil && e.File2 != e.File {
		c.of(e.File2).operation(e.PID, e.Op, e.Duration, e.Bytes(), e.Result < 0)
	}
}

// Wait adds a time off the CPU.
func (c *Files) Wait(e *world.Wait) { c.refused.wait(e) }

// Async counts an asynchronous operation for its files.
func (c *Files) Async(e *world.Async) {
	took := max(e.Complete-e.Submit, 0)
	if e.File != nil {
		c.of(e.File).operation(e.PID, e.Op, took, e.Bytes(), e.Result < 0)
	}
	if e.File2 != nil && e.File2 != e.File {
		c.of(e.File2).operation(e.PID, e.Op, took, e.Bytes(), e.Result < 0)
	}
}

// Access adds the data of an access to its files.
func (c *Files) Access(x *world.Access) {
	c.hands.access(x)
	if f := x.File; f != nil && x.Op.Reads() {
		s := c.of(f)
		s.input(x.Start, x.End, x.At, x.Bytes, x.Failed)
		if x.Reads {
			s.fill(x)
		}
	}
	if out, at := x.Out(); out != nil {
		s := c.of(out)
		s.output(x.Start, x.End, at, x.Bytes, x.Failed)
		if x.Flags&trace.FlagZeros != 0 {
			s.zeros += x.Bytes
		}
		if x.Flags&(trace.FlagSync|trace.FlagDSync) != 0 && !x.Failed {
			s.durable++
		}
	}
}

// Fault adds a page fault that had to wait.
func (c *Files) Fault(e *world.Fault) {
	if e.File != nil {
		s := c.of(e.File)
		s.user(e.PID)
		s.fault(e)
	}
}

// Request adds a request to the files whose data it carries.
func (c *Files) Request(e *world.Request) {
	for i := range e.Pieces {
		c.of(e.Pieces[i].File).request(e, e.Pieces[i].Bytes)
	}
	c.relocate(e)
}

// Finish lists the files, and counts what was left out.
func (c *Files) Finish(p *profile.Profile) {
	all := append(slices.Clone(c.files.All), c.files.Rest)
	p.Files = make([]profile.File, 0, c.rows(all))
	var again rereads
	mounts := mountTimes{}
	for _, f := range all {
		s := c.used.Known(f.Number)
		if s == nil {
			continue
		}
		again.add(f, s.onlyRead())
		switch {
		case f.Listed:
			p.Files = append(p.Files, s.profile(f, c.span, c.cache))
			p.Files[len(p.Files)-1].Directory = c.listed.of[f.Number]
		default:
			p.Omitted.Files++
			p.Omitted.FilesBytes += s.moved()
			mounts.add(f, s.brief)
		}
	}
	p.Omitted.Mounts = mounts.list()
	p.Omitted.Files += c.files.Omitted
	p.Pattern.ReadClass = c.mainClass(func(s *fileStats) (*measure.Flow, *measure.Pattern) { return s.read, s.reads })
	p.Pattern.WriteClass = c.mainClass(func(s *fileStats) (*measure.Flow, *measure.Pattern) { return s.write, s.writes })
	p.Reread, p.NameForms = again.profile(), c.forms()
	c.memory(&p.Pattern)
	c.pieces(&p.Pattern)
}

// forms lists the forms of names of all regular files, as those that say most are small.
func (c *Files) forms() []profile.NameForm {
	forms := nameForms{of: map[string]*profile.NameForm{}}
	for _, take := range []func(f *world.File, read, write *measure.Flow, mapped bool){forms.made, forms.read} {
		for _, f := range c.files.All {
			if s := c.used.Known(f.Number); s != nil && f.Kind == trace.FileRegular && !f.Other {
				take(f, s.read, s.write, s.mapped > 0)
			}
		}
	}
	return forms.list()
}

// rows is how many of the files are listed.
func (c *Files) rows(all []*world.File) int {
	n := 0
	for _, f := range all {
		if f.Listed && c.used.Known(f.Number) != nil {
			n++
		}
	}
	return n
}

// memory says how large the working set is, and how much of it came from memory.
func (c *Files) memory(w *profile.WholePattern) {
	cache := profile.Cache{}
	for _, f := range c.files.All {
		s := c.used.Known(f.Number)
		if s == nil || !f.Data() {
			continue
		}
		w.WorkingSet += s.set()
		if s.read != nil && s.cached > 0 {
			own := s.cache(c.cache)
			cache.ReadBytes += own.ReadBytes
			cache.FilledBytes += min(own.FilledBytes, own.ReadBytes)
			cache.DeviceBytes += min(own.DeviceBytes, own.ReadBytes)
		}
	}
	if cache.ReadBytes > 0 {
		w.Cache = measure.CacheOf(cache.ReadBytes, cache.FilledBytes, cache.DeviceBytes, c.cache)
	}
}

// mainClass is the class of access that holds most bytes, in one direction.
func (c *Files) mainClass(of func(*fileStats) (*measure.Flow, *measure.Pattern)) string {
	sums := map[string]int64{}
	for _, f := range c.files.All {
		s := c.used.Known(f.Number)
		if s == nil || !f.Data() {
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
