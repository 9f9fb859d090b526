package calls

import (
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/trace"
)

// Numbers of linux/fcntl.h, linux/mman.h, linux/fs.h and linux/falloc.h that are the same on amd64 and arm64.
const (
	cmdDup, cmdDupCloseOnExec     = 0, 1030
	cmdGetLock, cmdSetLockWait    = 5, 7
	cmdOFDGetLock, cmdOFDLockWait = 36, 38

	mapShared, mapAnonymous = 1, 0x20
	seekData, seekHole      = 3, 4
	punchHole, zeroRange    = 2, 0x10
	renameExchange          = 2

	closeOnExec = 0o2000000
)

// Arch is the architecture that numbers are taken to be of: what other tools print does not say it.
const Arch = "amd64"

// fill works out what a call did. It reports whether it is an event.
func (x *event) fill() bool {
	e, at := &x.e, &x.at
	switch x.shape {
	case linux.ShapeIO, linux.ShapePIO, linux.ShapeVec, linux.ShapePVec, linux.ShapePVec2, linux.ShapeSend,
		linux.ShapeMessage:
		if (x.shape == linux.ShapeSend || x.shape == linux.ShapeMessage) && x.number(at.Flags)&linux.MsgPeek != 0 {
			return false // it leaves the data where it is
		}
		x.moved()
	case linux.ShapeCopy, linux.ShapeSendfile, linux.ShapeTee:
		x.copied()
	case linux.ShapeOpen, linux.ShapeCreat, linux.ShapeOpenAt, linux.ShapeOpenAt2:
		x.opened()
	case linux.ShapeClose:
		x.fd(at.FD)
		x.effects.Closed(e)
	case linux.ShapeDup, linux.ShapeDup2:
		n, _ := x.open(at.FD)
		x.effects.Duplicated(e, n, x.number(3)&closeOnExec != 0)
	case linux.ShapeCloseMany:
		x.effects.ClosedRange(e, x.number(at.FD), x.number(at.FD2), x.number(at.Flags)&linux.CloseRangeOnExec != 0)
	case linux.ShapeFcntl:
		return x.fcntl()
	case linux.ShapeIoctl:
		return x.ioctl()
	case linux.ShapeSeek:
		x.sought()
	case linux.ShapeMmap:
		return x.mapped()
	case linux.ShapeClone:
		e.Op = linux.CloneOp(x.arg(at.Flags).Number)
	case linux.ShapeClone3: // its flags lie in memory; libraries of C make threads by it, and processes for posix_spawn
		e.Op, e.Flags = trace.OpSpawn, e.Flags|trace.FlagPartial
	case linux.ShapeMemory: // which file it is of stands in no argument
		e.Requested = x.number(at.Length)
	default:
		x.named()
	}
	return true
}

func (x *event) fcntl() bool {
	e, command := &x.e, x.number(x.at.Flags)
	x.fd(x.at.FD)
	if command == cmdDup || command == cmdDupCloseOnExec {
		x.effects.Duplicated(e, e.FD, command == cmdDupCloseOnExec)
	}
	return command >= cmdGetLock && command <= cmdSetLockWait || command >= cmdOFDGetLock && command <= cmdOFDLockWait
}

// ioctl takes those that move or drop data; the others are no events.
func (x *event) ioctl() bool {
	e := &x.e
	if e.Op = linux.IoctlOp(uint32(x.number(x.at.Flags))); e.Op == trace.OpIoctl {
		return false
	}
	x.fd(x.at.FD)
	switch e.Op {
	case trace.OpClone: // the argument is the source, the descriptor the destination
		e.FD2, e.File2, e.File = e.FD, e.File, 0
		x.fd(x.at.Length)
		e.Offset, e.Offset2 = 0, 0
	case trace.OpCloneRange: // a pointer: the source is not known
		e.FD2, e.File2, e.FD, e.File = e.FD, e.File, -1, 0
		e.Flags |= trace.FlagPartial
	}
	return true
}

