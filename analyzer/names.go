package analyzer

import (
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// name follows a call that changes names.
func (t *identities) name(c *trace.Syscall) {
	f := t.linked(c)
	if f == nil {
		f = t.named(c.File)
	}
	if f == nil || f.other {
		return
	}
	from, to := t.path(c.File), t.path(c.File2)
	switch c.Op {
	case trace.OpOpen:
		if c.Flags&(trace.FlagCreate|trace.FlagTrunc) == 0 {
			return // known by its descriptor, if it has no name
		}
		if f.size == 0 || c.Flags&(trace.FlagTrunc|trace.FlagExcl) != 0 {
			f.created = true
		}
	case trace.OpUnlink:
		t.unlink(f, from)
	case trace.OpMkdir:
		f.created = true
	case trace.OpLink:
		if f.unnamed() { // it gets its first name
			f.path, f.deleted, f.created = to, false, true
			t.take(c.File2, f, to)
			return
		}
		t.keep(renamed{f, from, to, *c, f.created})
		f.links++
		f.also(to)
		t.take(c.File2, f, to)
	case trace.OpRename:
		t.keep(renamed{f, from, to, *c, f.created})
		if t.byPath[from] == f {
			delete(t.byPath, from)
		}
		if old := t.byPath[to]; old != nil && old != f {
			t.unlink(old, to)
		}
		f.call(to)
		t.take(c.File2, f, to)
		t.renameTree(f, from, to)
	}
}

// current is how a file is called in the end that was used by a number: by the
// same name if it still has that, and by its last one otherwise.
func (t *identities) current(id trace.FileID, f *file) string {
	if p := t.path(id); p != "" && t.byPath[p] == f {
		return p
	}
	return f.path
}

// named is the file a number meant when it had the name the number was given
// for: a number that stands for a name alone follows that name.
func (t *identities) named(id trace.FileID) *file {
	if f := t.byPath[t.path(id)]; f != nil {
		return f
	}
	return t.file(id)
}

func (t *identities) keep(r renamed) {
	if r.to != "" && len(t.renames) < maxRenames {
		t.renames = append(t.renames, r)
	}
}

func (t *identities) unlink(f *file, path string) {
	if t.byPath[path] == f {
		delete(t.byPath, path)
	}
	if f.links > 0 {
		f.links--
		return
	}
	f.deleted = true
}

// take makes a name, and the number that stands for it, mean f.
func (t *identities) take(id trace.FileID, f *file, path string) {
	if path == "" {
		return
	}
	t.byPath[path] = f
	if old := t.file(id); old != nil && old.inode == 0 && !old.other {
		t.byID[id].file = f
	}
}

// unnamed reports whether a file was made without a name (O_TMPFILE).
func (f *file) unnamed() bool { return f.nameless }

// descriptor is one of a process.
type descriptor struct {
	pid uint32
	fd  int32
}

// maxNameless bounds the files without a name that are known by descriptor.
const maxNameless = 4096

// linked is the nameless file that a link gives a name to: it is called by its
// descriptor then, /proc/self/fd/N.
func (t *identities) linked(c *trace.Syscall) *file {
	if c.Op == trace.OpOpen {
		if f := t.file(c.File); f != nil && f.nameless && c.Result >= 0 && len(t.nameless) < maxNameless {
			t.nameless[descriptor{c.PID, int32(c.Result)}] = f
		}
		return nil
	}
	if c.Op != trace.OpLink {
		return nil
	}
	if f := t.file(c.File); f != nil && f.nameless { // linkat with AT_EMPTY_PATH
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
func (t *identities) renameTree(f *file, from, to string) {
	if directory := f.kind == trace.FileDirectory || f.inode == 0; !directory || t.trees >= maxTreeRenames {
		return
	}
	t.trees++
	for _, g := range t.all {
		if rest, ok := strings.CutPrefix(g.path, from+"/"); ok {
			delete(t.byPath, g.path)
			g.call(to + "/" + rest)
			t.byPath[g.path] = g
		}
	}
}
