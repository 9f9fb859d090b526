//go:build linux

package ebpf

import (
	"cmp"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unique"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// fileTable turns the kernel's file numbers into trace.FileIDs. A file has one
// however often the kernel announces it, as long as it is among those announced
// last; after that it gets another one, and its device and inode say that it is
// the same. So the table does not grow with the files of a recording.
type fileTable struct {
	mu        sync.Mutex           // held to change what is also read by written
	ids       window[trace.FileID] // by the kernel's number
	states    window[fileState]    // by FileID
	names     recent[trace.FileID, identity]
	byPath    recent[string, trace.FileID]  // the file last seen under a path
	byNode    recent[nodeKey, trace.FileID] // the first ID of an inode
	next      trace.FileID
	turn      uint32                    // goes up as files age (forget.go); 0: they do not
	highest   uint32                    // of the kernel's numbers
	crowded   []unnamed                 // files that others left no room for: they age here
	reached   [validFor]uint32          // the highest as each of the last turns began
	unsynced  map[trace.DeviceID]string // where files lie that were written and whose names are forgotten
	mounts    mounts
	own       map[string]bool // files of the recorder itself
	renames   renames
	changes   changes
	stamps    stamps
	locations whereabouts
}

// knownFiles is how many files have names at least, a third of a kilobyte each.
const knownFiles = 1 << 15

type identity struct {
	path    string
	host    string  // the path in our mount namespace, if it is that of another one
	moved   string  // its name since it was renamed
	renames int32   // directories that had been renamed when it got this name
	turn    uint32  // when it was announced last, or lasting
	number  uint32  // the probes' that it was announced by last; 0: none
	node    nodeKey // zero for a path that led to no file
	size    int64   // when the inode was first seen
}

type nodeKey struct {
	device trace.DeviceID
	inode  uint64
}

// fileState is what is known about an inode, whatever its names. That of its
// first ID counts.
type fileState struct {
	first   trace.FileID // 0 for a path that led to no file
	latest  trace.FileID // its latest name
	writer  uint32       // process that wrote it last
	regular bool
	deleted bool
	own     bool // the recorder's
	used    bool // by a recorded process
	dirtied bool // by a recorded process
	shared  bool // several recorded processes wrote it
}

func newFileTable() *fileTable {
	t := &fileTable{
		names:     newRecent[trace.FileID, identity](knownFiles),
		byPath:    newRecent[string, trace.FileID](knownFiles),
		byNode:    newRecent[nodeKey, trace.FileID](knownFiles),
		next:      1,
		unsynced:  map[trace.DeviceID]string{},
		own:       openPaths(),
		changes:   newChanges(),
		stamps:    stamps{since: time.Now().Add(-coarse)},
		locations: whereabouts{},
	}
	t.names.dropped = t.forget
	t.mounts.stamps = t.changes.add
	t.mounts.read()
	return t
}

// openPaths lists the regular files this process has open: the trace above all.
func openPaths() map[string]bool {
	own := map[string]bool{}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return own
	}
	for _, e := range entries {
		fd, _ := strconv.Atoi(e.Name())
		var st unix.Stat_t
		if fd < 3 || unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
			continue
		}
		if p, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil {
			own[p] = true
		}
	}
	return own
}

// announce takes a record of struct ident; the second result is false if the
// file was known already.
func (t *fileTable) announce(r *iotraceIdent, names []byte, base int64) (trace.File, bool) {
	f := t.read(r, names, base)
	t.mu.Lock()
	defer t.mu.Unlock()
	node := nodeKey{f.Device, f.Inode}
	id, known := t.byPath.get(f.Path)
	if known {
		name, _ := t.names.get(id)
		known = name.node == node && name.host == f.Host && t.states.at(uint32(id)) != nil
	}
	if !known {
		id = t.identify(identity{path: f.Path, host: f.Host, turn: t.turnOf(&f), node: node, size: f.Size},
			f.Flags&trace.FileDeleted == 0)
	}
	t.describe(&f, id, r.File)
	t.renew(id)
	*t.ids.add(r.File) = id
	t.highest = max(t.highest, r.File)
	f.ID = id
	return f, !known
}

