package linux

import "github.com/iotrace/iotrace/trace"

// Shape says what the arguments of a system call are.
type Shape uint8

// The shapes of calls. The comment gives their arguments in order; "…" are
// arguments that no event needs.
const (
	ShapeNone      Shape = iota // nothing that names a file
	ShapeIO                     // fd, buffer, length
	ShapePIO                    // fd, buffer, length, offset
	ShapeVec                    // fd, vector, count
	ShapePVec                   // fd, vector, count, offset
	ShapePVec2                  // the same and flags; offset -1 is the descriptor's own
	ShapeSend                   // fd, buffer, length, flags, … of a socket
	ShapeMessage                // fd, message header, flags of a socket
	ShapeConnect                // fd, address, its length
	ShapeAccept                 // fd, address, *its length, …
	ShapeCopy                   // fd, *offset, fd, *offset, length, …
	ShapeSendfile               // to fd, from fd, *offset, length
	ShapeTee                    // fd, fd, length, …
	ShapeOpen                   // path, flags, …
	ShapeCreat                  // path, …
	ShapeOpenAt                 // dirfd, path, flags, …
	ShapeOpenAt2                // dirfd, path, *how (flags first), …
	ShapeClose                  // fd
	ShapeDup                    // fd
	ShapeDup2                   // fd, new fd, …
	ShapeCloseMany              // first fd, last fd, flags
	ShapeFcntl                  // fd, command, argument
	ShapeIoctl                  // fd, request, argument
	ShapeSeek                   // fd, offset, whence
	ShapeFD                     // fd, …
	ShapeFDLen                  // fd, length, …
	ShapeRing                   // the same of a ring
	ShapeFDBuf                  // fd, buffer, length: of a directory, which has no offset in bytes
	ShapeFDRange                // fd, offset, length, flags or advice
	ShapeAllocate               // fd, mode, offset, length
	ShapePath                   // path, …
	ShapePathLen                // path, length
	ShapeAt                     // dirfd, path, …: an empty path is the descriptor's own file
	ShapeTwoPaths               // path, path
	ShapeTwoAt                  // dirfd, path, dirfd, path, …
	ShapeSymlink                // (target), path
	ShapeSymlinkAt              // (target), dirfd, path
	ShapeMmap                   // address, length, protection, flags, fd, offset
	ShapeMemory                 // address, length, flags or advice
	ShapeSubmit                 // context, count, **iocb
	ShapeGetEvents              // context, least, count, *events, …
	ShapeFork                   // nothing
	ShapeClone                  // flags, …
	ShapeClone3                 // *arguments (flags first), …
	ShapeChdir                  // path
	ShapeFchdir                 // fd

	Shapes // their number
)

var shapeNames = [Shapes]string{
	ShapeNone:      "nothing that names a file",
	ShapeIO:        "fd, buffer, length",
	ShapePIO:       "fd, buffer, length, offset",
	ShapeVec:       "fd, vector, count",
	ShapePVec:      "fd, vector, count, offset",
	ShapePVec2:     "the same and flags; offset -1 is the descriptor's own",
	ShapeSend:      "fd, buffer, length, flags, … of a socket",
	ShapeMessage:   "fd, message header, flags of a socket",
	ShapeConnect:   "fd, address, its length",
	ShapeAccept:    "fd, address, *its length, …",
	ShapeCopy:      "fd, *offset, fd, *offset, length, …",
	ShapeSendfile:  "to fd, from fd, *offset, length",
	ShapeTee:       "fd, fd, length, …",
	ShapeOpen:      "path, flags, …",
	ShapeCreat:     "path, …",
	ShapeOpenAt:    "dirfd, path, flags, …",
	ShapeOpenAt2:   "dirfd, path, *how (flags first), …",
	ShapeClose:     "fd",
	ShapeDup:       "fd",
	ShapeDup2:      "fd, new fd, …",
	ShapeCloseMany: "first fd, last fd, flags",
	ShapeFcntl:     "fd, command, argument",
	ShapeIoctl:     "fd, request, argument",
	ShapeSeek:      "fd, offset, whence",
	ShapeFD:        "fd, …",
	ShapeFDLen:     "fd, length, …",
	ShapeRing:      "fd, number, …",
	ShapeFDBuf:     "fd, buffer, length",
	ShapeFDRange:   "fd, offset, length, flags or advice",
	ShapeAllocate:  "fd, mode, offset, length",
	ShapePath:      "path, …",
	ShapePathLen:   "path, length",
	ShapeAt:        "dirfd, path, …",
	ShapeTwoPaths:  "path, path",
	ShapeTwoAt:     "dirfd, path, dirfd, path, …",
	ShapeSymlink:   "(target), path",
	ShapeSymlinkAt: "(target), dirfd, path",
	ShapeMmap:      "address, length, protection, flags, fd, offset",
	ShapeMemory:    "address, length, flags or advice",
	ShapeSubmit:    "context, count, **iocb",
	ShapeGetEvents: "context, least, count, *events, …",
	ShapeFork:      "nothing",
	ShapeClone:     "flags, …",
	ShapeClone3:    "*arguments, …",
	ShapeChdir:     "path",
	ShapeFchdir:    "fd",
}

func (s Shape) String() string { return shapeNames[s] }

// Args are the places of a call's arguments, counted from 1; 0 means that the
// call has none.
type Args struct {
	FD, FD2             int // descriptors the data is of
	Dir, Dir2           int // descriptors that paths start from
	Path, Path2         int
	Length              int
	Offset              int // in the file, or an address in memory
	OffsetAt, Offset2At int // pointers to offsets that the call moves by its result
	Flags               int // flags, mode, whence, advice, command or protection
}

