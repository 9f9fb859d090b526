package usage

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Saves counts how often a file was written anew as a whole: as a new file that took its name, or in its place after
// it was emptied.
type Saves struct {
	files *world.Files
	of    world.Table[written]
}

// written is what was written to a file, how often it was emptied before, and whether it was removed.
type written struct {
	bytes, emptied int64
	removed        bool // by a call that takes a name away and gives it to nothing else
}

// NewSaves returns a collector.
func NewSaves(files *world.Files) *Saves { return &Saves{files: files} }

// Call counts calls that empty or remove a file.
func (c *Saves) Call(e *world.Call) {
	if e.File != nil && e.Op == trace.OpOpen && e.Flags&trace.FlagTrunc != 0 && e.Result >= 0 {
		c.of.Of(e.File.Number).emptied++
	}
	if e.File != nil && e.Op == trace.OpUnlink && e.Result >= 0 {
		c.of.Of(e.File.Number).removed = true
	}
}

// Data adds what is written.
func (c *Saves) Data(x *world.Access) {
	if f, _ := x.Out(); f != nil {
		c.of.Of(f.Number).bytes += x.Bytes
	}
}

// anew reports whether all of a file was written here.
func (c *Saves) anew(f *world.File) bool {
	w := c.of.Known(f.Number)
	return w != nil && w.bytes > 0 && w.bytes >= f.Size
}

// maxSaves is how many files are listed.
const maxSaves = 16

// Finish lists the files that were saved more than once, most bytes first.
func (c *Saves) Finish(p *profile.Profile) {
	saves, counted := map[string]*profile.Save{}, map[*world.File]bool{}
	add := func(f *world.File, path string, n int64) {
		w := c.of.Known(f.Number)
		if w == nil || w.bytes == 0 || f.Other {
			return
		}
		s := saves[path]
		if s == nil {
			s = &profile.Save{Path: path}
			saves[path] = s
		}
		s.Count += n
		if !counted[f] { // an inode that was used again is one file
			counted[f] = true
			s.Bytes += w.bytes
			s.Last = w.bytes / max(w.emptied, 1)
		}
	}
	for _, r := range c.files.Renames {
		if r.Call.Op == trace.OpRename && (r.Fresh || c.anew(r.File)) {
			add(r.File, r.To, 1)
		}
	}
	for _, f := range c.files.All {
		if w := c.of.Known(f.Number); w != nil && w.emptied > 0 && !counted[f] {
			add(f, f.Path, w.emptied)
		}
	}
	for _, s := range saves {
		if s.Count > 1 {
			p.Saves = append(p.Saves, *s)
		}
	}
	sorting.Stably(p.Saves, func(a, b profile.Save) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Path, b.Path))
	})
	p.Saves = p.Saves[:min(len(p.Saves), maxSaves)]
	p.Replaced = c.replaced()
}

// replaced counts the files that took the names of others that had been there before, and are gone; nil if there are
// none.
func (c *Saves) replaced() *profile.Replaced {
	old := map[string]*world.File{}
	for _, f := range c.files.All {
		// Of a file that was removed, and not looked at before, no more than its name is known.
		if f.Deleted && !f.Created && f.Path != "" && (f.Kind == trace.FileRegular || f.Unknown()) {
			old[f.Path] = f
		}
	}
	x := &profile.Replaced{}
	for _, f := range c.files.All {
		before, w := old[f.Path], c.of.Known(f.Number)
		if before == nil || !f.Created || f.Deleted || f.Kind != trace.FileRegular || w == nil {
			continue
		}
		if b := c.of.Known(before.Number); b != nil && b.removed {
			x.Anew++
		}
		if before.Size <= 0 {
			continue
		}
		x.Files++
		x.Bytes += w.bytes
		if f.Size == before.Size {
			x.Same++
			x.SameBytes += w.bytes
		}
	}
	if x.Files+x.Anew == 0 {
		return nil
	}
	return x
}
