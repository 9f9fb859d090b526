package analyzer

import (
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// name follows a call that changes names.
func (t *identities) name(c *trace.Syscall) {
	f := t.named(c.File)
	if f == nil || f.other {
		return
	}
	from, to := t.path(c.File), t.path(c.File2)
	switch c.Op {
	case trace.OpOpen:
		if f.size == 0 || c.Flags&(trace.FlagTrunc|trace.FlagExcl) != 0 {
			f.created = true
		}
	case trace.OpUnlink:
		t.unlink(f, from)
	case trace.OpLink:
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

// renameTree renames what lies below a renamed directory.
func (t *identities) renameTree(f *file, from, to string) {
	if f.kind != trace.FileDirectory || t.trees >= maxTreeRenames {
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
