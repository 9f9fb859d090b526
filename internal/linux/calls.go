// Package linux holds what the recorders of Linux and the importers of its logs
// share: the names, numbers and arguments of its system calls, and its ioctls
// and flags. eBPF's table, the D scripts and the reader of strace's logs are
// made from this one, so none has a call that the others lack.
package linux

import "github.com/iotrace/iotrace/trace"

// Call is one system call of Linux.
type Call struct {
	Name  string // as users and strace know it
	Probe string // the kernel's function, where it has another name
	Op    trace.Op
	Shape Shape
	AMD64 int // its number there; absent if the architecture does not have it
	ARM64 int
}

const absent = -1

// Number is the call's number on an architecture, as Go calls it.
func (c *Call) Number(arch string) (n int, ok bool) {
	switch n = absent; arch {
	case "amd64":
		n = c.AMD64
	case "arm64":
		n = c.ARM64
	}
	return n, n != absent
}

// Function is the name of the call's function in the kernel, and of its probe.
func (c *Call) Function() string {
	if c.Probe != "" {
		return c.Probe
	}
	return c.Name
}

// Calls are the system calls a recording holds, and those by which descriptors
// and directories are followed from one to the next (OpOther), which make no
// event.
var Calls = []Call{
	{"read", "", trace.OpRead, ShapeIO, 0, 63},
	{"write", "", trace.OpWrite, ShapeIO, 1, 64},
	{"pread64", "", trace.OpRead, ShapePIO, 17, 67},
	{"pwrite64", "", trace.OpWrite, ShapePIO, 18, 68},
	{"readv", "", trace.OpRead, ShapeVec, 19, 65},
	{"writev", "", trace.OpWrite, ShapeVec, 20, 66},
	{"preadv", "", trace.OpRead, ShapePVec, 295, 69},
	{"pwritev", "", trace.OpWrite, ShapePVec, 296, 70},
	{"preadv2", "", trace.OpRead, ShapePVec2, 327, 286},
	{"pwritev2", "", trace.OpWrite, ShapePVec2, 328, 287},
	{"sendto", "", trace.OpWrite, ShapeSend, 44, 206},
	{"recvfrom", "", trace.OpRead, ShapeSend, 45, 207},
	{"sendmsg", "", trace.OpWrite, ShapeMessage, 46, 211},
	{"recvmsg", "", trace.OpRead, ShapeMessage, 47, 212},
	{"connect", "", trace.OpConnect, ShapeConnect, 42, 203},
	{"accept", "", trace.OpAccept, ShapeAccept, 43, 202},
	{"accept4", "", trace.OpAccept, ShapeAccept, 288, 242},
	{"copy_file_range", "", trace.OpCopyRange, ShapeCopy, 326, 285},
	{"sendfile", "sendfile64", trace.OpSendfile, ShapeSendfile, 40, 71},
	{"splice", "", trace.OpSplice, ShapeCopy, 275, 76},
	{"tee", "", trace.OpTee, ShapeTee, 276, 77},
	{"vmsplice", "", trace.OpSplice, ShapeVec, 278, 75},
	{"open", "", trace.OpOpen, ShapeOpen, 2, absent},
	{"creat", "", trace.OpOpen, ShapeCreat, 85, absent},
	{"openat", "", trace.OpOpen, ShapeOpenAt, 257, 56},
	{"openat2", "", trace.OpOpen, ShapeOpenAt2, 437, 437},
	{"close", "", trace.OpClose, ShapeClose, 3, 57},
	{"dup", "", trace.OpOther, ShapeDup, 32, 23},
	{"dup2", "", trace.OpOther, ShapeDup2, 33, absent},
	{"dup3", "", trace.OpOther, ShapeDup2, 292, 24},
	{"close_range", "", trace.OpOther, ShapeCloseMany, 436, 436},
	{"fcntl", "", trace.OpLock, ShapeFcntl, 72, 25},
	{"flock", "", trace.OpLock, ShapeFD, 73, 32},
	{"fsync", "", trace.OpSync, ShapeFD, 74, 82},
	{"fdatasync", "", trace.OpDataSync, ShapeFD, 75, 83},
	{"sync_file_range", "", trace.OpSyncRange, ShapeFDRange, 277, 84},
	{"sync", "", trace.OpSyncFS, ShapeNone, 162, 81},
	{"syncfs", "", trace.OpSyncFS, ShapeFD, 306, 267},
	{"umount2", "umount", trace.OpUnmount, ShapePath, 166, 39},
	{"truncate", "", trace.OpTruncate, ShapePathLen, 76, 45},
	{"ftruncate", "", trace.OpTruncate, ShapeFDLen, 77, 46},
	{"fallocate", "", trace.OpAllocate, ShapeAllocate, 285, 47},
	{"fadvise64", "", trace.OpAdvise, ShapeFDRange, 221, 223},
	{"readahead", "", trace.OpAdvise, ShapeFDRange, 187, 213},
	{"lseek", "", trace.OpSeek, ShapeSeek, 8, 62},
	{"stat", "newstat", trace.OpStat, ShapePath, 4, absent},
	{"lstat", "newlstat", trace.OpStat, ShapePath, 6, absent},
	{"fstat", "newfstat", trace.OpStat, ShapeFD, 5, 80},
	{"newfstatat", "", trace.OpStat, ShapeAt, 262, 79},
	{"statx", "", trace.OpStat, ShapeAt, 332, 291},
	{"access", "", trace.OpStat, ShapePath, 21, absent},
	{"faccessat", "", trace.OpStat, ShapeAt, 269, 48},
	{"faccessat2", "", trace.OpStat, ShapeAt, 439, 439},
	{"statfs", "", trace.OpStatFS, ShapePath, 137, 43},
	{"fstatfs", "", trace.OpStatFS, ShapeFD, 138, 44},
	{"getdents", "", trace.OpReaddir, ShapeFDBuf, 78, absent},
	{"getdents64", "", trace.OpReaddir, ShapeFDBuf, 217, 61},
	{"rename", "", trace.OpRename, ShapeTwoPaths, 82, absent},
	{"renameat", "", trace.OpRename, ShapeTwoAt, 264, 38},
	{"renameat2", "", trace.OpRename, ShapeTwoAt, 316, 276},
	{"link", "", trace.OpLink, ShapeTwoPaths, 86, absent},
	{"linkat", "", trace.OpLink, ShapeTwoAt, 265, 37},
	{"symlink", "", trace.OpSymlink, ShapeSymlink, 88, absent},
	{"symlinkat", "", trace.OpSymlink, ShapeSymlinkAt, 266, 36},
	{"readlink", "", trace.OpReadlink, ShapePath, 89, absent},
	{"readlinkat", "", trace.OpReadlink, ShapeAt, 267, 78},
	{"unlink", "", trace.OpUnlink, ShapePath, 87, absent},
	{"unlinkat", "", trace.OpUnlink, ShapeAt, 263, 35},
	{"rmdir", "", trace.OpUnlink, ShapePath, 84, absent},
	{"mkdir", "", trace.OpMkdir, ShapePath, 83, absent},
	{"mkdirat", "", trace.OpMkdir, ShapeAt, 258, 34},
	{"chmod", "", trace.OpAttr, ShapePath, 90, absent},
	{"fchmod", "", trace.OpAttr, ShapeFD, 91, 52},
	{"fchmodat", "", trace.OpAttr, ShapeAt, 268, 53},
	{"fchmodat2", "", trace.OpAttr, ShapeAt, 452, 452},
	{"chown", "", trace.OpAttr, ShapePath, 92, absent},
	{"lchown", "", trace.OpAttr, ShapePath, 94, absent},
	{"fchown", "", trace.OpAttr, ShapeFD, 93, 55},
	{"fchownat", "", trace.OpAttr, ShapeAt, 260, 54},
	{"utime", "", trace.OpAttr, ShapePath, 132, absent},
	{"utimes", "", trace.OpAttr, ShapePath, 235, absent},
	{"utimensat", "", trace.OpAttr, ShapeAt, 280, 88},
	{"futimesat", "", trace.OpAttr, ShapeAt, 261, absent},
	{"getxattr", "", trace.OpXattr, ShapePath, 191, 8},
	{"lgetxattr", "", trace.OpXattr, ShapePath, 192, 9},
	{"fgetxattr", "", trace.OpXattr, ShapeFD, 193, 10},
	{"setxattr", "", trace.OpXattr, ShapePath, 188, 5},
	{"lsetxattr", "", trace.OpXattr, ShapePath, 189, 6},
	{"fsetxattr", "", trace.OpXattr, ShapeFD, 190, 7},
	{"listxattr", "", trace.OpXattr, ShapePath, 194, 11},
	{"llistxattr", "", trace.OpXattr, ShapePath, 195, 12},
	{"flistxattr", "", trace.OpXattr, ShapeFD, 196, 13},
	{"removexattr", "", trace.OpXattr, ShapePath, 197, 14},
	{"lremovexattr", "", trace.OpXattr, ShapePath, 198, 15},
	{"fremovexattr", "", trace.OpXattr, ShapeFD, 199, 16},
	{"mmap", "", trace.OpMmap, ShapeMmap, 9, 222},
	{"msync", "", trace.OpMsync, ShapeMemory, 26, 227},
	{"madvise", "", trace.OpAdvise, ShapeMemory, 28, 233},
	{"ioctl", "", trace.OpIoctl, ShapeIoctl, 16, 29},
	{"io_uring_setup", "", trace.OpUringSetup, ShapeNone, 425, 425},
	{"io_uring_enter", "", trace.OpUringEnter, ShapeRing, 426, 426},
	{"io_submit", "", trace.OpAIOSubmit, ShapeSubmit, 209, 2},
	{"io_getevents", "", trace.OpAIOGetEvents, ShapeGetEvents, 208, 4},
	{"io_pgetevents", "", trace.OpAIOGetEvents, ShapeGetEvents, 333, 292},
	{"fork", "", trace.OpFork, ShapeFork, 57, absent},
	{"vfork", "", trace.OpSpawn, ShapeFork, 58, absent},
	{"clone", "", trace.OpFork, ShapeClone, 56, 220},
	{"clone3", "", trace.OpFork, ShapeClone3, 435, 435},
	{"chdir", "", trace.OpOther, ShapeChdir, 80, 49},
	{"fchdir", "", trace.OpOther, ShapeFchdir, 81, 50},
}
