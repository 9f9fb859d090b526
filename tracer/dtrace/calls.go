package dtrace

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/macos"
)

// linuxCalls are the calls of Linux by the names of their probes, which are
// those of the functions in the kernel (newfstat for fstat). The list is that
// of the eBPF backend, so that the two can be compared.
var linuxCalls = []call{
	{"read", "", trace.OpRead, shIO, &layIO},
	{"write", "", trace.OpWrite, shIO, &layIO},
	{"pread64", "", trace.OpRead, shPIO, &layPIO},
	{"pwrite64", "", trace.OpWrite, shPIO, &layPIO},
	{"readv", "", trace.OpRead, shVec, &layVec},
	{"writev", "", trace.OpWrite, shVec, &layVec},
	{"preadv", "", trace.OpRead, shPVec, &layPVec},
	{"pwritev", "", trace.OpWrite, shPVec, &layPVec},
	{"preadv2", "", trace.OpRead, shPVec, &layPVec},
	{"pwritev2", "", trace.OpWrite, shPVec, &layPVec},
	{"copy_file_range", "", trace.OpCopyRange, shCopy, &layCopy},
	{"sendfile64", "sendfile", trace.OpSendfile, shCopy, &laySendfile},
	{"splice", "", trace.OpSplice, shCopy, &layCopy},
	{"tee", "", trace.OpTee, shCopy, &layTee},
	{"vmsplice", "", trace.OpSplice, shVec, &layVec},
	{"open", "", trace.OpOpen, shOpen, &layOpen},
	{"openat", "", trace.OpOpen, shOpen, &layOpenAt},
	{"creat", "", trace.OpOpen, shOpen, &layCreat},
	{"close", "", trace.OpClose, shClose, &layFD},
	{"dup", "", trace.OpOther, shDup, &layFD},
	{"dup2", "", trace.OpOther, shDup, &layDup2},
	{"dup3", "", trace.OpOther, shDup, &layDup2},
	{"fcntl", "", trace.OpLock, shFcntl, &layFcntl},
	{"fsync", "", trace.OpSync, shOther, &layFD},
	{"fdatasync", "", trace.OpDataSync, shOther, &layFD},
	{"sync_file_range", "", trace.OpSyncRange, shOther, &layFDOffLen},
	{"sync", "", trace.OpSyncFS, shOther, &layPlain},
	{"syncfs", "", trace.OpSyncFS, shOther, &layFD},
	{"truncate", "", trace.OpTruncate, shTruncate, &layPathLen},
	{"ftruncate", "", trace.OpTruncate, shTruncate, &layFDLen},
	{"fallocate", "", trace.OpAllocate, shOther, &layFallocate},
	{"fadvise64", "", trace.OpAdvise, shOther, &layFDOffLen},
	{"readahead", "", trace.OpAdvise, shOther, &layFDOffLen},
	{"lseek", "", trace.OpSeek, shSeek, &laySeek},
	{"newfstat", "fstat", trace.OpStat, shOther, &layFD},
	{"newstat", "stat", trace.OpStat, shOther, &layPath},
	{"newlstat", "lstat", trace.OpStat, shOther, &layPath},
	{"newfstatat", "", trace.OpStat, shOther, &layAt},
	{"statx", "", trace.OpStat, shOther, &layAt},
	{"access", "", trace.OpStat, shOther, &layPath},
	{"faccessat", "", trace.OpStat, shOther, &layAt},
	{"faccessat2", "", trace.OpStat, shOther, &layAt},
	{"statfs", "", trace.OpStatFS, shOther, &layPath},
	{"fstatfs", "", trace.OpStatFS, shOther, &layFD},
	{"getdents", "", trace.OpReaddir, shOther, &layIO},
	{"getdents64", "", trace.OpReaddir, shOther, &layIO},
	{"rename", "", trace.OpRename, shRename, &layTwoPaths},
	{"renameat", "", trace.OpRename, shRename, &layTwoAt},
	{"renameat2", "", trace.OpRename, shRename, &layTwoAt},
	{"link", "", trace.OpLink, shOther, &layTwoPaths},
	{"linkat", "", trace.OpLink, shOther, &layTwoAt},
	{"symlink", "", trace.OpSymlink, shOther, &laySymlink},
	{"symlinkat", "", trace.OpSymlink, shOther, &laySymAt},
	{"readlink", "", trace.OpReadlink, shOther, &layPath},
	{"readlinkat", "", trace.OpReadlink, shOther, &layAt},
	{"unlink", "", trace.OpUnlink, shUnlink, &layPath},
	{"unlinkat", "", trace.OpUnlink, shUnlink, &layAt},
	{"rmdir", "", trace.OpUnlink, shUnlink, &layPath},
	{"mkdir", "", trace.OpMkdir, shOther, &layPath},
	{"mkdirat", "", trace.OpMkdir, shOther, &layAt},
	{"chmod", "", trace.OpAttr, shOther, &layPath},
	{"fchmod", "", trace.OpAttr, shOther, &layFD},
	{"fchmodat", "", trace.OpAttr, shOther, &layAt},
	{"fchmodat2", "", trace.OpAttr, shOther, &layAt},
	{"chown", "", trace.OpAttr, shOther, &layPath},
	{"lchown", "", trace.OpAttr, shOther, &layPath},
	{"fchown", "", trace.OpAttr, shOther, &layFD},
	{"fchownat", "", trace.OpAttr, shOther, &layAt},
	{"utimensat", "", trace.OpAttr, shOther, &layAt},
	{"utime", "", trace.OpAttr, shOther, &layPath},
	{"utimes", "", trace.OpAttr, shOther, &layPath},
	{"futimesat", "", trace.OpAttr, shOther, &layAt},
	{"getxattr", "", trace.OpXattr, shOther, &layPath},
	{"lgetxattr", "", trace.OpXattr, shOther, &layPath},
	{"fgetxattr", "", trace.OpXattr, shOther, &layFD},
	{"setxattr", "", trace.OpXattr, shOther, &layPath},
	{"lsetxattr", "", trace.OpXattr, shOther, &layPath},
	{"fsetxattr", "", trace.OpXattr, shOther, &layFD},
	{"listxattr", "", trace.OpXattr, shOther, &layPath},
	{"llistxattr", "", trace.OpXattr, shOther, &layPath},
	{"flistxattr", "", trace.OpXattr, shOther, &layFD},
	{"removexattr", "", trace.OpXattr, shOther, &layPath},
	{"lremovexattr", "", trace.OpXattr, shOther, &layPath},
	{"fremovexattr", "", trace.OpXattr, shOther, &layFD},
	{"mmap", "", trace.OpMmap, shMmap, &layMmap},
	{"msync", "", trace.OpMsync, shRange, &layRange},
	{"flock", "", trace.OpLock, shOther, &layFD},
	{"ioctl", "", trace.OpIoctl, shIoctl, &layFcntl},
	{"io_uring_setup", "", trace.OpUringSetup, shOther, &layPlain},
	{"io_uring_enter", "", trace.OpUringEnter, shOther, &layFDLen},
	{"io_submit", "", trace.OpAIOSubmit, shOther, &layPlain},
	{"io_getevents", "", trace.OpAIOGetEvents, shOther, &layPlain},
	{"io_pgetevents", "", trace.OpAIOGetEvents, shOther, &layPlain},
	{"chdir", "", trace.OpOther, shChdir, &layPath},
	{"fchdir", "", trace.OpOther, shChdir, &layFD},
}

