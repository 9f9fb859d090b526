package top

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// file is one inode, under the name that it had last.
type file struct {
	path    string
	device  trace.DeviceID // number of its file system
	inode   uint64
	data    bool // it holds data that may lie on a device
	block   bool // it is a block device
	backing bool // a device was built on it
	deleted bool
}

// inode tells files apart that have a number in their file system.
type inode struct {
	device trace.DeviceID
	number uint64
	kind   trace.FileType
}

// files are those that were told of and used not long ago. A source tells of a file once, so its name has to be kept
// for as long as it may be used. Two generations bound that: what is asked for while it is in the older one moves to
// the younger, and when that is full, the older one goes.
type files struct {
	young, old nameTable
	backing    map[string]bool // paths of files that devices are built on
	unnamed    *file           // all that are not known any more
}

// nameTable is what leads to files.
type nameTable struct {
	byID    map[trace.FileID]*file
	byInode map[inode]*file
}

// generation is how many names a generation has.
const generation = 100_000

func newFiles() *files {
	t := &files{backing: map[string]bool{}, unnamed: &file{path: "(names that are not known any more)", data: true}}
	t.young.byID, t.young.byInode = map[trace.FileID]*file{}, map[inode]*file{}
	return t
}

// learn takes the identity of a file.
func (t *files) learn(e *trace.File) {
	key := inode{e.Device, e.Inode, e.Type}
	f := t.young.byInode[key]
	if f == nil {
		f = t.old.byInode[key]
	}
	gone := e.Flags&(trace.FileDeleted|trace.FileUnlinked) != 0
	if e.Inode == 0 || e.Type == trace.FileAnon || f != nil && f.deleted && !gone {
		f = nil // the number of a file that is gone stands for another one
	}
	if f == nil {
		f = &file{device: e.Device, inode: e.Inode, data: world.HoldsData(e.Type, e.FSType),
			block: e.Type == trace.FileBlock}
	}
	f.path, f.deleted, f.backing = e.Path, gone, f.backing || t.backing[e.Path]
	t.keep(e.ID, key, f)
}

func (t *files) keep(id trace.FileID, key inode, f *file) {
	if len(t.young.byID) >= generation {
		t.old = t.young
		t.young.byID, t.young.byInode = map[trace.FileID]*file{}, map[inode]*file{}
	}
	t.young.byID[id] = f
	if key.number != 0 {
		t.young.byInode[key] = f
	}
}

// get is the file with a number, nil for 0.
func (t *files) get(id trace.FileID) *file {
	if id == 0 {
		return nil
	}
	if f := t.young.byID[id]; f != nil {
		return f
	}
	f := t.old.byID[id]
	if f == nil {
		return t.unnamed
	}
	t.keep(id, inode{f.device, f.inode, trace.FileRegular}, f)
	return f
}

// Gone forgets files that no event refers to any more. One that an open interval counts is found again by its inode: it
// is not counted twice.
func (a *activity) Gone(files []trace.FileID) {
	gone, known := map[trace.FileID]bool{}, map[*file]bool{}
	for _, id := range files {
		gone[id] = true
	}
	for _, w := range a.open {
		for f := range w.files {
			known[f] = true
		}
	}
	tables := []*nameTable{&a.files.young, &a.files.old}
	for _, t := range tables {
		t.byID = only(t.byID, func(id trace.FileID, f *file) bool {
			known[f] = known[f] || !gone[id]
			return !gone[id]
		})
	}
	for _, t := range tables {
		t.byInode = only(t.byInode, func(_ inode, f *file) bool { return known[f] })
	}
}

// only is a map of those entries of another that are kept. That one would keep the room of the others.
func only[K comparable, V any](all map[K]V, keep func(K, V) bool) map[K]V {
	some := map[K]V{}
	for k, v := range all {
		if keep(k, v) {
			some[k] = v
		}
	}
	return some
}

// under takes note that a device is built on a file.
func (t *files) under(path string) {
	if path == "" || t.backing[path] || len(t.backing) >= maxDevices {
		return
	}
	t.backing[path] = true
	for _, byID := range []map[trace.FileID]*file{t.young.byID, t.old.byID} {
		for _, f := range byID {
			f.backing = f.backing || f.path == path
		}
	}
}

// fileUse is what was done to a file in an interval.
type fileUse struct {
	calls, device moved
	count, syncs  int64 // calls that moved data; that asked for it to be safe
	pid           uint32
}
