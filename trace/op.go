package trace

import "fmt"

// Op is what a system call or an asynchronous operation does, under one name
// on every system.
type Op uint8

// The operations. Their numbers are part of the file format.
const (
	OpOther Op = iota
	OpRead
	OpWrite
	OpCopyRange // copy_file_range
	OpSendfile
	OpSplice
	OpTee
	OpClone // FICLONE, clonefile
	OpCloneRange
	OpDedupe
	OpCopyfile // a copy done by one call of the system (fcopyfile hook, server side)
	OpOpen
	OpClose
	OpSync     // fsync, F_FULLFSYNC
	OpDataSync // fdatasync, F_BARRIERFSYNC
	OpSyncRange
	OpSyncFS // sync, syncfs
	OpTruncate
	OpAllocate
	OpPunch // hole punched or range zeroed
	OpStat
	OpReaddir
	OpRename
	OpUnlink
	OpLink
	OpSymlink
	OpReadlink
	OpMkdir
	OpXattr
	OpAttr // chmod, chown, utimes
	OpAdvise
	OpSeek
	OpMmap
	OpMunmap
	OpMsync
	OpLock
	OpFcntl
	OpIoctl
	OpDiscard // FITRIM, BLKDISCARD
	OpUringEnter
	OpUringSetup
	OpAIOSubmit
	OpAIOGetEvents
	OpStatFS
	OpUnmount // writes out what is dirty
	OpConnect
	OpAccept
	OpTimeout // an asynchronous operation that ends after a time
	OpPoll    // one that ends when a descriptor is ready
	OpFork    // a new process, with a copy of its maker's memory: fork
	OpSpawn   // a new thread, or a process that begins in its maker's memory: vfork, posix_spawn
	numOps
)

// opNames are the names used in text and JSON output.
var opNames = [numOps]string{
	OpOther: "other", OpRead: "read", OpWrite: "write", OpCopyRange: "copy_range", OpSendfile: "sendfile",
	OpSplice: "splice", OpTee: "tee", OpClone: "clone", OpCloneRange: "clone_range", OpDedupe: "dedupe",
	OpCopyfile: "copyfile", OpOpen: "open", OpClose: "close", OpSync: "sync", OpDataSync: "datasync",
	OpSyncRange: "sync_range", OpSyncFS: "syncfs", OpTruncate: "truncate", OpAllocate: "allocate",
	OpPunch: "punch", OpStat: "stat", OpReaddir: "readdir", OpRename: "rename", OpUnlink: "unlink",
	OpLink: "link", OpSymlink: "symlink", OpReadlink: "readlink", OpMkdir: "mkdir", OpXattr: "xattr",
	OpAttr: "attr", OpAdvise: "advise", OpSeek: "seek", OpMmap: "mmap", OpMunmap: "munmap", OpMsync: "msync",
	OpLock: "lock", OpFcntl: "fcntl", OpIoctl: "ioctl", OpDiscard: "discard", OpUringEnter: "uring_enter",
	OpUringSetup: "uring_setup", OpAIOSubmit: "aio_submit", OpAIOGetEvents: "aio_getevents", OpStatFS: "statfs",
	OpUnmount: "unmount", OpConnect: "connect", OpAccept: "accept", OpTimeout: "timeout", OpPoll: "poll",
	OpFork: "fork", OpSpawn: "spawn",
}

func (o Op) String() string {
	if o < numOps {
		return opNames[o]
	}
	return "unknown"
}

// MarshalText gives the name.
func (o Op) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText takes the name of an operation.
func (o *Op) UnmarshalText(name []byte) error {
	op, ok := opsByName[string(name)]
	if !ok {
		return fmt.Errorf("no operation is called %q", name)
	}
	*o = op
	return nil
}

// OpNamed is the operation that String calls so; OpOther if none is.
func OpNamed(name string) Op { return opsByName[name] }

var opsByName = func() map[string]Op {
	all := make(map[string]Op, numOps)
	for op := range numOps {
		all[op.String()] = op
	}
	return all
}()

// MovesData reports whether a positive result of the operation is a number of
// bytes of file data.
func (o Op) MovesData() bool {
	switch o {
	case OpRead, OpWrite, OpCopyRange, OpSendfile, OpSplice, OpTee:
		return true
	}
	return false
}

// Reads reports whether the operation takes data from File.
func (o Op) Reads() bool {
	switch o {
	case OpRead, OpCopyRange, OpSendfile, OpSplice, OpTee:
		return true
	}
	return false
}

// Metadata reports whether the operation works on names, attributes or
// allocation rather than on data.
func (o Op) Metadata() bool {
	switch o {
	case OpOpen, OpClose, OpTruncate, OpAllocate, OpPunch, OpStat, OpReaddir, OpRename, OpUnlink, OpLink,
		OpSymlink, OpReadlink, OpMkdir, OpXattr, OpAttr, OpStatFS:
		return true
	}
	return false
}

// Durability reports whether the operation asks for data to be on the device.
func (o Op) Durability() bool {
	switch o {
	case OpSync, OpDataSync, OpSyncRange, OpSyncFS, OpMsync, OpUnmount:
		return true
	}
	return false
}

// HasPeer reports whether the second file of the operation, if it has one, is the address of the other end of a socket.
func (o Op) HasPeer() bool { return o == OpConnect || o == OpAccept || o == OpRead || o == OpWrite }

// Awaits reports whether the operation waits for somebody outside or for a time, and moves nothing.
func (o Op) Awaits() bool {
	switch o {
	case OpConnect, OpAccept, OpTimeout, OpPoll:
		return true
	}
	return false
}

// IOFlags are the flags of an open file or of a call that change how its I/O
// is done.
type IOFlags uint32

// The I/O flags.
const (
	FlagDirect     IOFlags = 1 << iota // O_DIRECT
	FlagSync                           // O_SYNC, RWF_SYNC
	FlagDSync                          // O_DSYNC, RWF_DSYNC
	FlagAppend                         // O_APPEND, RWF_APPEND
	FlagNoCache                        // F_NOCACHE (macOS), RWF_DONTCACHE
	FlagNoWait                         // O_NONBLOCK, RWF_NOWAIT
	FlagWrite                          // opened for writing; mapping is writable
	FlagRead                           // opened for reading; mapping is readable
	FlagCreate                         // O_CREAT
	FlagTrunc                          // O_TRUNC
	FlagExcl                           // O_EXCL
	FlagShared                         // MAP_SHARED
	FlagExec                           // PROT_EXEC
	FlagVectored                       // readv, writev and their kin
	FlagPositioned                     // the call carries its own offset (pread, pwrite)
	FlagFull                           // F_FULLFSYNC: flushes the drive's cache
	FlagBarrier                        // F_BARRIERFSYNC
	FlagPinned                         // libaio or io_uring with registered buffers or files
	FlagPartial                        // some field of this event could not be read (page not in memory)
	FlagHole                           // lseek SEEK_HOLE or SEEK_DATA
	FlagExchange                       // RENAME_EXCHANGE: each of two files gets the other's name
	FlagZeros                          // samples of what the call moved were zeros
	FlagPolled                         // the call looks for completions itself: RWF_HIPRI, a ring with IOPOLL
)
