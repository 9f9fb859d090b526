package fsusage

import (
	"bytes"
	"strings"

	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

// cuts joins the names of one file. fs_usage prints the end of a long path: as much as has room beside what else is on
// the line, so that a call and a disk request of one file name it by different pieces.
type cuts struct {
	files  *fdtable.Files
	byBase map[string][]named
	held   bounded.Held
}

// named is a long name that a file was given.
type named struct {
	path string
	cut  bool
	id   trace.FileID
}

const (
	// longName is the least that is kept of a path that is cut, about: a line has room for 220 characters, of which
	// at most a hundred are something else. Files that share so long an end are one.
	longName = 100
	maxSame  = 64 // names with one last part that are compared
)

func newCuts(files *fdtable.Files) *cuts { return &cuts{files: files, byBase: map[string][]named{}} }

// find is the file that a long name is known by: if one is cut, it is the end of the other. Where several files fit,
// it is none of them.
func (c *cuts) find(name []byte, cut bool) (id trace.FileID) {
	if len(name) < longName {
		return 0
	}
	for _, n := range c.byBase[string(name[bytes.LastIndexByte(name, '/')+1:])] {
		same := cut && strings.HasSuffix(n.path, string(name)) || n.cut && strings.HasSuffix(string(name), n.path)
		if !same || n.id == id || c.files.Path(n.id) == "" { // removed, and made again since
			continue
		}
		if id != 0 {
			return 0
		}
		id = n.id
	}
	return id
}

// add remembers the name of a file that has just got it, if it is long. The text is that of files, as long names are
// held once.
func (c *cuts) add(cut bool, id trace.FileID) {
	name := c.files.Path(id)
	base := name[strings.LastIndexByte(name, '/')+1:]
	list := c.byBase[base]
	if len(name) < longName || len(list) >= maxSame || !c.held.Add(len(name)) {
		return
	}
	c.byBase[base] = append(list, named{name, cut, id})
}

// file is the file that a line names by a path.
func (c *cuts) file(name []byte, now int64, flags trace.FileFlags) (trace.FileID, error) {
	if id, known := c.files.Find(name); known {
		return id, nil
	}
	cut := flags&trace.FileTruncated != 0
	if id := c.find(name, cut); id != 0 {
		return id, nil
	}
	id, err := c.files.ID(name, now, flags)
	c.add(cut, id)
	return id, err
}
