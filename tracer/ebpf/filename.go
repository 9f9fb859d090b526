//go:build linux

package ebpf

import (
	"bytes"
	"cmp"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// pathOf joins the names of a record, which come last name first, each with a
// NUL behind it. The mount is one of ours, if the file is on one.
func pathOf(m *mounts, f *trace.File, r *iotraceIdent, names []byte) (string, host.Mount) {
	parts := bytes.Split(bytes.TrimSuffix(names, []byte{0}), []byte{0})
	flags := iotraceIdentFlags(r.Flags)
	switch {
	case f.Type == trace.FilePipe && f.FSType == "pipefs":
		return "pipe:[" + strconv.FormatUint(f.Inode, 10) + "]", host.Mount{}
	case f.Type == trace.FileSocket && f.FSType == "sockfs":
		return "socket:[" + strconv.FormatUint(f.Inode, 10) + "]", host.Mount{}
	case f.FSType == "anon_inodefs":
		f.Type = trace.FileAnon
		return "anon_inode:" + string(parts[0]), host.Mount{}
	}
	var b strings.Builder
	b.Grow(len(names) + len("…")) // a slash for each NUL: many names are kept, and would keep unused room
	if flags&iotraceIdentFlagsIDENT_CUT != 0 {
		b.WriteString("…")
	}
	for i := len(parts) - 1; i >= 0; i-- {
		if len(parts[i]) > 0 {
			b.WriteByte('/')
			b.Write(parts[i])
		}
	}
	name := b.String()
	switch {
	case name == "":
		name = "/"
	case name == "//" && flags&iotraceIdentFlagsIDENT_ALONE != 0: // opened by its number: no directory is known
		name = "/#" + strconv.FormatUint(f.Inode, 10)
		flags |= iotraceIdentFlagsIDENT_FS_ROOT
	}
	if flags&iotraceIdentFlagsIDENT_FS_ROOT != 0 {
		on, there := m.shows(f.Device, name)
		return cmp.Or(there, name), on
	}
	if flags&iotraceIdentFlagsIDENT_ELSEWHERE != 0 {
		return name, host.Mount{} // what is mounted there is not ours
	}
	return name, m.find(f.Device, name)
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

// neverNamed recognises a file made by O_TMPFILE: the kernel calls it by its
// inode number (d_mark_tmpfile, fs/dcache.c).
func neverNamed(f *trace.File) bool {
	return f.Flags&trace.FileDeleted != 0 && path.Base(f.Path) == "#"+strconv.FormatUint(f.Inode, 10)
}
