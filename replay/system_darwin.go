package replay

import (
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/uring"
	"github.com/iotrace/iotrace/trace"
)

// pwrite is a write, and an fsync behind it if it was recorded to wait for its data to be safe.
func pwrite(fd int, p []byte, at int64, sync trace.IOFlags) (int, error) {
	n, err := unix.Pwrite(fd, p, at)
	if err == nil && sync != 0 {
		err = host.Datasync(fd)
	}
	return n, err
}

// dropPages keeps what is written and read through this descriptor out of the
// cache.
func dropPages(fd int) error {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_NOCACHE, 1)
	return err
}

// advise does nothing: macOS has no such call.
func advise(int, int64, int64, int) error { return nil }

// syncRange does nothing for the same reason.
func syncRange(int, int64, int64, int) error { return nil }

// allocate does nothing: room that is reserved by F_PREALLOCATE is not part of
// the file.
func allocate(int, int64, int64) error { return nil }

// populate reads the pages: macOS has no call that only waits for them.
func populate(pages []byte, fd int, at int64) error {
	_, err := unix.Pread(fd, make([]byte, len(pages)), at)
	return err
}

// clone is not to be had: macOS makes clones under a name, not in an open file.
func clone(int, int) error { return unix.EOPNOTSUPP }

func copyByRing(int, int, *Op, *atomic.Bool) (int64, error) { return 0, uring.ErrUnavailable }

// copyRange reads and writes: macOS copies within the kernel by whole files only.
func copyRange(out int, outAt int64, in int, inAt, n int64) (int, error) {
	buf := make([]byte, min(n, 1<<20))
	got, err := unix.Pread(in, buf, inAt)
	if err != nil || got == 0 {
		return got, err
	}
	return unix.Pwrite(out, buf[:got], outAt)
}
