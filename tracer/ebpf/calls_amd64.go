//go:build linux

package ebpf

import (
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

const sysNewfstatat = unix.SYS_NEWFSTATAT

// legacyCalls exist on x86 only; newer architectures have the *at forms alone.
var legacyCalls = []call{
	{unix.SYS_OPEN, "open", trace.OpOpen, shapeOpen},
	{unix.SYS_CREAT, "creat", trace.OpOpen, shapeCreat},
	{unix.SYS_STAT, "stat", trace.OpStat, shapePath},
	{unix.SYS_LSTAT, "lstat", trace.OpStat, shapePath},
	{unix.SYS_ACCESS, "access", trace.OpStat, shapePath},
	{unix.SYS_GETDENTS, "getdents", trace.OpReaddir, shapeFDBuf},
	{unix.SYS_RENAME, "rename", trace.OpRename, shapeRename},
	{unix.SYS_LINK, "link", trace.OpLink, shapeRename},
	{unix.SYS_SYMLINK, "symlink", trace.OpSymlink, shapeSymlink},
	{unix.SYS_READLINK, "readlink", trace.OpReadlink, shapePath},
	{unix.SYS_UNLINK, "unlink", trace.OpUnlink, shapePath},
	{unix.SYS_RMDIR, "rmdir", trace.OpUnlink, shapePath},
	{unix.SYS_MKDIR, "mkdir", trace.OpMkdir, shapePath},
	{unix.SYS_CHMOD, "chmod", trace.OpAttr, shapePath},
	{unix.SYS_CHOWN, "chown", trace.OpAttr, shapePath},
	{unix.SYS_LCHOWN, "lchown", trace.OpAttr, shapePath},
	{unix.SYS_UTIME, "utime", trace.OpAttr, shapePath},
	{unix.SYS_UTIMES, "utimes", trace.OpAttr, shapePath},
	{unix.SYS_FUTIMESAT, "futimesat", trace.OpAttr, shapeAt},
}
