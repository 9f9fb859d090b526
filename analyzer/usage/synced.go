package usage

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Synced gathers what syncs were for: of all files, as those that most syncs are for may be too small to be listed.
type Synced struct {
	files *world.Files
	of    world.Table[syncedFile]
	calls int64       // syncs of files so far
	last  *world.File // that was synced last
}

// syncedFile is what was synced of one file, and whether anything of it was changed.
type syncedFile struct {
	syncs   map[trace.Op]int64 // nil without any
	last    int64              // which of all syncs was the last of it
	changed bool
	// took was synced after it and before it was removed: a journal goes when the file that it is for has what it holds.
	took *world.File
}

// NewSynced returns a collector.
func NewSynced(files *world.Files) *Synced { return &Synced{files: files} }

// changing are calls after which a file has something to make safe.
var changing = []trace.Op{trace.OpTruncate, trace.OpAllocate, trace.OpPunch, trace.OpAttr, trace.OpRename, trace.OpLink,
	trace.OpUnlink, trace.OpXattr, trace.OpMmap}

// Call counts a call that makes a file safe, and notes one that changes it.
func (c *Synced) Call(e *world.Call) { c.did(e.Op, e.Result, e.File, e.File2) }

// Async counts an asynchronous operation likewise.
func (c *Synced) Async(e *world.Async) { c.did(e.Op, e.Result, e.File, e.File2) }

func (c *Synced) did(op trace.Op, result int64, f, f2 *world.File) {
	switch {
	case result < 0:
	case op.Durability():
		c.count(f, op)
	case slices.Contains(changing, op):
		if op == trace.OpUnlink {
			c.removed(f)
		}
		c.change(f)
		c.change(f2)
	}
}

func (c *Synced) count(f *world.File, op trace.Op) {
	if f == nil {
		return
	}
	s := c.of.Of(f.Number)
	if s.syncs == nil {
		s.syncs = map[trace.Op]int64{}
	}
	s.syncs[op]++
	if f.Kind != trace.FileDirectory {
		c.calls++
		s.last, c.last = c.calls, f
	}
}

// removed notes what was synced since a file that goes now.
func (c *Synced) removed(f *world.File) {
	if f == nil {
		return
	}
	if s := c.of.Known(f.Number); s != nil && s.last > 0 && s.last < c.calls {
		s.took = c.last
	}
}

func (c *Synced) change(f *world.File) {
	if f != nil {
		c.of.Of(f.Number).changed = true
	}
}

// Access notes a file that is written.
func (c *Synced) Access(x *world.Access) {
	f, _ := x.Out()
	c.change(f)
}

// Request notes files whose data is written to a device: others may have changed them before.
func (c *Synced) Request(e *world.Request) {
	for i := range e.Pieces {
		if e.Op == trace.ReqWrite {
			c.change(e.Pieces[i].File)
		}
	}
}

// gone reports whether a file was removed, and not replaced.
func (c *Synced) gone(f *world.File) bool { return f.Deleted && c.files.ByPath[f.Path] == nil }

// add adds the syncs of a file. What was changed of a directory, or by way of a mapping, is not known.
func (c *Synced) add(to *profile.Synced, f *world.File, n int64, changed, journal bool) {
	switch {
	case f.Other:
	case f.Kind == trace.FileDirectory:
		to.Directories += n
	default:
		if to.Files++; f.Created {
			to.New++
		}
		if to.Syncs += n; n > to.Most {
			to.Path, to.Most = f.Path, n
		}
		if !changed && to.Op != trace.OpMsync && to.Op != trace.OpSyncFS {
			to.Unchanged += n
		}
		if c.gone(f) && !journal {
			to.Removed += n
		}
	}
}

// Finish adds the syncs up by operation.
func (c *Synced) Finish(p *profile.Profile) {
	by := map[trace.Op]*profile.Synced{}
	for _, f := range append(slices.Clone(c.files.All), c.files.Rest) {
		s := c.of.Known(f.Number)
		if s == nil {
			continue
		}
		for op, n := range s.syncs {
			if by[op] == nil {
				by[op] = &profile.Synced{Op: op}
			}
			c.add(by[op], f, n, s.changed || f.Created, s.took != nil && !c.gone(s.took))
		}
	}
	for _, s := range by {
		p.Synced = append(p.Synced, *s)
	}
	sorting.Stably(p.Synced, func(a, b profile.Synced) int { return cmp.Compare(a.Op, b.Op) })
}
