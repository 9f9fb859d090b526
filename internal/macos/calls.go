package macos

import "github.com/iotrace/iotrace/trace"

// Shape says what the arguments of a system call are. The comment gives their
// order; "…" are arguments that no event needs.
type Shape uint8

// The shapes of calls.
const (
	ShapeNone         Shape = iota // nothing a trace needs
	ShapeIO                        // fd, buffer, length
	ShapePIO                       // fd, buffer, length, offset
	ShapeVec                       // fd, vector, count
	ShapePVec                      // fd, vector, count, offset
	ShapeGuardIO                   // fd, guard, buffer, length
	ShapeGuardPIO                  // fd, guard, buffer, length, offset
	ShapeGuardVec                  // fd, guard, vector, count
	ShapeOpen                      // path, flags, …
	ShapeOpenAt                    // dirfd, path, flags, …
	ShapeGuardOpen                 // path, guard, guard flags, flags, …
	ShapeOpenByID                  // file system, object, flags
	ShapeClose                     // fd, …
	ShapeDup                       // fd
	ShapeDup2                      // fd, new fd
	ShapeFcntl                     // fd, command, argument
	ShapeSeek                      // fd, offset, whence
	ShapeFD                        // fd, …
	ShapeFDBuf                     // fd, attribute list, buffer, length (reads a directory or attributes)
	ShapePath                      // path, …
	ShapeAt                        // dirfd, path, …
	ShapeTwoPaths                  // path, path, …
	ShapeTwoAt                     // dirfd, path, dirfd, path, …
	ShapeSymlink                   // target (a text), path
	ShapeSymlinkAt                 // target (a text), dirfd, path
	ShapeClone                     // fd, dirfd, path, …
	ShapeMmap                      // address, length, protection, flags, fd, offset
	ShapeRange                     // address, length, …
	ShapeTruncate                  // path, length
	ShapeFtruncate                 // fd, length
	ShapeSendfile                  // fd, socket, offset, *length, …
	ShapeAIO                       // aiocb
	ShapeAIOReturn                 // aiocb
	ShapeChdir                     // path
	ShapeFchdir                    // fd
	ShapeThreadChdir               // path
	ShapeThreadFchdir              // fd
	ShapePipe                      // (two results)
	ShapeSocket                    // (a descriptor as result)
	ShapeFork                      // (a process as result)
	ShapeExec                      // path, …
	ShapeSpawn                     // *pid, path, …
	ShapeExit                      // status
)

// Call is one system call of macOS.
type Call struct {
	Number uint16
	Name   string
	Op     trace.Op
	Shape  Shape
	Flags  trace.IOFlags // that every event of the call carries
}

const (
	vec  = trace.FlagVectored
	posn = trace.FlagPositioned
)

