package macos

import "github.com/iotrace/iotrace/trace"

// The open(2) flags of macOS (bsd/sys/fcntl.h) that change how I/O is done.
const (
	oAccMode  = 0x3
	oWronly   = 0x1
	oRdwr     = 0x2
	oNonblock = 0x4
	oAppend   = 0x8
	oSync     = 0x80
	oCreat    = 0x200
	oTrunc    = 0x400
	oExcl     = 0x800
	oDsync    = 0x400000
	OCloexec  = 0x1000000
	OClofork  = 0x8000000
)

// ATFdCwd is the descriptor that stands for the working directory in the *at
// calls.
const ATFdCwd = -2

// OpenFlags translates the flags of open(2).
func OpenFlags(o uint64) trace.IOFlags {
	var f trace.IOFlags
	switch o & oAccMode {
	case oWronly:
		f = trace.FlagWrite
	case oRdwr:
		f = trace.FlagRead | trace.FlagWrite
	default:
		f = trace.FlagRead
	}
	for _, m := range [...]struct {
		bit  uint64
		flag trace.IOFlags
	}{
		{oNonblock, trace.FlagNoWait}, {oAppend, trace.FlagAppend}, {oSync, trace.FlagSync}, {oDsync, trace.FlagDSync},
		{oCreat, trace.FlagCreate}, {oTrunc, trace.FlagTrunc}, {oExcl, trace.FlagExcl},
	} {
		if o&m.bit != 0 {
			f |= m.flag
		}
	}
	return f
}

// PerOpen are the flags an open file keeps, and that its calls carry.
const PerOpen = trace.FlagSync | trace.FlagDSync | trace.FlagAppend | trace.FlagNoCache | trace.FlagNoWait

// mapAnon is MAP_ANON: the memory is no file's. The descriptor then carries a
// tag for the memory (VM_MAKE_TAG), or -1.
const mapAnon = 0x1000

// MapsFile reports whether the flags of mmap(2) map a file.
func MapsFile(flags uint64) bool { return flags&mapAnon == 0 }

// MmapFlags translates the protection and the flags of mmap(2).
func MmapFlags(prot, flags uint64) trace.IOFlags {
	var f trace.IOFlags
	if prot&1 != 0 {
		f |= trace.FlagRead
	}
	if prot&2 != 0 {
		f |= trace.FlagWrite
	}
	if prot&4 != 0 {
		f |= trace.FlagExec
	}
	if flags&1 != 0 { // MAP_SHARED
		f |= trace.FlagShared
	}
	return f
}

// SeekHole and SeekData are the lseek(2) modes that ask where data is.
const (
	SeekHole = 3
	SeekData = 4
)

// Command is an fcntl(2) command that matters to I/O.
type Command struct {
	Number uint64
	Name   string
	Op     trace.Op
	Flags  trace.IOFlags
}

// The numbers of the commands that change what a tracer knows of a descriptor.
const (
	FDupFD        = 0
	FSetFD        = 2
	FSetFL        = 4
	FNoCache      = 48
	FDupFDCloexec = 67
	FNoCacheExt   = 112
	FDupFDClofork = 115 // macOS 26
)

// The bits of descriptors, of F_SETFD.
const (
	FDCloexec = 1
	FDClofork = 2
)

// Duplicates says of an fcntl command whether it duplicates a descriptor, and what an exec and a fork close then.
func Duplicates(command uint64) (dup, cloexec, clofork bool) {
	cloexec, clofork = command == FDupFDCloexec, command == FDupFDClofork
	return command == FDupFD || cloexec || clofork, cloexec, clofork
}

// Commands are the fcntl commands of bsd/sys/fcntl.h that do I/O, allocate,
// make data durable or advise; fs_usage prints them without the F_.
var Commands = []Command{
	{FDupFD, "F_DUPFD", trace.OpFcntl, 0},
	{FDupFDCloexec, "F_DUPFD_CLOEXEC", trace.OpFcntl, 0},
	{FDupFDClofork, "F_DUPFD_CLOFORK", trace.OpFcntl, 0},
	{FSetFD, "F_SETFD", trace.OpFcntl, 0},
	{FSetFL, "F_SETFL", trace.OpFcntl, 0},
	{7, "F_GETLK", trace.OpLock, 0},
	{8, "F_SETLK", trace.OpLock, 0},
	{9, "F_SETLKW", trace.OpLock, 0},
	{10, "F_SETLKWTIMEOUT", trace.OpLock, 0},
	{42, "F_PREALLOCATE", trace.OpAllocate, 0},
	{43, "F_SETSIZE", trace.OpTruncate, 0},
	{44, "F_RDADVISE", trace.OpAdvise, 0},
	{45, "F_RDAHEAD", trace.OpAdvise, 0},
	{FNoCache, "F_NOCACHE", trace.OpAdvise, trace.FlagNoCache},
	{49, "F_LOG2PHYS", trace.OpFcntl, 0},
	{50, "F_GETPATH", trace.OpFcntl, 0},
	{51, "F_FULLFSYNC", trace.OpSync, trace.FlagFull},
	{53, "F_FREEZE_FS", trace.OpFcntl, 0},
	{54, "F_THAW_FS", trace.OpFcntl, 0},
	{55, "F_GLOBAL_NOCACHE", trace.OpAdvise, trace.FlagNoCache},
	{62, "F_NODIRECT", trace.OpAdvise, 0},
	{65, "F_LOG2PHYS_EXT", trace.OpFcntl, 0},
	{76, "F_SINGLE_WRITER", trace.OpAdvise, 0},
	{85, "F_BARRIERFSYNC", trace.OpDataSync, trace.FlagBarrier},
	{90, "F_OFD_SETLK", trace.OpLock, 0},
	{91, "F_OFD_SETLKW", trace.OpLock, 0},
	{92, "F_OFD_GETLK", trace.OpLock, 0},
	{93, "F_OFD_SETLKWTIMEOUT", trace.OpLock, 0},
	{99, "F_PUNCHHOLE", trace.OpPunch, 0},
	{100, "F_TRIM_ACTIVE_FILE", trace.OpDiscard, 0},
	{101, "F_SPECULATIVE_READ", trace.OpAdvise, 0},
	{110, "F_TRANSFEREXTENTS", trace.OpFcntl, 0},
	{116, "F_RDADVISEV", trace.OpAdvise, 0},
	{FNoCacheExt, "F_NOCACHE_EXT", trace.OpAdvise, trace.FlagNoCache},
}
