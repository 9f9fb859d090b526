package world

import (
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// name follows a call that changes names.
func (t *Files) name(c *trace.Syscall) {
	f := t.linked(c)
	if f == nil {
		f = t.named(c.File)
	}
	if f == nil || f.Other {
		return
	}
	from, to := t.path(c.File), t.path(c.File2)
	switch c.Op {
	case trace.OpOpen:
		if c.Flags&(trace.FlagCreate|trace.FlagTrunc) == 0 {
			return // known by its descriptor, if it has no name
		}
		if f.Size == 0 || c.Flags&(trace.FlagTrunc|trace.FlagExcl) != 0 {
			f.Created = true
		}
	case trace.OpUnlink:
		t.unlink(f, from)
	case trace.OpMkdir:
		f.Created = true
	case trace.OpLink:
		if f.unnamed() { // it gets its first name
			f.Path, f.Deleted, f.Created = to, false, true
			t.take(c.File2, f, to)
			return
		}
		t.keep(renamed{f, from, to, *c, f.Created})
		f.links++
		f.also(to)
		t.take(c.File2, f, to)
	case trace.OpRename:
		if other := t.named(c.File2); c.Flags&trace.FlagExchange != 0 && other != nil {
			t.exchange(c, f, other, from, to)
			return
		}
		t.keep(renamed{f, from, to, *c, f.Created})
		if t.ByPath[from] == f {
			delete(t.ByPath, from)
		}
		if old := t.ByPath[to]; old != nil && old != f {
			t.unlink(old, to)
		}
		f.call(to)
		t.take(c.File2, f, to)
		t.renameTree(f, from, to)
	}
}

// exchange gives each of two files the other's name.
func (t *Files) exchange(c *trace.Syscall, f, other *File, from, to string) {
	t.keep(renamed{f, from, to, *c, f.Created})
	t.keep(renamed{other, to, from, *c, other.Created})
	f.call(to)
	other.call(from)
	t.take(c.File2, f, to)
	t.take(c.File, other, from)
	aside := to + "\x00" // no name
	t.renameTree(f, from, aside)
	t.renameTree(other, to, from)
	t.renameTree(f, aside, to)
}

// Current is how a file is called in the end that was used by a number: by the
// same name if it still has that, and by its last one otherwise.
func (t *Files) Current(id trace.FileID, f *File) string {
	if p := t.path(id); p != "" && t.ByPath[p] == f {
		return p
	}
	return f.Path
}

// named is the file a number meant when it had the name the number was given
// for: a number that stands for a name alone follows that name.
func (t *Files) named(id trace.FileID) *File {
	if f := t.ByPath[t.path(id)]; f != nil {
		return f
	}
	return t.File(id)
}

// Address is that of the other end of a socket, as a call was given it; "" if it was given none.
func (t *Files) Address(c *trace.Syscall) string { return t.Peer(c.Op, c.File2) }

// Peer is the same of any operation and its second file.
func (t *Files) Peer(op trace.Op, second trace.FileID) string {
	if second == 0 || !op.HasPeer() {
		return ""
	}
	return t.path(second)
}

func (t *Files) keep(r renamed) {
	if r.To != "" && len(t.Renames) < maxRenames {
		t.Renames = append(t.Renames, r)
	}
}

func (t *Files) unlink(f *File, path string) {
	if t.ByPath[path] == f {
		delete(t.ByPath, path)
	}
	if f.links > 0 {
		f.links--
		return
	}
	f.Deleted = true
}

// take makes a name, and the number that stands for it, mean f.
func (t *Files) take(id trace.FileID, f *File, path string) {
	if path == "" {
		return
	}
	t.ByPath[path] = f
	if old := t.File(id); old != nil && !old.Other && (old.Inode == 0 || old.gaveWay(f)) {
		t.byID[id].file = f
	}
}

// gaveWay reports whether a file was deleted and its inode's number was used again for another one: of one that takes
// its name, too, a recorder sees the same name of the same inode, and gives it no new number.
func (f *File) gaveWay(to *File) bool {
	return f.Deleted && f != to && f.Inode == to.Inode && f.Device == to.Device
}

// unnamed reports whether a file was made without a name (O_TMPFILE).
func (f *File) unnamed() bool { return f.nameless }

// descriptor is one of a process.
type descriptor struct {
	pid uint32
	fd  int32
}

// maxNameless bounds the files without a name that are known by descriptor.
const maxNameless = 4096

// linked is the nameless file that a link gives a name to: it is called by its
// descriptor then, /proc/self/fd/N.
func (t *Files) linked(c *trace.Syscall) *File {
	if c.Op == trace.OpOpen {
		if f := t.File(c.File); f != nil && f.nameless && c.Result >= 0 && len(t.nameless) < maxNameless {
			t.nameless[descriptor{c.PID, int32(c.Result)}] = f
		}
		return nil
	}
	if c.Op != trace.OpLink {
		return nil
	}
	if f := t.File(c.File); f != nil && f.nameless { // linkat with AT_EMPTY_PATH
		return f
	}
	from := t.path(c.File)
	rest, ok := strings.CutPrefix(from, "/proc/self/fd/")
	if !ok {
		rest, ok = strings.CutPrefix(from, "/proc/"+strconv.Itoa(int(c.PID))+"/fd/")
	}
	if fd, err := strconv.ParseInt(rest, 10, 32); ok && err == nil {
		return t.nameless[descriptor{c.PID, int32(fd)}]
	}
	return nil
}

// renameTree renames what lies below a renamed directory.
func (t *Files) renameTree(f *File, from, to string) {
	if directory := f.Kind == trace.FileDirectory || f.Inode == 0; !directory || t.trees >= maxTreeRenames {
		return
	}
	t.trees++
	for _, g := range t.All {
		if rest, ok := strings.CutPrefix(g.Path, from+"/"); ok {
			delete(t.ByPath, g.Path)
			g.call(to + "/" + rest)
			t.ByPath[g.Path] = g
		}
	}
}
