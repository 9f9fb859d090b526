package dtrace

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/macos"
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

// The layouts of both systems.
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
	layMmap     = layout{name: "address, length, protection, flags, fd, offset", fd: "arg4", length: "arg1", offset: "arg5",
		flags: "((arg2 & 0xff) | (arg3 << 8))", only: "(int)arg4 >= 0"}
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
	// Linux
	layCreat     = layout{name: "path (creat)", path: "arg0", flags: "01101"} // O_CREAT | O_WRONLY | O_TRUNC
	layFDOffLen  = layout{name: "fd, offset, length, flags", fd: "arg0", offset: "arg1", length: "arg2", flags: "arg3"}
	layFallocate = layout{name: "fd, mode, offset, length", fd: "arg0", flags: "arg1", offset: "arg2", length: "arg3"}
	layCopy      = layout{name: "fd, *offset, fd, *offset, length", fd: "arg0", fd2: "arg2", length: "arg4", offsetAt: "arg1", offset2At: "arg3"}
	laySendfile  = layout{name: "to fd, from fd, *offset, length", fd: "arg1", fd2: "arg0", length: "arg3", offsetAt: "arg2"}
	layTee       = layout{name: "fd, fd, length", fd: "arg0", fd2: "arg1", length: "arg2"}
)

// darwinLayouts gives the shapes of macOS calls their layout. Calls of a shape
// that is not listed are not traced: other probes tell more.
var darwinLayouts = map[macos.Shape]layout{
	macos.ShapeNone: layPlain, macos.ShapeIO: layIO, macos.ShapePIO: layPIO, macos.ShapeVec: layVec, macos.ShapePVec: layPVec,
	macos.ShapeGuardIO: layGuardIO, macos.ShapeGuardPIO: layGuardPIO, macos.ShapeGuardVec: layGuardVec,
	macos.ShapeOpen: layOpen, macos.ShapeOpenAt: layOpenAt, macos.ShapeGuardOpen: layGuardOpen, macos.ShapeOpenByID: layOpenByID,
	macos.ShapeClose: layFD, macos.ShapeDup: layFD, macos.ShapeDup2: layDup2, macos.ShapeFcntl: layFcntl, macos.ShapeSeek: laySeek,
	macos.ShapeFD: layFD, macos.ShapeFDBuf: layAttrBulk, macos.ShapePath: layPath, macos.ShapeAt: layAt,
	macos.ShapeTwoPaths: layTwoPaths, macos.ShapeTwoAt: layTwoAt, macos.ShapeSymlink: laySymlink, macos.ShapeSymlinkAt: laySymAt,
	macos.ShapeClone: layClone, macos.ShapeMmap: layMmap, macos.ShapeRange: layRange, macos.ShapeTruncate: layPathLen,
	macos.ShapeFtruncate: layFDLen, macos.ShapeSendfile: laySendMac, macos.ShapeAIO: layAIO, macos.ShapeAIOReturn: layAIO,
	macos.ShapeChdir: layPath, macos.ShapeFchdir: layFD,
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
)
