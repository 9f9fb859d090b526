package convert

import "github.com/iotrace/iotrace/trace"

// straceShape says where the arguments of a call are.
type straceShape uint8

const (
	stFD       straceShape = iota // fd, …
	stIO                          // fd, buffer, length
	stPIO                         // fd, buffer, length, offset
	stVec                         // fd, vector, count
	stPVec                        // fd, vector, count, offset
	stCopy                        // fd, *offset, fd, *offset, length
	stSendfile                    // to, from, *offset, length
	stOpen                        // path, flags
	stOpenAt                      // dirfd, path, flags
	stClose                       // fd
	stDup                         // fd …
	stFcntl                       // fd, command
	stSeek                        // fd, offset, whence
	stPath                        // path
	stAt                          // dirfd, path
	stTwo                         // path, path
	stTwoAt                       // dirfd, path, dirfd, path
	stLink                        // (target), path
	stLinkAt                      // (target), dirfd, path
	stLength                      // fd, length
	stPathLen                     // path, length
	stRange                       // fd, offset, length
	stAllocate                    // fd, mode, offset, length
	stMmap                        // address, length, protection, flags, fd, offset
	stNone                        //
)

// straceTable are the calls that become events, those of a recording.
var straceTable = []struct {
	name  string
	op    trace.Op
	shape straceShape
}{
	{"read", trace.OpRead, stIO}, {"write", trace.OpWrite, stIO}, {"pread64", trace.OpRead, stPIO}, {"pwrite64", trace.OpWrite, stPIO},
	{"readv", trace.OpRead, stVec}, {"writev", trace.OpWrite, stVec}, {"preadv", trace.OpRead, stPVec}, {"pwritev", trace.OpWrite, stPVec},
	{"preadv2", trace.OpRead, stPVec}, {"pwritev2", trace.OpWrite, stPVec},
	{"copy_file_range", trace.OpCopyRange, stCopy}, {"splice", trace.OpSplice, stCopy}, {"sendfile", trace.OpSendfile, stSendfile},
	{"open", trace.OpOpen, stOpen}, {"creat", trace.OpOpen, stOpen}, {"openat", trace.OpOpen, stOpenAt}, {"openat2", trace.OpOpen, stOpenAt},
	{"close", trace.OpClose, stClose}, {"dup", trace.OpOther, stDup}, {"dup2", trace.OpOther, stDup}, {"dup3", trace.OpOther, stDup},
	{"fcntl", trace.OpLock, stFcntl}, {"flock", trace.OpLock, stFD},
	{"fsync", trace.OpSync, stFD}, {"fdatasync", trace.OpDataSync, stFD}, {"syncfs", trace.OpSyncFS, stFD}, {"sync", trace.OpSyncFS, stNone},
	{"sync_file_range", trace.OpSyncRange, stRange}, {"fadvise64", trace.OpAdvise, stRange}, {"readahead", trace.OpAdvise, stRange},
	{"truncate", trace.OpTruncate, stPathLen}, {"ftruncate", trace.OpTruncate, stLength}, {"fallocate", trace.OpAllocate, stAllocate},
	{"lseek", trace.OpSeek, stSeek}, {"mmap", trace.OpMmap, stMmap},
	{"stat", trace.OpStat, stPath}, {"lstat", trace.OpStat, stPath}, {"fstat", trace.OpStat, stFD}, {"newfstatat", trace.OpStat, stAt},
	{"statx", trace.OpStat, stAt}, {"access", trace.OpStat, stPath}, {"faccessat", trace.OpStat, stAt}, {"faccessat2", trace.OpStat, stAt},
	{"statfs", trace.OpStatFS, stPath}, {"fstatfs", trace.OpStatFS, stFD}, {"getdents64", trace.OpReaddir, stIO},
	{"rename", trace.OpRename, stTwo}, {"renameat", trace.OpRename, stTwoAt}, {"renameat2", trace.OpRename, stTwoAt},
	{"link", trace.OpLink, stTwo}, {"linkat", trace.OpLink, stTwoAt}, {"symlink", trace.OpSymlink, stLink}, {"symlinkat", trace.OpSymlink, stLinkAt},
	{"readlink", trace.OpReadlink, stPath}, {"readlinkat", trace.OpReadlink, stAt},
	{"unlink", trace.OpUnlink, stPath}, {"unlinkat", trace.OpUnlink, stAt}, {"rmdir", trace.OpUnlink, stPath},
	{"mkdir", trace.OpMkdir, stPath}, {"mkdirat", trace.OpMkdir, stAt},
	{"chmod", trace.OpAttr, stPath}, {"fchmod", trace.OpAttr, stFD}, {"fchmodat", trace.OpAttr, stAt}, {"chown", trace.OpAttr, stPath},
	{"fchown", trace.OpAttr, stFD}, {"fchownat", trace.OpAttr, stAt}, {"utimensat", trace.OpAttr, stAt},
	{"getxattr", trace.OpXattr, stPath}, {"lgetxattr", trace.OpXattr, stPath}, {"fgetxattr", trace.OpXattr, stFD}, {"setxattr", trace.OpXattr, stPath},
	{"fsetxattr", trace.OpXattr, stFD}, {"listxattr", trace.OpXattr, stPath}, {"llistxattr", trace.OpXattr, stPath}, {"flistxattr", trace.OpXattr, stFD},
	{"io_uring_enter", trace.OpUringEnter, stFD}, {"io_submit", trace.OpAIOSubmit, stNone}, {"io_getevents", trace.OpAIOGetEvents, stNone},
}

func straceNames() (names []string) {
	for _, c := range straceTable {
		names = append(names, c.name)
	}
	return names
}

var straceIndex = func() map[string]int {
	m := map[string]int{}
	for i, c := range straceTable {
		m[c.name] = i
	}
	return m
}()
