package copies

import "github.com/iotrace/iotrace/analyzer/world"

// made is a file that a process made.
type made struct {
	By   *process
	File *world.File
	At   int64
}

// emptyFile is a file that was made, or given a size, while another one without
// data, or of that size, was open.
type emptyFile struct {
	Source, Dest *world.File
	By           *process
	At           int64
}

// created are the files that came into being without data.
type created struct {
	made    []made
	empties []*emptyFile
}

// file notes that a process made a file, and which empty ones it had open.
func (c *created) file(a *process, f *world.File, at int64) {
	if len(c.made) >= mostSessions {
		return
	}
	c.made = append(c.made, made{a, f, at})
	for _, from := range a.reading {
		if from.Size == 0 && from != f {
			c.empties = append(c.empties, &emptyFile{from, f, a, at})
		}
	}
}

// sized notes that a process gave a file without data the size of one that it
// had open: a copy if that is all that follows, since holes are not written.
func (c *created) sized(a *process, f *world.File, at int64) {
	for _, from := range a.reading {
		if from != f && from.Size == f.Size && len(c.empties) < mostSessions {
			c.empties = append(c.empties, &emptyFile{from, f, a, at})
		}
	}
}