var args = [Shapes]Args{
	ShapeIO: {FD: 1, Length: 3}, ShapePIO: {FD: 1, Length: 3, Offset: 4}, ShapeVec: {FD: 1}, ShapePVec: {FD: 1, Offset: 4},
	ShapePVec2: {FD: 1, Offset: 4}, ShapeSend: {FD: 1, Length: 3, Flags: 4}, ShapeMessage: {FD: 1, Flags: 3},
	ShapeConnect: {FD: 1}, ShapeAccept: {FD: 1},
	ShapeCopy:     {FD: 1, OffsetAt: 2, FD2: 3, Offset2At: 4, Length: 5},
	ShapeSendfile: {FD2: 1, FD: 2, OffsetAt: 3, Length: 4}, ShapeTee: {FD: 1, FD2: 2, Length: 3},
	ShapeOpen: {Path: 1, Flags: 2}, ShapeCreat: {Path: 1}, ShapeOpenAt: {Dir: 1, Path: 2, Flags: 3},
	ShapeOpenAt2: {Dir: 1, Path: 2, Flags: 3}, ShapeClose: {FD: 1}, ShapeDup: {FD: 1}, ShapeDup2: {FD: 1, FD2: 2},
	ShapeCloseMany: {FD: 1, FD2: 2, Flags: 3},
	ShapeFcntl:     {FD: 1, Flags: 2, Length: 3}, ShapeIoctl: {FD: 1, Flags: 2, Length: 3},
	ShapeSeek: {FD: 1, Offset: 2, Flags: 3},
	ShapeFD:   {FD: 1}, ShapeFDLen: {FD: 1, Length: 2}, ShapeRing: {FD: 1, Length: 2}, ShapeFDBuf: {FD: 1, Length: 3},
	ShapeFDRange: {FD: 1, Offset: 2, Length: 3, Flags: 4}, ShapeAllocate: {FD: 1, Flags: 2, Offset: 3, Length: 4},
	ShapePath: {Path: 1}, ShapePathLen: {Path: 1, Length: 2}, ShapeAt: {Dir: 1, Path: 2},
	ShapeTwoPaths: {Path: 1, Path2: 2}, ShapeTwoAt: {Dir: 1, Path: 2, Dir2: 3, Path2: 4},
	ShapeSymlink: {Path2: 2}, ShapeSymlinkAt: {Dir2: 2, Path2: 3},
	ShapeMmap: {Length: 2, Flags: 3, FD: 5, Offset: 6}, ShapeMemory: {Offset: 1, Length: 2, Flags: 3},
	ShapeClone: {Flags: 1}, ShapeClone3: {Flags: 1}, ShapeChdir: {Path: 1}, ShapeFchdir: {FD: 1},
}

// Args are the places of the arguments of calls of this shape.
func (s Shape) Args() Args { return args[s] }

// Flags are those that follow from the shape alone.
func (s Shape) Flags() trace.IOFlags {
	switch s {
	case ShapePIO:
		return trace.FlagPositioned
	case ShapeVec, ShapeMessage:
		return trace.FlagVectored
	case ShapePVec, ShapePVec2:
		return trace.FlagPositioned | trace.FlagVectored
	}
	return 0
}

// Ioctl is an ioctl that moves or drops data, or makes it safe; of the others nothing is recorded.
type Ioctl struct {
	Number uint32
	Name   string
	Op     trace.Op
}

// The numbers of the ioctls whose argument says which file the data is of.
const (
	FIClone      = 0x40049409 // the argument is the source's descriptor
	FICloneRange = 0x4020940d // struct file_clone_range
)

// Ioctls are those of linux/fs.h, and of linux/btrfs.h those that other file systems have as syncfs.
var Ioctls = []Ioctl{
	{FIClone, "FICLONE", trace.OpClone},
	{FICloneRange, "FICLONERANGE", trace.OpCloneRange},
	{0xc0189436, "FIDEDUPERANGE", trace.OpDedupe},
	{0xc0185879, "FITRIM", trace.OpDiscard},
	{0x1277, "BLKDISCARD", trace.OpDiscard},
	{0x127f, "BLKZEROOUT", trace.OpDiscard},
	{0xc0045877, "FIFREEZE", trace.OpSyncFS},
	{0x9408, "BTRFS_IOC_SYNC", trace.OpSyncFS},
	{0x40089416, "BTRFS_IOC_WAIT_SYNC", trace.OpSyncFS},
}

// IoctlOp is what an ioctl does, OpIoctl if it is none of these.
func IoctlOp(number uint32) trace.Op {
	for _, i := range Ioctls {
		if i.Number == number {
			return i.Op
		}
	}
	return trace.OpIoctl
}

// MsgPeek is the flag of recvfrom and recvmsg that leaves the data where it is:
// such a call moves none.
const MsgPeek = 2

// CloseRangeOnExec is the flag of close_range that lets the next exec close the descriptors.
const CloseRangeOnExec = 4

// The flags of clone that let the child share its parent's memory and descriptors (linux/sched.h).
const (
	CloneMemory = 0x100
	CloneFiles  = 0x400
)

// CloneOp is what clone does with these flags.
func CloneOp(flags uint64) trace.Op {
	if flags&CloneMemory != 0 {
		return trace.OpSpawn
	}
	return trace.OpFork
}