func (x *event) sought() {
	e, whence := &x.e, x.number(x.at.Flags)
	o := x.fd(x.at.FD)
	if whence == seekData || whence == seekHole {
		e.Flags |= trace.FlagHole
	}
	x.effects.Sought(e, o)
}

func (x *event) moved() {
	e, at := &x.e, &x.at
	o := x.fd(at.FD)
	if at.Length > 0 {
		e.Requested = x.number(at.Length)
	} else {
		e.Requested = max(e.Result, 0) // the lengths lie in memory
	}
	if at.Offset > 0 {
		e.Offset = x.number(at.Offset)
	}
	x.effects.Moved(e, o)
}

// copied follows the offsets of the descriptors; where the call has a pointer to one, its value lies in memory.
func (x *event) copied() {
	e, at := &x.e, &x.at
	e.Requested = x.number(at.Length)
	from := x.fd(at.FD)
	n, to := x.open(at.FD2)
	if e.FD2 = n; to != nil {
		e.File2 = to.File
	}
	if x.shape == linux.ShapeTee || x.number(at.OffsetAt) != 0 { // tee leaves its input where it is
		from = nil
	}
	if x.number(at.Offset2At) != 0 {
		to = nil
	}
	x.effects.Copied(e, from, to)
}

func (x *event) opened() {
	e, bits := &x.e, uint64(0)
	switch x.shape {
	case linux.ShapeCreat:
		bits = 0o1101
	case linux.ShapeOpenAt2: // they lie in memory
		e.Flags |= trace.FlagPartial
	default:
		bits = x.arg(x.at.Flags).Number
	}
	if x.shape != linux.ShapeOpenAt2 {
		e.Flags |= linux.OpenFlags(bits, Arch)
	}
	if e.File = x.file(x.c.Path); e.File == 0 {
		e.File = x.path(x.at.Dir, x.at.Path)
	}
	if e.File == 0 && e.Result >= 0 {
		e.File = x.unnamed()
	}
	x.effects.Opened(e, bits&closeOnExec != 0)
}

// unnamed is a file that is opened by a name that is not known.
func (x *event) unnamed() trace.FileID {
	x.Unnamed++
	id, err := x.effects.Files.Unnamed(x.e.Start)
	if err != nil && x.err == nil {
		x.err = err
	}
	return id
}

func (x *event) mapped() bool {
	e, flags, protection := &x.e, x.number(4), x.number(x.at.Flags)
	if flags&mapAnonymous != 0 {
		return false
	}
	x.fd(x.at.FD)
	e.Requested, e.Offset = x.number(x.at.Length), x.number(x.at.Offset)
	for bit, flag := range []trace.IOFlags{trace.FlagRead, trace.FlagWrite, trace.FlagExec} {
		if protection&(1<<bit) != 0 {
			e.Flags |= flag
		}
	}
	if flags&mapShared != 0 {
		e.Flags |= trace.FlagShared
	}
	return x.effects.Mapped(e)
}

// named handles the calls that name files, by descriptor or by path.
func (x *event) named() {
	e, at := &x.e, &x.at
	if at.FD > 0 {
		x.fd(at.FD)
	}
	if at.Path > 0 {
		e.File = x.path(at.Dir, at.Path)
	}
	if at.Path2 > 0 {
		e.File2 = x.path(at.Dir2, at.Path2)
	}
	e.Requested = x.number(at.Length)
	if at.Offset > 0 {
		e.Offset = x.number(at.Offset)
	}
	if x.shape == linux.ShapeAllocate && x.number(at.Flags)&(punchHole|zeroRange) != 0 {
		e.Op = trace.OpPunch
	}
	if linux.Calls[x.c.Index].Name == "renameat2" && x.number(at.Path2+1)&renameExchange != 0 {
		e.Flags |= trace.FlagExchange
	}
	if err := x.effects.Named(e); err != nil {
		x.err = err
	}
}
