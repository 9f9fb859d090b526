package strace

import (
	"bytes"
	"path"
	"strings"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// path is the file that a name stands for, relative to a descriptor argument if
// there is one.
func (x *event) path(dir, place int) trace.FileID {
	name, ok := x.c.textArg(place - 1)
	base := []byte(nil)
	if dir > 0 {
		_, base, _ = x.c.fd(dir - 1)
	}
	switch {
	case !ok && dir > 0 && len(base) > 0 && string(x.word(place)) == "NULL": // utimensat and its like: of the descriptor
		return x.file(unquote(base))
	case !ok:
		x.e.Flags |= trace.FlagPartial
		return 0
	case len(name) == 0 && dir > 0:
		return x.file(unquote(base))
	case len(name) == 0:
		return 0
	case name[0] == '/':
		return x.file(clean(name))
	case len(base) == 0:
		return x.file(join(&x.name, []byte(x.dirs[x.e.PID]), name))
	}
	return x.file(join(&x.name, unquote(base), name))
}

// seen is the file that a call just opened under a name. If there was none of that name before, it is another one.
func seen(x *event, name []byte) trace.FileID {
	id := x.file(name)
	if x.live == nil || id == 0 || x.effects.Files.Identified(id) {
		return id
	}
	x.effects.Files.Unlinked(name)
	return x.file(name)
}

// moves follows the directory of a process.
func (x *event) moves() {
	if x.e.Result < 0 {
		return
	}
	if x.shape == linux.ShapeFchdir {
		if _, dir, _ := x.c.fd(0); len(dir) > 0 {
			x.in(x.e.PID, string(unquote(dir)))
		}
		return
	}
	if to, ok := x.c.textArg(0); ok {
		dir := string(to)
		if !strings.HasPrefix(dir, "/") {
			dir = path.Join(x.dirs[x.e.PID], dir)
		}
		x.in(x.e.PID, dir)
	}
}

// join is what path.Join makes of a directory, which may be empty, and a name. It is made in a room that the next one
// is made in as well.
func join(room *[]byte, dir, name []byte) []byte {
	b := append((*room)[:0], dir...)
	if len(dir) > 0 {
		b = append(b, '/')
	}
	*room = append(b, name...)
	return clean(*room)
}

// clean is what path.Clean makes of a path that is not empty. Nearly all are clean, and these are not copied.
func clean(name []byte) []byte {
	if name[0] == '/' && name[len(name)-1] != '/' && !bytes.Contains(name, []byte("//")) && !dotted(name) {
		return name
	}
	return []byte(path.Clean(string(name)))
}

// dotted reports whether an element of a path, behind a slash, begins with . or .. where that may be all of it.
func dotted(name []byte) bool {
	i := bytes.Index(name, []byte("/."))
	return i >= 0 && (bytes.Contains(name[i:], []byte("/./")) || bytes.Contains(name[i:], []byte("/..")) ||
		bytes.HasSuffix(name, []byte("/.")))
}
