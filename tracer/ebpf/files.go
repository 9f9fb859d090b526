//go:build linux

package ebpf

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// fileTable turns the kernel's file numbers into trace.FileIDs: one per
// (device, inode, path), however often the kernel announces it.
type fileTable struct {
	mu     sync.Mutex
	ids    []trace.FileID // kernel number → ID
	files  []fileState    // ID → state; 0 is not used
	byKey  map[fileKey]trace.FileID
	byPath map[string]trace.FileID // the file last seen under a path
	byNode map[nodeKey]*node
	mounts mounts
	own    map[string]bool // files of the recorder itself
}

type fileKey struct {
	device trace.DeviceID
	inode  uint64
	path   string
}

type nodeKey struct {
	device trace.DeviceID
	inode  uint64
}

type fileState struct {
	path string
	node *node // nil for a path that led to no file
}

// node is what is known about an inode, whatever its names.
type node struct {
	key     nodeKey
	id      trace.FileID // its latest name
	regular bool
	moved   string // its name since it was renamed
	size    int64  // when it was first seen
	deleted bool
	own     bool   // the recorder's
	used    bool   // by a recorded process
	dirtied bool   // by a recorded process
	writer  uint32 // process that wrote it last
	shared  bool   // several recorded processes wrote it
}

func newFileTable() *fileTable {
	t := &fileTable{
		files:  make([]fileState, 1),
		byKey:  map[fileKey]trace.FileID{},
		byPath: map[string]trace.FileID{},
		byNode: map[nodeKey]*node{},
		own:    openPaths(),
	}
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
	f := trace.File{
		Time:   int64(r.Time) - base,
		Device: trace.DeviceID(r.Dev),
		Inode:  r.Ino,
		Size:   int64(r.Size),
		Type:   fileType(r.Mode),
		FSType: cString(r.Fstype[:]),
	}
	f.Path = t.path(&f, r, names)
	if r.Flags&identDeleted != 0 && f.Type != trace.FilePipe && f.Type != trace.FileSocket {
		f.Flags |= trace.FileDeleted
	}
	if r.Flags&identCut != 0 {
		f.Flags |= trace.FileTruncated
	}
	if f.Type == trace.FileRegular && (r.Flags&identAlone != 0 || neverNamed(&f)) {
		f.Flags |= trace.FileUnlinked
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	key := fileKey{f.Device, f.Inode, f.Path}
	id, known := t.byKey[key]
	if !known {
		id = trace.FileID(len(t.files))
		t.byKey[key] = id
		t.files = append(t.files, fileState{path: f.Path, node: t.node(&f, id)})
	}
	for int(r.File) >= len(t.ids) {
		t.ids = append(t.ids, make([]trace.FileID, 1+len(t.ids))...)
	}
	t.ids[r.File] = id
	if f.Flags&trace.FileDeleted == 0 {
		t.byPath[f.Path] = id
	}
	f.ID = id
	return f, !known
}

// neverNamed recognises a file made by O_TMPFILE: the kernel calls it by its
// inode number (d_mark_tmpfile, fs/dcache.c).
func neverNamed(f *trace.File) bool {
	return f.Flags&trace.FileDeleted != 0 && path.Base(f.Path) == "#"+strconv.FormatUint(f.Inode, 10)
}

func (t *fileTable) node(f *trace.File, id trace.FileID) *node {
	key := nodeKey{f.Device, f.Inode}
	n := t.byNode[key]
	if n == nil {
		n = &node{key: key, regular: f.Type == trace.FileRegular, size: f.Size}
		t.byNode[key] = n
	}
	n.id, n.moved = id, ""
	n.deleted = f.Flags&trace.FileDeleted != 0
	n.own = n.own || t.own[f.Path]
	return n
}

// named gives an ID to a path that a call used, whether it exists or not.
func (t *fileTable) named(name string, now int64) (trace.File, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if id, ok := t.byPath[name]; ok {
		return trace.File{ID: id}, false
	}
	id := trace.FileID(len(t.files))
	t.files = append(t.files, fileState{path: name})
	t.byPath[name] = id
	return trace.File{Time: now, ID: id, Path: name}, true
}

// id translates a kernel number; 0 if its announcement was lost.
func (t *fileTable) id(number uint32) trace.FileID {
	if int(number) < len(t.ids) {
		return t.ids[number]
	}
	return 0
}

// at is the inode behind an ID, nil if it has none.
func (t *fileTable) at(id trace.FileID) *node {
	if int(id) < len(t.files) {
		return t.files[id].node
	}
	return nil
}

// wrote notes that a recorded process changed the data of a file.
func (t *fileTable) wrote(id trace.FileID, pid uint32) {
	n := t.at(id)
	if n == nil {
		return
	}
	if n.writer == pid && n.dirtied {
		return
	}
	t.mu.Lock()
	n.used, n.dirtied = true, true
	n.shared = n.shared || n.writer != 0 && n.writer != pid
	n.writer = pid
	t.mu.Unlock()
}

func (t *fileTable) touched(id trace.FileID) {
	if n := t.at(id); n != nil {
		n.used = true
	}
}

// renamed notes the new name of a file.
func (t *fileTable) renamed(from, to trace.FileID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if int(from) >= len(t.files) || int(to) >= len(t.files) {
		return
	}
	if n := t.at(t.byPath[t.files[from].path]); n != nil {
		n.moved = t.files[to].path
	}
}

// written lists regular files with a name that recorded processes wrote.
func (t *fileTable) written() []tracer.WrittenFile {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []tracer.WrittenFile
	for _, n := range t.byNode {
		if n.dirtied && n.regular && !n.deleted {
			list = append(list, tracer.WrittenFile{Path: t.files[n.id].path, Device: n.key.device, Inode: n.key.inode})
		}
	}
	return list
}

// everUsed lists regular files with a name that recorded processes used.
func (t *fileTable) everUsed() []tracer.UsedFile {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []tracer.UsedFile
	for _, n := range t.byNode {
		if n.used && n.regular && !n.deleted && !n.own {
			path := t.files[n.id].path
			if n.moved != "" {
				path = n.moved
			}
			list = append(list, tracer.UsedFile{ID: n.id, Path: path, Inode: n.key.inode, Size: n.size, Written: n.dirtied})
		}
	}
	return list
}

const (
	identDeleted = 1 // IDENT_DELETED in bpf/iotrace.h
	identCut     = 2
	identFSRoot  = 4
	identAlone   = 8
)

// path joins the names of a record, which come last name first, each with a
// NUL behind it.
func (t *fileTable) path(f *trace.File, r *iotraceIdent, names []byte) string {
	parts := bytes.Split(bytes.TrimSuffix(names, []byte{0}), []byte{0})
	switch {
	case f.Type == trace.FilePipe && f.FSType == "pipefs":
		return "pipe:[" + strconv.FormatUint(f.Inode, 10) + "]"
	case f.Type == trace.FileSocket && f.FSType == "sockfs":
		return "socket:[" + strconv.FormatUint(f.Inode, 10) + "]"
	case f.FSType == "anon_inodefs":
		f.Type = trace.FileAnon
		return "anon_inode:" + string(parts[0])
	}
	var b strings.Builder
	if r.Flags&identCut != 0 {
		b.WriteString("…")
	}
	for i := len(parts) - 1; i >= 0; i-- {
		if len(parts[i]) > 0 {
			b.WriteByte('/')
			b.Write(parts[i])
		}
	}
	name := b.String()
	if name == "" {
		name = "/"
	}
	m := t.mounts.find(f.Device, name, r.Flags&identFSRoot != 0)
	f.Mount = m.point
	if r.Flags&identFSRoot != 0 && m.point != "" {
		name = path.Join(m.point, strings.TrimPrefix(name, m.root))
	}
	return name
}

func fileType(mode uint16) trace.FileType {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return trace.FileRegular
	case unix.S_IFDIR:
		return trace.FileDirectory
	case unix.S_IFLNK:
		return trace.FileSymlink
	case unix.S_IFIFO:
		return trace.FilePipe
	case unix.S_IFSOCK:
		return trace.FileSocket
	case unix.S_IFBLK:
		return trace.FileBlock
	case unix.S_IFCHR:
		return trace.FileChar
	case 0:
		return trace.FileAnon
	}
	return trace.FileUnknown
}

func cString(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
