//go:build linux

package ebpf

import (
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// shape mirrors enum shape in bpf/iotrace.h: how the arguments of a call are
// laid out.
type shape uint8

const (
	shapeNone shape = iota
	shapeRW
	shapePRW
	shapeRWV
	shapePRWV
	shapePRWV2
	shapeFD
	shapeFDLen
	shapeFDBuf
	shapeSend
	shapeMsg
	shapeCopyRange
	shapeSendfile
	shapeTee
	shapeClose
	shapeFDOffLen
	shapeFallocate
	shapeSeek
	shapeOpen
	shapeCreat
	shapeOpenat
	shapeOpenat2
	shapePath
	shapePathLen
	shapeAt
	shapeRename
	shapeRenameat
	shapeSymlink
	shapeSymlinkat
	shapeMmap
	shapeRange
	shapeIoctl
	shapeFcntl
	shapePlain
	shapeIOSubmit
	shapeIOGetevents
)

// call is one system call that is recorded.
type call struct {
	nr    int
	name  string // as strace prints it
	op    trace.Op
	shape shape
}

const maxCalls = 512 // MAX_CALLS in bpf/iotrace.h

// calls is the table of recorded system calls. What it lists is recorded, what
// it does not list costs one table look-up in the kernel and nothing else.
var calls = append([]call{
	{unix.SYS_READ, "read", trace.OpRead, shapeRW},
	{unix.SYS_WRITE, "write", trace.OpWrite, shapeRW},
	{unix.SYS_PREAD64, "pread64", trace.OpRead, shapePRW},
	{unix.SYS_PWRITE64, "pwrite64", trace.OpWrite, shapePRW},
	{unix.SYS_READV, "readv", trace.OpRead, shapeRWV},
	{unix.SYS_WRITEV, "writev", trace.OpWrite, shapeRWV},
	{unix.SYS_PREADV, "preadv", trace.OpRead, shapePRWV},
	{unix.SYS_PWRITEV, "pwritev", trace.OpWrite, shapePRWV},
	{unix.SYS_PREADV2, "preadv2", trace.OpRead, shapePRWV2},
	{unix.SYS_PWRITEV2, "pwritev2", trace.OpWrite, shapePRWV2},
	{unix.SYS_SENDTO, "sendto", trace.OpWrite, shapeSend},
	{unix.SYS_RECVFROM, "recvfrom", trace.OpRead, shapeSend},
	{unix.SYS_SENDMSG, "sendmsg", trace.OpWrite, shapeMsg},
	{unix.SYS_RECVMSG, "recvmsg", trace.OpRead, shapeMsg},
	{unix.SYS_COPY_FILE_RANGE, "copy_file_range", trace.OpCopyRange, shapeCopyRange},
	{unix.SYS_SENDFILE, "sendfile", trace.OpSendfile, shapeSendfile},
	{unix.SYS_SPLICE, "splice", trace.OpSplice, shapeCopyRange},
	{unix.SYS_TEE, "tee", trace.OpTee, shapeTee},
	{unix.SYS_VMSPLICE, "vmsplice", trace.OpSplice, shapeRWV},
	{unix.SYS_OPENAT, "openat", trace.OpOpen, shapeOpenat},
	{unix.SYS_OPENAT2, "openat2", trace.OpOpen, shapeOpenat2},
	{unix.SYS_CLOSE, "close", trace.OpClose, shapeClose},
	{unix.SYS_FSYNC, "fsync", trace.OpSync, shapeFD},
	{unix.SYS_FDATASYNC, "fdatasync", trace.OpDataSync, shapeFD},
	{unix.SYS_SYNC_FILE_RANGE, "sync_file_range", trace.OpSyncRange, shapeFDOffLen},
	{unix.SYS_SYNC, "sync", trace.OpSyncFS, shapePlain},
	{unix.SYS_SYNCFS, "syncfs", trace.OpSyncFS, shapeFD},
	{unix.SYS_TRUNCATE, "truncate", trace.OpTruncate, shapePathLen},
	{unix.SYS_FTRUNCATE, "ftruncate", trace.OpTruncate, shapeFDLen},
	{unix.SYS_FALLOCATE, "fallocate", trace.OpAllocate, shapeFallocate},
	{unix.SYS_FADVISE64, "fadvise64", trace.OpAdvise, shapeFDOffLen},
	{unix.SYS_READAHEAD, "readahead", trace.OpAdvise, shapeFDOffLen},
	{unix.SYS_LSEEK, "lseek", trace.OpSeek, shapeSeek},
	{unix.SYS_FSTAT, "fstat", trace.OpStat, shapeFD},
	{sysNewfstatat, "newfstatat", trace.OpStat, shapeAt},
	{unix.SYS_STATX, "statx", trace.OpStat, shapeAt},
	{unix.SYS_FACCESSAT, "faccessat", trace.OpStat, shapeAt},
	{unix.SYS_FACCESSAT2, "faccessat2", trace.OpStat, shapeAt},
	{unix.SYS_STATFS, "statfs", trace.OpStatFS, shapePath},
	{unix.SYS_FSTATFS, "fstatfs", trace.OpStatFS, shapeFD},
	{unix.SYS_GETDENTS64, "getdents64", trace.OpReaddir, shapeFDBuf},
	{unix.SYS_RENAMEAT, "renameat", trace.OpRename, shapeRenameat},
	{unix.SYS_RENAMEAT2, "renameat2", trace.OpRename, shapeRenameat},
	{unix.SYS_LINKAT, "linkat", trace.OpLink, shapeRenameat},
	{unix.SYS_SYMLINKAT, "symlinkat", trace.OpSymlink, shapeSymlinkat},
	{unix.SYS_READLINKAT, "readlinkat", trace.OpReadlink, shapeAt},
	{unix.SYS_UNLINKAT, "unlinkat", trace.OpUnlink, shapeAt},
	{unix.SYS_MKDIRAT, "mkdirat", trace.OpMkdir, shapeAt},
	{unix.SYS_FCHMOD, "fchmod", trace.OpAttr, shapeFD},
	{unix.SYS_FCHMODAT, "fchmodat", trace.OpAttr, shapeAt},
	{unix.SYS_FCHMODAT2, "fchmodat2", trace.OpAttr, shapeAt},
	{unix.SYS_FCHOWN, "fchown", trace.OpAttr, shapeFD},
	{unix.SYS_FCHOWNAT, "fchownat", trace.OpAttr, shapeAt},
	{unix.SYS_UTIMENSAT, "utimensat", trace.OpAttr, shapeAt},
	{unix.SYS_GETXATTR, "getxattr", trace.OpXattr, shapePath},
	{unix.SYS_LGETXATTR, "lgetxattr", trace.OpXattr, shapePath},
	{unix.SYS_FGETXATTR, "fgetxattr", trace.OpXattr, shapeFD},
	{unix.SYS_SETXATTR, "setxattr", trace.OpXattr, shapePath},
	{unix.SYS_LSETXATTR, "lsetxattr", trace.OpXattr, shapePath},
	{unix.SYS_FSETXATTR, "fsetxattr", trace.OpXattr, shapeFD},
	{unix.SYS_LISTXATTR, "listxattr", trace.OpXattr, shapePath},
	{unix.SYS_LLISTXATTR, "llistxattr", trace.OpXattr, shapePath},
	{unix.SYS_FLISTXATTR, "flistxattr", trace.OpXattr, shapeFD},
	{unix.SYS_REMOVEXATTR, "removexattr", trace.OpXattr, shapePath},
	{unix.SYS_LREMOVEXATTR, "lremovexattr", trace.OpXattr, shapePath},
	{unix.SYS_FREMOVEXATTR, "fremovexattr", trace.OpXattr, shapeFD},
	{unix.SYS_MMAP, "mmap", trace.OpMmap, shapeMmap},
	{unix.SYS_MSYNC, "msync", trace.OpMsync, shapeRange},
	{unix.SYS_FLOCK, "flock", trace.OpLock, shapeFD},
	{unix.SYS_FCNTL, "fcntl", trace.OpLock, shapeFcntl},
	{unix.SYS_IOCTL, "ioctl", trace.OpIoctl, shapeIoctl},
	{unix.SYS_IO_URING_SETUP, "io_uring_setup", trace.OpUringSetup, shapePlain},
	{unix.SYS_IO_URING_ENTER, "io_uring_enter", trace.OpUringEnter, shapeFDLen},
	{unix.SYS_IO_SUBMIT, "io_submit", trace.OpAIOSubmit, shapeIOSubmit},
	{unix.SYS_IO_GETEVENTS, "io_getevents", trace.OpAIOGetEvents, shapeIOGetevents},
	{unix.SYS_IO_PGETEVENTS, "io_pgetevents", trace.OpAIOGetEvents, shapeIOGetevents},
}, legacyCalls...)

// uringOps are the io_uring opcodes (linux/io_uring.h) that are recorded.
var uringOps = map[uint8]trace.Op{
	1:  trace.OpRead,      // READV
	2:  trace.OpWrite,     // WRITEV
	3:  trace.OpSync,      // FSYNC
	4:  trace.OpRead,      // READ_FIXED
	5:  trace.OpWrite,     // WRITE_FIXED
	8:  trace.OpSyncRange, // SYNC_FILE_RANGE
	17: trace.OpAllocate,  // FALLOCATE
	18: trace.OpOpen,      // OPENAT
	19: trace.OpClose,     // CLOSE
	21: trace.OpStat,      // STATX
	22: trace.OpRead,      // READ
	23: trace.OpWrite,     // WRITE
	24: trace.OpAdvise,    // FADVISE
	28: trace.OpOpen,      // OPENAT2
	30: trace.OpSplice,    // SPLICE
	33: trace.OpTee,       // TEE
	35: trace.OpRename,    // RENAMEAT
	36: trace.OpUnlink,    // UNLINKAT
	37: trace.OpMkdir,     // MKDIRAT
	38: trace.OpSymlink,   // SYMLINKAT
	39: trace.OpLink,      // LINKAT
	55: trace.OpTruncate,  // FTRUNCATE
	60: trace.OpRead,      // READV_FIXED
	61: trace.OpWrite,     // WRITEV_FIXED
}

// aioOps are the opcodes of libaio control blocks (linux/aio_abi.h).
var aioOps = map[uint8]trace.Op{
	0: trace.OpRead,     // PREAD
	1: trace.OpWrite,    // PWRITE
	2: trace.OpSync,     // FSYNC
	3: trace.OpDataSync, // FDSYNC
	7: trace.OpRead,     // PREADV
	8: trace.OpWrite,    // PWRITEV
}

// callTable is what the decoder needs per system call number.
type callTable struct {
	names  []string
	index  [maxCalls]uint16 // number → index into names
	op     [maxCalls]trace.Op
	shapes [maxCalls]uint8
}

func newCallTable() *callTable {
	t := &callTable{}
	for i, c := range calls {
		t.names = append(t.names, c.name)
		t.index[c.nr] = uint16(i)
		t.op[c.nr] = c.op
		t.shapes[c.nr] = uint8(c.shape)
	}
	return t
}
