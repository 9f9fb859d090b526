//go:build linux

package ebpf

import (
	"cmp"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// move is a directory that got another name, and with it all that lies below.
type move struct{ from, to string }

// maxTrees bounds the renamed directories that are remembered.
const maxTrees = 1000

// renamed notes the new name of a file or a directory.
func (t *fileTable) renamed(from, to trace.FileID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before, _ := t.names.get(from)
	after, ok := t.names.get(to)
	id, _ := t.byPath.get(before.path)
	if state := t.at(id); ok && state != nil {
		if name, ok := t.names.get(state.latest); ok {
			name.moved, name.trees = after.path, len(t.trees)
			t.names.put(state.latest, name)
		}
	}
	if state := t.at(id); ok && before.path != "" && (state == nil || !state.regular) && len(t.trees) < maxTrees {
		t.trees = append(t.trees, move{before.path, after.path})
	}
}

// place is where a file lies in the end, as far as its name tells.
func (t *fileTable) place(name identity) string {
	path := cmp.Or(name.moved, name.path)
	for _, m := range t.trees[name.trees:] {
		if below, ok := strings.CutPrefix(path, m.from+"/"); ok {
			path = m.to + "/" + below
		}
	}
	return path
}
