package dtrace

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// layout says which arguments of a call go into which columns of its line: D
// expressions over the arguments at entry. Empty columns print as none (-1, 0
// or an empty text).
type layout struct {
	name   string // part of the scripts' comments
	fd     string
	fd2    string
	length string
	offset string
	flags  string
	path   string // pointer
	path2  string // pointer
	// offsetAt and offset2At point to offsets that the call moved by its result.
	offsetAt  string
	offset2At string
	only      string // the calls that count, as a predicate at entry
}

// The layouts of macOS.
var (
	layIO       = layout{name: "fd, buffer, length", fd: "arg0", length: "arg2"}
	layPIO      = layout{name: "fd, buffer, length, offset", fd: "arg0", length: "arg2", offset: "arg3"}
	layVec      = layout{name: "fd, vector, count", fd: "arg0"}
	layPVec     = layout{name: "fd, vector, count, offset", fd: "arg0", offset: "arg3"}
	layOpen     = layout{name: "path, flags", path: "arg0", flags: "arg1"}
	layOpenAt   = layout{name: "dirfd, path, flags", fd2: "arg0", path: "arg1", flags: "arg2"}
	layFD       = layout{name: "fd", fd: "arg0"}
	layFDLen    = layout{name: "fd, length", fd: "arg0", length: "arg1"}
	layFcntl    = layout{name: "fd, command, argument", fd: "arg0", flags: "arg1", length: "arg2"}
	laySeek     = layout{name: "fd, offset, whence", fd: "arg0", flags: "arg2"}
	layDup2     = layout{name: "fd, new fd", fd: "arg0", fd2: "arg1"}
	layPath     = layout{name: "path", path: "arg0"}
	layPathLen  = layout{name: "path, length", path: "arg0", length: "arg1"}
	layAt       = layout{name: "dirfd, path", fd: "arg0", path: "arg1"}
	layTwoPaths = layout{name: "path, path", path: "arg0", path2: "arg1"}
	layTwoAt    = layout{name: "dirfd, path, dirfd, path", fd: "arg0", path: "arg1", fd2: "arg2", path2: "arg3"}
	laySymlink  = layout{name: "(target), path", path2: "arg1"}
	laySymAt    = layout{name: "(target), dirfd, path", fd2: "arg1", path2: "arg2"}
	layMmap     = layout{name: "address, length, protection, flags, fd, offset", fd: "arg4", length: "arg1",
		offset: "arg5", flags: "((arg2 & 0xff) | (arg3 << 8))", only: "(int)arg4 >= 0"}
	layRange = layout{name: "address, length", offset: "arg0", length: "arg1"}
	layPlain = layout{name: "nothing of interest"}
	// macOS
	layGuardIO   = layout{name: "fd, guard, buffer, length", fd: "arg0", length: "arg3"}
	layGuardPIO  = layout{name: "fd, guard, buffer, length, offset", fd: "arg0", length: "arg3", offset: "arg4"}
	layGuardVec  = layout{name: "fd, guard, vector, count", fd: "arg0"}
	layGuardOpen = layout{name: "path, guard, guard flags, flags", path: "arg0", flags: "arg3"}
	layOpenByID  = layout{name: "file system, object, flags", flags: "arg2"}
	layAttrBulk  = layout{name: "fd, list, buffer, length", fd: "arg0", length: "arg3"}
	layClone     = layout{name: "fd, dirfd, path", fd: "arg0", fd2: "arg1", path2: "arg2"}
	laySendMac   = layout{name: "fd, socket, offset", fd: "arg0", fd2: "arg1", offset: "arg2"}
	layAIO       = layout{name: "aiocb", offset: "arg0"}
)

