package fdtable

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// Identify tells what a path is on the recording machine while it is recorded:
// device, inode, size, type and file system. It fills in what it can; the
// path and the ID are already set. Nil when a text is imported.
type Identify func(*trace.File)

// Files gives each path a FileID and remembers what happened to it.
type Files struct {
	identify Identify
	emit     func(*trace.File) error
	ids      map[string]trace.FileID
	files    []file // by FileID - 1
	known    uint32 // counts ForgetSizes: sizes learnt before are void
	names    int    // bytes of the paths in ids
	unnamed  int
	Overflow uint64 // paths that got no ID
}

type file struct {
	path    string // where it is now; empty once unlinked
	size    int64  // trace.NoOffset if not known
	known   uint32 // Files.known when it was learnt
	device  trace.DeviceID
	inode   uint64
	writer  uint32 // process that wrote it first, 0 if none has
	shared  bool   // several processes wrote it
	regular bool
	stream  bool // has no offsets
	unnamed bool // opened by a name that is not known
}

// NewFiles returns an empty register. emit is called once for each file, before
// its ID is used.
func NewFiles(emit func(*trace.File) error, identify Identify) *Files {
	return &Files{emit: emit, identify: identify, ids: map[string]trace.FileID{}}
}

// ID returns the ID of the file that has a name now, giving it one at first
// sight. The empty path is no file.
func (f *Files) ID(path []byte, now int64, flags trace.FileFlags) (trace.FileID, error) {
	if len(path) == 0 {
		return 0, nil
	}
	if id, ok := f.ids[string(path)]; ok {
		return id, nil
	}
	return f.add(string(path), now, flags)
}

// Named is ID for a text.
func (f *Files) Named(path string, now int64, flags trace.FileFlags) (trace.FileID, error) {
	if path == "" {
		return 0, nil
	}
	if id, ok := f.ids[path]; ok {
		return id, nil
	}
	return f.add(path, now, flags)
}

// Addressed is ID for the address of a socket.
func (f *Files) Addressed(address string, now int64) (trace.FileID, error) {
	if id, ok := f.ids[address]; ok || address == "" {
		return id, nil
	}
	if f.names+len(address) > maxNames {
		f.Overflow++
		return 0, nil
	}
	id, err := f.enter(file{stream: true}, trace.AddressFile(0, address, now))
	if id != 0 {
		f.ids[address] = id
		f.names += len(address)
	}
	return id, err
}

// Note says of which files the events do not tell, "" if of all.
func (f *Files) Note() string {
	if f.Overflow == 0 {
		return ""
	}
	return fmt.Sprintf("uses of files without their names, as there are more names than are remembered (%d of them, "+
		"%d MiB in all): %d", MaxFiles, maxNames>>20, f.Overflow)
}

// Has reports whether a name, which is not empty, is that of a file now: it is what ID tells, without a search.
func (f *Files) Has(id trace.FileID, name []byte) bool { return f.Path(id) == string(name) }

// Find returns the ID of a path that has been seen.
func (f *Files) Find(path []byte) (trace.FileID, bool) {
	id, ok := f.ids[string(path)]
	return id, ok
}

// Paths lists the names that are known now.
func (f *Files) Paths() []string {
	list := make([]string, 0, len(f.ids))
	for path := range f.ids {
		list = append(list, path)
	}
	return list
}

// Anonymous registers a file without a name: a pipe or a socket.
func (f *Files) Anonymous(kind trace.FileType, label string, now int64) (trace.FileID, error) {
	return f.enter(file{stream: true}, trace.File{Time: now, Path: label, Type: kind, Flags: trace.FileUnlinked})
}

// Unnamed registers a file that was opened by a name that is not known. Its label tells it from all others.
func (f *Files) Unnamed(now int64) (trace.FileID, error) {
	f.unnamed++
	return f.enter(file{unnamed: true}, trace.File{Time: now, Path: fmt.Sprintf("%s[%d]", trace.Unnamed, f.unnamed)})
}

// enter gives an ID to a file that has no path.
func (f *Files) enter(x file, e trace.File) (trace.FileID, error) {
	if len(f.files) >= MaxFiles {
		f.Overflow++
		return 0, nil
	}
	x.size = trace.NoOffset
	f.files = append(f.files, x)
	e.ID = trace.FileID(len(f.files))
	return e.ID, f.emit(&e)
}

// IsUnnamed reports whether a file is one of Unnamed.
func (f *Files) IsUnnamed(id trace.FileID) bool {
	e := f.get(id)
	return e != nil && e.unnamed
}

func (f *Files) add(path string, now int64, flags trace.FileFlags) (trace.FileID, error) {
	if len(f.files) >= MaxFiles || f.names+len(path) > maxNames {
		f.Overflow++
		return 0, nil
	}
	id := trace.FileID(len(f.files) + 1)
	e := trace.File{Time: now, ID: id, Path: path, Flags: flags}
	if !strings.HasPrefix(path, "/") {
		e.Type, e.Inode = nameless(path)
	} else if f.identify != nil {
		f.identify(&e)
	}
	f.files = append(f.files, file{path: path, size: trace.NoOffset, device: e.Device, inode: e.Inode,
		regular: e.Type == trace.FileRegular || e.Type == trace.FileUnknown,
		stream:  e.Type == trace.FileChar || e.Type == trace.FilePipe || e.Type == trace.FileSocket})
	f.ids[path] = id
	f.names += len(path)
	return id, f.emit(&e)
}

