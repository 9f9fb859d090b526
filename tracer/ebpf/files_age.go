//go:build linux

package ebpf

import (
	"math"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// A recorder that runs for weeks need not know all files that it has seen. The probes announce a file anew that is used
// more than validFor turns after they did, and what was announced then is forgotten some turns later: what is under way
// meanwhile may refer to it for so long, and a request for as long as it takes.

// lasting is the turn of files that do not age: the probes know them by something that has no name.
const lasting = math.MaxUint32

// unnamed is a file whose name is forgotten, and that events may refer to still.
type unnamed struct {
	id   trace.FileID
	turn uint32
}

// turnOf is the turn of a file that is announced now. Requests for a disk, and for a file below an overlay, are tied to
// what was opened by a mark without a name; transfers of SMB by a handle.
func (t *fileTable) turnOf(f *trace.File) uint32 {
	switch {
	case f.Type == trace.FileBlock, f.FSType == "overlay", f.FSType == "cifs", f.FSType == "smb3":
		return lasting
	}
	return t.turn
}

// renew notes that a file is announced, or named, in this turn. It is false where its name is forgotten, and stays so.
func (t *fileTable) renew(id trace.FileID) bool {
	if t.turn == 0 {
		return true
	}
	name, ok := t.names.get(id)
	if ok && name.turn != t.turn && name.turn != lasting {
		name.turn = t.turn
		t.names.put(id, name)
	}
	return ok
}

// age begins a turn, and forgets files that were announced too long ago, except those that are held. It returns them,
// and the first of the numbers that the probes may still use.
func (t *fileTable) age(held map[trace.FileID]bool) (gone []trace.FileID, valid uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	place := &t.reached[t.turn%validFor]
	valid, *place = *place+1, t.highest
	t.turn++
	old := func(id trace.FileID, turn uint32) bool {
		return turn != lasting && t.turn-turn > remembered && !held[id]
	}
	t.crowded = slices.DeleteFunc(t.crowded, func(u unnamed) bool {
		if !old(u.id, u.turn) {
			return false
		}
		gone = append(gone, u.id)
		return true
	})
	for id, name := range t.names.all() {
		if !old(id, name.turn) {
			t.at(id) // asked for: it is known for as long as its name
			t.ids.at(name.number)
			continue
		}
		gone = append(gone, id)
		t.unsync(id, &name)
		t.names.remove(id)
		if is, ok := t.byPath.peek(name.path); ok && is == id {
			t.byPath.remove(name.path)
		}
	}
	t.ageNumbers()
	return gone, valid
}

// ageNumbers forgets what is known of inodes without a name, and of the probes' numbers for files without one.
func (t *fileTable) ageNumbers() {
	t.ids.age()
	t.states.age()
	for node, first := range t.byNode.all() {
		if t.states.find(uint32(first)) == nil {
			t.byNode.remove(node)
		}
	}
	t.names.compact()
	t.byPath.compact()
	t.byNode.compact()
}

// forget is told of names that fall out of the table. For files that may not be
// on their devices yet it keeps the file systems.
func (t *fileTable) forget(names map[trace.FileID]identity) {
	for id, name := range names {
		t.unsync(id, &name)
		if t.turn > 0 && name.turn != lasting {
			t.crowded = append(t.crowded, unnamed{id, name.turn})
		}
	}
}

// unsync keeps where a file lies whose name is forgotten.
func (t *fileTable) unsync(id trace.FileID, name *identity) {
	if s := t.latest(id); s != nil && s.dirtied {
		t.unsynced[name.node.device] = name.here()
	}
}