// read makes a file of a record.
func (t *fileTable) read(r *iotraceIdent, names []byte, base int64) trace.File {
	f := trace.File{
		Time:   max(int64(r.Time)-base, 0), // a file may be announced before recording began
		Device: trace.DeviceID(r.Dev),
		Inode:  r.Ino,
		Size:   int64(r.Size),
		Type:   fileType(r.Mode),
		FSType: unique.Make(cString(r.Fstype[:])).Value(), // few types have many files
	}
	if iotraceIdentFlags(r.Flags)&iotraceIdentFlagsIDENT_DELETED != 0 && f.Type != trace.FilePipe &&
		f.Type != trace.FileSocket {
		f.Flags |= trace.FileDeleted
	}
	if iotraceIdentFlags(r.Flags)&iotraceIdentFlagsIDENT_CUT != 0 {
		f.Flags |= trace.FileTruncated
	}
	if f.Type == trace.FileRegular && iotraceIdentFlags(r.Flags)&iotraceIdentFlagsIDENT_SYNC != 0 {
		f.Flags |= trace.FileSynchronous
	}
	t.place(&f, r, names)
	if f.Type == trace.FileRegular && (iotraceIdentFlags(r.Flags)&iotraceIdentFlagsIDENT_ALONE != 0 || neverNamed(&f)) {
		f.Flags |= trace.FileUnlinked
	}
	return f
}

// place says how the file of a record is called, and on which mount it is.
func (t *fileTable) place(f *trace.File, r *iotraceIdent, names []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	name, on := pathOf(&t.mounts, f, r, names)
	f.Path = name
	if iotraceIdentFlags(r.Flags)&iotraceIdentFlagsIDENT_ELSEWHERE != 0 {
		on = t.locate(f, r.File)
	}
	if trace.MakeDeviceID(on.Major, on.Minor) == f.Device { // not that of a layer
		f.Mount = on.Point
	}
	if f.Type == trace.FileRegular || f.Type == trace.FileDirectory {
		t.mounts.use(on)
	}
}

// identify gives a new ID to a file, or to a path that led to none.
func (t *fileTable) identify(i identity, named bool) trace.FileID {
	id := t.next
	t.next++
	i.renames = int32(len(t.renames))
	t.names.put(id, i)
	if named {
		t.byPath.put(i.path, id)
	}
	*t.states.add(uint32(id)) = fileState{}
	return id
}

// describe notes what an announcement by a number says about the inode of an ID.
func (t *fileTable) describe(f *trace.File, id trace.FileID, number uint32) {
	node := nodeKey{f.Device, f.Inode}
	first, known := t.byNode.get(node)
	if known && t.states.at(uint32(first)) == nil {
		known = false
	}
	if !known {
		first = id
		t.byNode.put(node, id)
	}
	now, _ := t.names.get(id)
	if name, ok := t.names.get(first); ok {
		now.size, now.moved, now.renames = name.size, "", int32(len(t.renames))
	}
	now.number = number
	t.names.put(id, now)
	t.states.at(uint32(id)).first = first
	s := t.states.at(uint32(first))
	s.first, s.latest = first, id
	s.regular = f.Type == trace.FileRegular
	s.deleted = f.Flags&trace.FileDeleted != 0
	s.own = s.own || t.own[f.Path]
}

// named gives an ID to a path that a call used, whether it exists or not.
func (t *fileTable) named(name string, now int64) (trace.File, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.byPath.get(name); ok && t.renew(id) {
		return trace.File{ID: id}, false
	}
	id := t.identify(identity{path: name, turn: t.turn}, true)
	f := trace.File{Time: now, ID: id, Path: name}
	if strings.HasPrefix(name, "/") {
		on := host.MountOf(t.mounts.list, name) // unless it was mounted since the list was read
		f.FSType, f.Mount = on.FSType, on.Point
	}
	return f, true
}

// addressed gives an ID to the address of a socket.
func (t *fileTable) addressed(name string, now int64) (trace.File, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.byPath.get(name); ok && t.renew(id) {
		return trace.File{ID: id}, false
	}
	return trace.AddressFile(t.identify(identity{path: name, turn: t.turn}, true), name, now), true
}

