package transfers

import (
	"github.com/iotrace/iotrace/analyzer/world"
)

// Made is a file that a process made.
type Made struct {
	By   *Process
	File *world.File
	At   int64
}

// Empty is a file that was made, or given a size, while another one without
// data, or of that size, was open.
type Empty struct {
	Source, Dest *world.File
	By           *Process
	At           int64
}

// created are the files that came into being without data.
type created struct {
	made    []Made
	empties []*Empty
}

// file notes that a process made a file, and which empty ones it had open.
func (c *created) file(a *Process, f *world.File, at int64) {
	if len(c.made) >= Most {
		return
	}
	c.made = append(c.made, Made{a, f, at})
	for _, from := range a.reading {
		if from.Size == 0 && from != f {
			c.empties = append(c.empties, &Empty{from, f, a, at})
		}
	}
}

// sized notes that a process gave a file without data the size of one that it
// had open: a copy if that is all that follows, since holes are not written.
func (c *created) sized(a *Process, f *world.File, at int64) {
	for _, from := range a.reading {
		if from != f && from.Size == f.Size && len(c.empties) < Most {
			c.empties = append(c.empties, &Empty{from, f, a, at})
		}
	}
}