// nameless says what it is that has no path, by what proc(5) shows of it under /proc/PID/fd, and tools with it.
func nameless(label string) (is trace.FileType, inode uint64) {
	kind, number, _ := strings.Cut(strings.TrimSuffix(label, "]"), ":[")
	switch kind {
	case "pipe":
		is = trace.FilePipe
	case "socket", "TCP", "TCPv6", "UDP", "UDPv6", "UNIX", "UNIX-STREAM", "UNIX-DGRAM", "UNIX-SEQPACKET", "NETLINK":
		is = trace.FileSocket // by protocol in the words of strace -yy
	}
	if strings.HasPrefix(label, "anon_inode:") {
		return trace.FileAnon, 0
	}
	inode, _ = strconv.ParseUint(number, 10, 64)
	return is, inode
}

func (f *Files) get(id trace.FileID) *file {
	if id == 0 || int(id) > len(f.files) {
		return nil
	}
	return &f.files[id-1]
}

// Path is where a file is now; empty if it has no name any more.
func (f *Files) Path(id trace.FileID) string {
	if e := f.get(id); e != nil {
		return e.path
	}
	return ""
}

// Stream reports whether a file is one that has no offsets.
func (f *Files) Stream(id trace.FileID) bool {
	e := f.get(id)
	return e != nil && e.stream
}

// Identified reports whether a file was there when it was first named.
func (f *Files) Identified(id trace.FileID) bool {
	e := f.get(id)
	return e != nil && e.inode != 0
}

// Size is the size of a file as far as its calls tell, trace.NoOffset if they
// do not: a size is known from a truncation (O_TRUNC, ftruncate) on.
func (f *Files) Size(id trace.FileID) int64 {
	if e := f.get(id); e != nil && e.known == f.known {
		return e.size
	}
	return trace.NoOffset
}

// Truncated records that a file was given a size.
func (f *Files) Truncated(id trace.FileID, size int64) {
	if e := f.get(id); e != nil && size >= 0 {
		e.size, e.known = size, f.known
	}
}

// Wrote records that a process wrote n bytes at an offset (trace.NoOffset if
// not known).
func (f *Files) Wrote(id trace.FileID, pid uint32, off, n int64) {
	e := f.get(id)
	if e == nil {
		return
	}
	switch e.writer {
	case 0:
		e.writer = pid
	case pid:
	default:
		e.shared = true
	}
	switch {
	case e.size == trace.NoOffset || e.known != f.known:
	case off == trace.NoOffset || off+n < off:
		e.size = trace.NoOffset
	case off+n > e.size:
		e.size = off + n
	}
}

// ForgetSizes is called after a loss, and when something was written that
// could have been any file.
func (f *Files) ForgetSizes() { f.known++ }

// Writer returns the process that wrote a file, and whether others did too.
func (f *Files) Writer(id trace.FileID) (pid uint32, shared bool) {
	if e := f.get(id); e != nil {
		return e.writer, e.shared
	}
	return 0, false
}

// Unlinked records that a name is gone: a file made there later is another one.
func (f *Files) Unlinked(path []byte) {
	if id, ok := f.ids[string(path)]; ok {
		delete(f.ids, string(path))
		f.names -= len(path)
		f.files[id-1].path = ""
	}
}

// Renamed records that a file moved to another name, replacing what was there.
// The ID of the new name (an event of its own: it is what the call's File2
// refers to) stands for the file from now on.
func (f *Files) Renamed(from, to []byte, now int64) (trace.FileID, error) {
	old := f.ids[string(from)]
	f.Unlinked(to)
	f.Unlinked(from)
	id, err := f.add(string(to), now, 0)
	if o, n := f.get(old), f.get(id); o != nil && n != nil {
		n.size, n.known, n.writer, n.shared = o.size, o.known, o.writer, o.shared
	}
	return id, err
}

// Exchanged records that two files got each other's names: each ID stands for its name, and so for the other file.
func (f *Files) Exchanged(one, two trace.FileID) {
	if a, b := f.get(one), f.get(two); a != nil && b != nil {
		a.size, b.size = b.size, a.size
		a.known, b.known = b.known, a.known
		a.writer, b.writer = b.writer, a.writer
		a.shared, b.shared = b.shared, a.shared
	}
}

// Written lists the named regular files that a process wrote.
func (f *Files) Written() (list []trace.File) {
	for i := range f.files {
		if e := &f.files[i]; e.writer != 0 && e.path != "" && e.regular {
			list = append(list, trace.File{Path: e.path, Device: e.device, Inode: e.inode})
		}
	}
	return list
}