// id translates a kernel number; 0 if its announcement was lost.
func (t *fileTable) id(number uint32) trace.FileID {
	if id := t.ids.at(number); id != nil {
		return *id
	}
	return 0
}

// known tells whether a kernel number has been announced.
func (t *fileTable) known(number uint32) bool { return t.ids.find(number) != nil }

// path is the name of a file, "" if that is forgotten.
func (t *fileTable) path(id trace.FileID) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	name, _ := t.names.get(id)
	return name.path
}

// at is the inode behind an ID, nil if it has none.
func (t *fileTable) at(id trace.FileID) *fileState {
	s := t.states.at(uint32(id))
	switch {
	case s == nil || s.first == 0:
		return nil
	case s.first == id:
		return s
	}
	if first := t.states.at(uint32(s.first)); first != nil {
		return first
	}
	return s
}

// renamed notes the new name of a file or a directory.
func (t *fileTable) renamed(from, to trace.FileID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before, _ := t.names.get(from)
	after, ok := t.names.get(to)
	id, _ := t.byPath.get(before.path)
	if state := t.at(id); ok && state != nil {
		if name, ok := t.names.get(state.latest); ok {
			name.moved, name.renames = after.here(), int32(len(t.renames))
			t.names.put(state.latest, name)
		}
	}
	if state := t.at(id); ok && before.path != "" && (state == nil || !state.regular) {
		t.renames.add(before.here(), after.here())
	}
}

// wrote notes that a recorded process changed the data of a file.
func (t *fileTable) wrote(id trace.FileID, pid uint32) {
	s := t.at(id)
	if s == nil || s.writer == pid && s.dirtied {
		return
	}
	t.mu.Lock()
	s.used, s.dirtied = true, true
	s.shared = s.shared || s.writer != 0 && s.writer != pid
	s.writer = pid
	t.changed(id)
	t.mu.Unlock()
}

func (t *fileTable) touched(id trace.FileID) {
	if s := t.at(id); s != nil && !s.used {
		s.used = true
		t.stamps.expect(id)
	}
}

// latest is the state of a regular file with a name if this ID is its latest,
// else nil. It does not count as asking.
func (t *fileTable) latest(id trace.FileID) *fileState {
	s := t.states.find(uint32(id))
	if s == nil || s.value.first == 0 {
		return nil
	}
	if first := t.states.find(uint32(s.value.first)); first != nil {
		s = first
	}
	if s.value.latest != id || !s.value.regular || s.value.deleted {
		return nil
	}
	return &s.value
}

// written lists regular files with a name that recorded processes wrote. A file
// system that has more of them than are known is listed by a path without an
// inode.
func (t *fileTable) written() []trace.File {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []trace.File
	types := map[trace.DeviceID]string{} // of file systems
	t.each(func(_ trace.FileID, name identity, s *fileState) {
		if !s.dirtied {
			return
		}
		on, known := types[name.node.device]
		if !known {
			on = t.mounts.find(name.node.device, name.here()).FSType
			types[name.node.device] = on
		}
		list = append(list, trace.File{Path: name.here(), Device: name.node.device, Inode: name.node.inode, FSType: on})
	})
	for device, path := range t.unsynced {
		list = append(list, trace.File{Path: path, Device: device})
	}
	return list
}

// everUsed lists regular files with a name that recorded processes used, as far
// as they are known.
func (t *fileTable) everUsed() []tracer.UsedFile {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []tracer.UsedFile
	t.each(func(id trace.FileID, name identity, s *fileState) {
		if s.used && !s.own {
			path := t.renames.place(cmp.Or(name.moved, name.here()), name.renames)
			list = append(list, tracer.UsedFile{
				ID: id, Path: path, Inode: name.node.inode, Size: name.size, Written: s.dirtied,
			})
		}
	})
	return list
}

// each visits the regular files with a name that are known, each once.
func (t *fileTable) each(visit func(trace.FileID, identity, *fileState)) {
	for id, name := range t.names.all() {
		if s := t.latest(id); s != nil {
			visit(id, name, s)
		}
	}
}
