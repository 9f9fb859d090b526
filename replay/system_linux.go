package replay

import "golang.org/x/sys/unix"

// directFlag opens a file past the page cache.
const directFlag = unix.O_DIRECT

func dataSync(fd int) error { return unix.Fdatasync(fd) }

func dropPages(fd int) error { return unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED) }

func copyRange(out int, outAt int64, in int, inAt, n int64) (int, error) {
	return unix.CopyFileRange(in, &inAt, out, &outAt, int(min(n, 1<<30)), 0)
}