// linuxLayout makes the columns of a shape from the places of its arguments. The
// descriptor that a path starts from is in the first column where nothing else
// is.
func linuxLayout(s linux.Shape) *layout {
	a := s.Args()
	l := layout{name: strings.ReplaceAll(s.String(), ", …", ""), fd: argument(a.FD), fd2: argument(a.FD2),
		length: argument(a.Length), offset: argument(a.Offset), flags: argument(a.Flags), path: argument(a.Path),
		path2: argument(a.Path2), offsetAt: argument(a.OffsetAt), offset2At: argument(a.Offset2At)}
	if l.fd == "" {
		l.fd = argument(a.Dir)
	}
	if a.Dir2 != 0 {
		l.fd2 = argument(a.Dir2)
	}
	switch s {
	case linux.ShapeOpenAt: // the first column is the result's
		l.fd, l.fd2 = "", argument(a.Dir)
	case linux.ShapeOpenAt2:
		l.fd, l.fd2, l.flags = "", argument(a.Dir), fmt.Sprintf("*(uint64_t *)copyin(%s, 8)", argument(a.Flags))
	case linux.ShapeClone3:
		l.flags = fmt.Sprintf("*(uint64_t *)copyin(%s, 8)", argument(a.Flags))
	case linux.ShapeCreat:
		l.flags = "01101" // O_CREAT | O_WRONLY | O_TRUNC
	case linux.ShapeSeek:
		l.offset = "" // the result says it
	case linux.ShapeMmap:
		l.flags = "((arg2 & 0xff) | (arg3 << 8))"
		l.only = "(int)arg4 >= 0"
	case linux.ShapeMemory:
		l.flags = ""
	case linux.ShapeSend, linux.ShapeMessage:
		l.only = fmt.Sprintf("!(%s & %d)", l.flags, linux.MsgPeek)
		l.flags = ""
	}
	return &l
}

// argument is D's name for an argument, counted from 1; empty for none.
func argument(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("arg%d", n-1)
}

// darwinLayouts gives the shapes of macOS calls their layout. Calls of a shape
// that is not listed are not traced: other probes tell more.
var darwinLayouts = map[macos.Shape]layout{
	macos.ShapeNone: layPlain, macos.ShapeIO: layIO, macos.ShapePIO: layPIO, macos.ShapeVec: layVec,
	macos.ShapePVec: layPVec, macos.ShapeGuardIO: layGuardIO, macos.ShapeGuardPIO: layGuardPIO,
	macos.ShapeGuardVec: layGuardVec, macos.ShapeOpen: layOpen, macos.ShapeOpenAt: layOpenAt,
	macos.ShapeGuardOpen: layGuardOpen, macos.ShapeOpenByID: layOpenByID,
	macos.ShapeClose: layFD, macos.ShapeDup: layFD, macos.ShapeDup2: layDup2, macos.ShapeFcntl: layFcntl,
	macos.ShapeSeek: laySeek, macos.ShapeFD: layFD, macos.ShapeFDBuf: layAttrBulk, macos.ShapePath: layPath,
	macos.ShapeAt: layAt, macos.ShapeTwoPaths: layTwoPaths, macos.ShapeTwoAt: layTwoAt, macos.ShapeSymlink: laySymlink,
	macos.ShapeSymlinkAt: laySymAt, macos.ShapeClone: layClone, macos.ShapeMmap: layMmap, macos.ShapeRange: layRange,
	macos.ShapeTruncate: layPathLen, macos.ShapeFtruncate: layFDLen, macos.ShapeSendfile: laySendMac,
	macos.ShapeAIO: layAIO, macos.ShapeAIOReturn: layAIO, macos.ShapeChdir: layPath, macos.ShapeFchdir: layFD,
}

// call is one system call of a platform.
type call struct {
	probe string // name of its probe
	name  string // as users know it; the probe's if empty
	op    trace.Op
	shape shape
	lay   *layout
}

// shape says how the reader treats a line, beyond its columns.
type shape uint8

const (
	shOther    shape = iota // a path or a descriptor, nothing more
	shIO                    // moves data at the descriptor's offset
	shPIO                   // moves data at its own offset
	shVec                   // as shIO; its length is not known
	shPVec                  // as shPIO; its length is not known
	shCopy                  // moves data between descriptors
	shOpen                  // the result is a descriptor
	shClose                 //
	shDup                   //
	shCloses                //
	shFcntl                 //
	shSeek                  //
	shTruncate              // gives a file a size
	shRename                //
	shUnlink                //
	shClone                 // makes a file
	shMmap                  //
	shRange                 // an address range
	shAIO                   //
	shChdir                 // changes where relative paths start; no event
	shIoctl                 //
	shFork                  // makes a process or a thread
)
