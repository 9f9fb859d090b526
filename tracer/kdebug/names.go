package kdebug

import (
	"bytes"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// vnodeFile is the file that a vnode is. That of a vnode which no recorded call
// has looked up is known by what the kernel said of it at the beginning.
func (d *Decoder) vnodeFile(v uint64, recorded bool) trace.FileID {
	if id := d.vnodes[v]; id != 0 || !recorded {
		return id
	}
	path, ok := d.vnodePaths[v]
	if !ok {
		return 0
	}
	delete(d.vnodePaths, v)
	id, err := d.files.ID([]byte(path), max(d.now, 0), 0)
	d.keep(err)
	d.vnode(v, id)
	return id
}

// recycled forgets the name of a vnode that a lookup found under another one: it
// is another file by now. Of a relative path that cannot be told, so the name
// goes as well.
func (d *Decoder) recycled(r *Record) {
	if r.DebugID&FuncStart == 0 {
		return
	}
	known, ok := d.vnodePaths[r.Arg[0]]
	if !ok {
		return
	}
	part := make([]byte, 0, 24)
	for _, a := range r.Arg[1:] {
		for i := 0; i < 64; i += 8 {
			part = append(part, byte(a>>i))
		}
	}
	if i := bytes.IndexByte(part, 0); i >= 0 {
		part = part[:i]
	}
	if len(part) == 0 || part[0] != '/' || !strings.HasPrefix(known, string(part)) {
		delete(d.vnodePaths, r.Arg[0])
	}
}
