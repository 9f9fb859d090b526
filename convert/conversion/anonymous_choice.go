package conversion

import (
	"errors"
	"path/filepath"
	"sync"

	"github.com/iotrace/iotrace/internal/rights"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Choice is whether names are to be left out of what is made of traces.
type Choice struct {
	Anonymize bool
	KeyFile   string // where the key is kept; "": nowhere
	// As says whose rights count for that file; nil, and a nil identity, stand for the caller's.
	As  func() (*rights.Identity, error)
	mu  sync.Mutex // traces may be asked for side by side
	key *Key
}

// Trace is one to read: what was named, or a copy in its place.
type Trace struct {
	Path string
	Name string // to call it by
	Done func() // after which it is not read any more
}

// Of is the trace to read in the place of one. With the same choice the same names are made of all.
func (c *Choice) Of(path string) (t Trace, err error) {
	switch {
	case !c.Anonymize && c.KeyFile != "":
		return t, errors.New("--key is what --anonymize makes names with: want that too")
	case !c.Anonymize:
		return Trace{path, tracefile.Name(path), func() {}}, nil
	case path == "-":
		return t, errors.New("--anonymize reads a trace file, not standard input")
	}
	key, err := c.open()
	if err != nil {
		return t, err
	}
	t.Name = key.word(filepath.Base(path))
	t.Path, t.Done, err = key.Copy(path)
	return t, err
}

// open is the key: the kept one, or a new one.
func (c *Choice) open() (_ *Key, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.key != nil:
	case c.KeyFile != "":
		var as *rights.Identity
		if c.As != nil {
			if as, err = c.As(); err != nil {
				return nil, err
			}
		}
		c.key, err = OpenKey(c.KeyFile, as)
	default:
		c.key = NewKey()
	}
	return c.key, err
}
