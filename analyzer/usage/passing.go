package usage

import (
	"path"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Passing counts the names that the workload made and removed again, whatever they stand for.
type Passing struct {
	files *world.Files
	links world.Table[struct{}] // symbolic links that were made
	moved world.Table[passed]   // by calls
}

// passed is how many bytes went into a file, and came back.
type passed struct{ in, out int64 }

// NewPassing returns a collector.
func NewPassing(files *world.Files) *Passing { return &Passing{files: files} }

// Call notes a symbolic link: the name of one is no file of its own to whoever follows it.
func (c *Passing) Call(e *world.Call) {
	if e.Op == trace.OpSymlink && e.File2 != nil && e.Result >= 0 {
		c.links.Of(e.File2.Number)
	}
}

// Access counts what was written and read.
func (c *Passing) Access(x *world.Access) {
	if f, _ := x.Out(); x.Writes {
		c.moved.Of(f.Number).in += x.Bytes
	}
	if x.Reads {
		c.moved.Of(x.File.Number).out += x.Bytes
	}
}

// Finish adds up the names by directory.
func (c *Passing) Finish(p *profile.Profile) {
	x := &profile.Passing{}
	under, last := map[string]int64{}, map[string]bool{}
	for _, f := range c.files.All {
		link := c.links.Known(f.Number) != nil
		if !link && !f.Created || f.Path == "" || f.Stream() {
			continue
		}
		if x.Made++; !f.Deleted {
			continue
		}
		x.Removed++
		if n := c.moved.Known(f.Number); n != nil && 2*n.out < n.in {
			x.Bytes += n.in
		}
		if link {
			x.Links++
		}
		under[path.Dir(f.Path)]++
		last[path.Base(f.Path)] = true
	}
	if x.Removed == 0 {
		return
	}
	x.Different = int64(len(last))
	x.Under, _ = measure.Deepest(under, nearlyAll)
	p.Passing = x
}
