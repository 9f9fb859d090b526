package kdebug

import (
	"bytes"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// maxNames bounds the vnodes whose path is kept: kernels have about a quarter of
// a million of them.
const maxNames = 1 << 18

// vnodeNames has the kernel log the path of every vnode of its local volumes, and
// reads them. Disk requests name their file by its vnode, and what was opened or
// mapped before the recording is not looked up again. What else is in the buffer
// is older than the recording and dropped. No names are no error: kernels before
// macOS 15.4 do not log paths in full, and others may refuse.
func (s *Source) vnodeNames(b []byte) (map[uint64]string, error) {
	if s.session.k.tracePaths() != nil {
		return nil, nil
	}
	own := map[uint64]bool{}
	for _, t := range s.threads {
		own[t.TID] = own[t.TID] || t.PID == s.self
	}
	names := map[uint64]string{}
	var l lookup
	for {
		n, err := s.session.read(b)
		if err != nil {
			return nil, err
		}
		var r Record
		for at := 0; at < n; at += RecordSize {
			r.get(b[at:])
			if r.DebugID&idMask != Lookup || !own[r.Thread] {
				continue
			}
			l.add(&r)
			if l.n > 0 && l.path[0][0] == '/' && len(names) < maxNames {
				names[l.vnode[0]] = string(l.path[0])
			}
			l.n = 0
		}
		if n < len(b) {
			return names, nil
		}
	}
}

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
