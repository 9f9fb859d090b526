package tracer

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// noAccessTime leaves alone when a file was last read.
const noAccessTime = unix.O_NOATIME

// statusChange is when the status of a file was changed last.
func statusChange(st *syscall.Stat_t) time.Time { return time.Unix(st.Ctim.Unix()) }

// remote are file systems whose files are elsewhere: reading them costs what the
// network costs, and may never return.
var remote = map[uint32]bool{
	unix.NFS_SUPER_MAGIC: true, unix.SMB_SUPER_MAGIC: true, unix.SMB2_SUPER_MAGIC: true, unix.CIFS_SUPER_MAGIC: true,
	unix.FUSE_SUPER_MAGIC: true, unix.V9FS_MAGIC: true, unix.CEPH_SUPER_MAGIC: true, unix.AFS_SUPER_MAGIC: true,
	unix.AFS_FS_MAGIC: true, unix.CODA_SUPER_MAGIC: true,
}

// local reports whether a file is on this machine.
func local(f *os.File) bool {
	var st unix.Statfs_t
	return unix.Fstatfs(int(f.Fd()), &st) == nil && !remote[uint32(st.Type)]
}
