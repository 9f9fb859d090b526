package host

import "golang.org/x/sys/unix"

// DirectFlag opens a file past the page cache.
const DirectFlag = unix.O_DIRECT

// Datasync has the data of a file on the device.
func Datasync(fd int) error { return Retry(func() error { return unix.Fdatasync(fd) }) }

// SyncFS has everything written that was written to the file system of an open file.
func SyncFS(fd int) error { return Retry(func() error { return unix.Syncfs(fd) }) }

// CopyRange lets the kernel copy up to n bytes.
func CopyRange(out int, outAt int64, in int, inAt, n int64) (int, error) {
	return IgnoringEINTR(func() (int, error) { return unix.CopyFileRange(in, &inAt, out, &outAt, int(min(n, 1<<30)), 0) })
}