// darwinCalls are the calls of macOS that the kdebug backend records as well.
var darwinCalls = makeDarwin()

func makeDarwin() (calls []call) {
	for _, c := range macos.Calls {
		lay, ok := darwinLayouts[c.Shape]
		if !ok {
			continue
		}
		calls = append(calls, call{probe: c.Name, op: c.Op, shape: darwinShape(c), lay: &lay})
	}
	return calls
}

func darwinShape(c macos.Call) shape {
	switch c.Shape {
	case macos.ShapeIO, macos.ShapeGuardIO:
		if c.Op == trace.OpReaddir {
			return shOther
		}
		return shIO
	case macos.ShapePIO, macos.ShapeGuardPIO:
		return shPIO
	case macos.ShapeVec, macos.ShapeGuardVec:
		return shVec
	case macos.ShapePVec:
		return shPVec
	case macos.ShapeOpen, macos.ShapeOpenAt, macos.ShapeGuardOpen, macos.ShapeOpenByID:
		return shOpen
	case macos.ShapeClose:
		return shClose
	case macos.ShapeDup, macos.ShapeDup2:
		return shDup
	case macos.ShapeFcntl:
		return shFcntl
	case macos.ShapeSeek:
		return shSeek
	case macos.ShapeTruncate, macos.ShapeFtruncate:
		return shTruncate
	case macos.ShapeClone:
		return shClone
	case macos.ShapeMmap:
		return shMmap
	case macos.ShapeRange:
		return shRange
	case macos.ShapeAIO, macos.ShapeAIOReturn:
		return shAIO
	case macos.ShapeChdir, macos.ShapeFchdir:
		return shChdir
	}
	switch c.Op {
	case trace.OpRename:
		return shRename
	case trace.OpUnlink:
		return shUnlink
	case trace.OpClone, trace.OpCopyfile:
		return shClone
	}
	return shOther
}