// Calls are the system calls a recording holds, from bsd/kern/syscalls.master
// of xnu-11417. libc uses the _nocancel forms for most of its own traffic.
var Calls = []Call{
	{1, "exit", trace.OpOther, ShapeExit, 0},
	{2, "fork", trace.OpOther, ShapeFork, 0},
	{3, "read", trace.OpRead, ShapeIO, 0},
	{4, "write", trace.OpWrite, ShapeIO, 0},
	{5, "open", trace.OpOpen, ShapeOpen, 0},
	{6, "close", trace.OpClose, ShapeClose, 0},
	{9, "link", trace.OpLink, ShapeTwoPaths, 0},
	{10, "unlink", trace.OpUnlink, ShapePath, 0},
	{12, "chdir", trace.OpOther, ShapeChdir, 0},
	{13, "fchdir", trace.OpOther, ShapeFchdir, 0},
	{15, "chmod", trace.OpAttr, ShapePath, 0},
	{16, "chown", trace.OpAttr, ShapePath, 0},
	{30, "accept", trace.OpOther, ShapeSocket, 0},
	{33, "access", trace.OpStat, ShapePath, 0},
	{34, "chflags", trace.OpAttr, ShapePath, 0},
	{35, "fchflags", trace.OpAttr, ShapeFD, 0},
	{36, "sync", trace.OpSyncFS, ShapeNone, 0},
	{41, "dup", trace.OpFcntl, ShapeDup, 0},
	{42, "pipe", trace.OpOther, ShapePipe, 0},
	{54, "ioctl", trace.OpIoctl, ShapeFD, 0},
	{57, "symlink", trace.OpSymlink, ShapeSymlink, 0},
	{58, "readlink", trace.OpReadlink, ShapePath, 0},
	{59, "execve", trace.OpOther, ShapeExec, 0},
	{65, "msync", trace.OpMsync, ShapeRange, 0},
	{66, "vfork", trace.OpOther, ShapeFork, 0},
	{90, "dup2", trace.OpFcntl, ShapeDup2, 0},
	{92, "fcntl", trace.OpFcntl, ShapeFcntl, 0},
	{95, "fsync", trace.OpSync, ShapeFD, 0},
	{97, "socket", trace.OpOther, ShapeSocket, 0},
	{120, "readv", trace.OpRead, ShapeVec, vec},
	{121, "writev", trace.OpWrite, ShapeVec, vec},
	{123, "fchown", trace.OpAttr, ShapeFD, 0},
	{124, "fchmod", trace.OpAttr, ShapeFD, 0},
	{128, "rename", trace.OpRename, ShapeTwoPaths, 0},
	{131, "flock", trace.OpLock, ShapeFD, 0},
	{136, "mkdir", trace.OpMkdir, ShapePath, 0},
	{137, "rmdir", trace.OpUnlink, ShapePath, 0},
	{138, "utimes", trace.OpAttr, ShapePath, 0},
	{139, "futimes", trace.OpAttr, ShapeFD, 0},
	{153, "pread", trace.OpRead, ShapePIO, posn},
	{154, "pwrite", trace.OpWrite, ShapePIO, posn},
	{157, "statfs", trace.OpStatFS, ShapePath, 0},
	{158, "fstatfs", trace.OpStatFS, ShapeFD, 0},
	{187, "fdatasync", trace.OpDataSync, ShapeFD, 0},
	{188, "stat", trace.OpStat, ShapePath, 0},
	{189, "fstat", trace.OpStat, ShapeFD, 0},
	{190, "lstat", trace.OpStat, ShapePath, 0},
	{197, "mmap", trace.OpMmap, ShapeMmap, 0},
	{199, "lseek", trace.OpSeek, ShapeSeek, 0},
	{200, "truncate", trace.OpTruncate, ShapeTruncate, 0},
	{201, "ftruncate", trace.OpTruncate, ShapeFtruncate, 0},
	{216, "open_dprotected_np", trace.OpOpen, ShapeOpen, 0},
	{218, "openat_dprotected_np", trace.OpOpen, ShapeOpenAt, 0},
	{220, "getattrlist", trace.OpStat, ShapePath, 0},
	{221, "setattrlist", trace.OpAttr, ShapePath, 0},
	{223, "exchangedata", trace.OpRename, ShapeTwoPaths, 0},
	{226, "delete", trace.OpUnlink, ShapePath, 0},
	{227, "copyfile", trace.OpCopyfile, ShapeTwoPaths, 0},
	{228, "fgetattrlist", trace.OpStat, ShapeFD, 0},
	{229, "fsetattrlist", trace.OpAttr, ShapeFD, 0},
	{234, "getxattr", trace.OpXattr, ShapePath, 0},
	{235, "fgetxattr", trace.OpXattr, ShapeFD, 0},
	{236, "setxattr", trace.OpXattr, ShapePath, 0},
	{237, "fsetxattr", trace.OpXattr, ShapeFD, 0},
	{238, "removexattr", trace.OpXattr, ShapePath, 0},
	{239, "fremovexattr", trace.OpXattr, ShapeFD, 0},
	{240, "listxattr", trace.OpXattr, ShapePath, 0},
	{241, "flistxattr", trace.OpXattr, ShapeFD, 0},
	{242, "fsctl", trace.OpIoctl, ShapePath, 0},
	{244, "posix_spawn", trace.OpOther, ShapeSpawn, 0},
	{245, "ffsctl", trace.OpIoctl, ShapeFD, 0},
	{277, "open_extended", trace.OpOpen, ShapeOpen, 0},
	{282, "chmod_extended", trace.OpAttr, ShapePath, 0},
	{283, "fchmod_extended", trace.OpAttr, ShapeFD, 0},
	{284, "access_extended", trace.OpStat, ShapeNone, 0},
	{292, "mkdir_extended", trace.OpMkdir, ShapePath, 0},
	{313, "aio_fsync", trace.OpSync, ShapeNone, 0},
	{314, "aio_return", trace.OpAIOGetEvents, ShapeAIOReturn, 0},
	{315, "aio_suspend", trace.OpAIOGetEvents, ShapeNone, 0},
	{316, "aio_cancel", trace.OpOther, ShapeFD, 0},
	{317, "aio_error", trace.OpAIOGetEvents, ShapeNone, 0},
	{318, "aio_read", trace.OpAIOSubmit, ShapeAIO, trace.FlagRead},
	{319, "aio_write", trace.OpAIOSubmit, ShapeAIO, trace.FlagWrite},
	{320, "lio_listio", trace.OpAIOSubmit, ShapeNone, 0},
	{337, "sendfile", trace.OpSendfile, ShapeSendfile, 0},
	{338, "stat64", trace.OpStat, ShapePath, 0},
	{339, "fstat64", trace.OpStat, ShapeFD, 0},
	{340, "lstat64", trace.OpStat, ShapePath, 0},
	{341, "stat64_extended", trace.OpStat, ShapePath, 0},
	{342, "lstat64_extended", trace.OpStat, ShapePath, 0},
	{343, "fstat64_extended", trace.OpStat, ShapeFD, 0},
	{344, "getdirentries64", trace.OpReaddir, ShapeIO, 0},
	{345, "statfs64", trace.OpStatFS, ShapePath, 0},
	{346, "fstatfs64", trace.OpStatFS, ShapeFD, 0},
	{347, "getfsstat64", trace.OpStatFS, ShapeNone, 0},
	{348, "__pthread_chdir", trace.OpOther, ShapeThreadChdir, 0},
	{349, "__pthread_fchdir", trace.OpOther, ShapeThreadFchdir, 0},
	{362, "kqueue", trace.OpOther, ShapeSocket, 0},
	{364, "lchown", trace.OpAttr, ShapePath, 0},
	{380, "__mac_execve", trace.OpOther, ShapeExec, 0},
	{396, "read_nocancel", trace.OpRead, ShapeIO, 0},
	{397, "write_nocancel", trace.OpWrite, ShapeIO, 0},
	{398, "open_nocancel", trace.OpOpen, ShapeOpen, 0},
	{399, "close_nocancel", trace.OpClose, ShapeClose, 0},
	{404, "accept_nocancel", trace.OpOther, ShapeSocket, 0},
	{405, "msync_nocancel", trace.OpMsync, ShapeRange, 0},
	{406, "fcntl_nocancel", trace.OpFcntl, ShapeFcntl, 0},
	{408, "fsync_nocancel", trace.OpSync, ShapeFD, 0},
	{411, "readv_nocancel", trace.OpRead, ShapeVec, vec},
	{412, "writev_nocancel", trace.OpWrite, ShapeVec, vec},
	{414, "pread_nocancel", trace.OpRead, ShapePIO, posn},
	{415, "pwrite_nocancel", trace.OpWrite, ShapePIO, posn},
	{421, "aio_suspend_nocancel", trace.OpAIOGetEvents, ShapeNone, 0},
	{427, "fsgetpath", trace.OpStat, ShapeNone, 0},
	{441, "guarded_open_np", trace.OpOpen, ShapeGuardOpen, 0},
	{442, "guarded_close_np", trace.OpClose, ShapeClose, 0},
	{443, "guarded_kqueue_np", trace.OpOther, ShapeSocket, 0},
	{444, "change_fdguard_np", trace.OpFcntl, ShapeFD, 0},
	{461, "getattrlistbulk", trace.OpReaddir, ShapeFDBuf, 0},
	{462, "clonefileat", trace.OpClone, ShapeTwoAt, 0},
	{463, "openat", trace.OpOpen, ShapeOpenAt, 0},
	{464, "openat_nocancel", trace.OpOpen, ShapeOpenAt, 0},
	{465, "renameat", trace.OpRename, ShapeTwoAt, 0},
	{466, "faccessat", trace.OpStat, ShapeAt, 0},
	{467, "fchmodat", trace.OpAttr, ShapeAt, 0},
	{468, "fchownat", trace.OpAttr, ShapeAt, 0},
	{469, "fstatat", trace.OpStat, ShapeAt, 0},
	{470, "fstatat64", trace.OpStat, ShapeAt, 0},
	{471, "linkat", trace.OpLink, ShapeTwoAt, 0},
	{472, "unlinkat", trace.OpUnlink, ShapeAt, 0},
	{473, "readlinkat", trace.OpReadlink, ShapeAt, 0},
	{474, "symlinkat", trace.OpSymlink, ShapeSymlinkAt, 0},
	{475, "mkdirat", trace.OpMkdir, ShapeAt, 0},
	{476, "getattrlistat", trace.OpStat, ShapeAt, 0},
	{479, "openbyid_np", trace.OpOpen, ShapeOpenByID, 0},
	{484, "guarded_open_dprotected_np", trace.OpOpen, ShapeGuardOpen, 0},
	{485, "guarded_write_np", trace.OpWrite, ShapeGuardIO, 0},
	{486, "guarded_pwrite_np", trace.OpWrite, ShapeGuardPIO, posn},
	{487, "guarded_writev_np", trace.OpWrite, ShapeGuardVec, vec},
	{488, "renameatx_np", trace.OpRename, ShapeTwoAt, 0},
	{517, "fclonefileat", trace.OpClone, ShapeClone, 0},
	{518, "fs_snapshot", trace.OpOther, ShapeNone, 0},
	{524, "setattrlistat", trace.OpAttr, ShapeAt, 0},
	{540, "preadv", trace.OpRead, ShapePVec, vec | posn},
	{541, "pwritev", trace.OpWrite, ShapePVec, vec | posn},
	{542, "preadv_nocancel", trace.OpRead, ShapePVec, vec | posn},
	{543, "pwritev_nocancel", trace.OpWrite, ShapePVec, vec | posn},
	{551, "freadlink", trace.OpReadlink, ShapeFD, 0},
}

// FcntlName is the name under which an fcntl command is recorded, as a call of
// its own: "fcntl(F_FULLFSYNC)".
func FcntlName(command string) string { return "fcntl(" + command + ")" }
