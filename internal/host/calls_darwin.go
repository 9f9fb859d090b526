package host

import "golang.org/x/sys/unix"

// DirectFlag is 0: macOS has F_NOCACHE instead, and that does not keep pages that are there already from being used.
const DirectFlag = 0

// Datasync is fsync on macOS: data goes to the drive, not through its cache.
func Datasync(fd int) error { return Retry(func() error { return unix.Fsync(fd) }) }

// SyncFS has everything written that was written to the disks.
func SyncFS(int) error { return unix.Sync() }

// CopyRange is not to be had: macOS copies within the kernel by whole files only.
func CopyRange(int, int64, int, int64, int64) (int, error) { return -1, unix.ENOTSUP }
