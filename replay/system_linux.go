package replay

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// pwrite is a write that waits until its data is safe if it was recorded so.
func pwrite(fd int, p []byte, at int64, sync trace.IOFlags) (int, error) {
	switch {
	case sync&trace.FlagSync != 0:
		return unix.Pwritev2(fd, [][]byte{p}, at, unix.RWF_SYNC)
	case sync != 0:
		return unix.Pwritev2(fd, [][]byte{p}, at, unix.RWF_DSYNC)
	}
	return unix.Pwrite(fd, p, at)
}

func dropPages(fd int) error { return unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED) }

// advise says how a file will be used; that is no error if the file system does
// not want to know.
func advise(fd int, at, n int64, advice int) error {
	err := unix.Fadvise(fd, at, n, advice)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EOPNOTSUPP) {
		return nil
	}
	return err
}

func syncRange(fd int, at, n int64, flags int) error { return unix.SyncFileRange(fd, at, n, flags) }

// allocate reserves room, where the file system can.
func allocate(fd int, at, n int64) error {
	if n <= 0 {
		return nil
	}
	err := unix.Fallocate(fd, 0, at, n)
	if errors.Is(err, unix.EOPNOTSUPP) {
		return nil
	}
	return err
}

// populate waits for mapped pages without the signal that touching pages beyond
// the end of a file would raise. Before Linux 5.14 it reads them instead.
func populate(pages []byte, fd int, at int64) error {
	const populateRead = 22 // MADV_POPULATE_READ
	err := unix.Madvise(pages, populateRead)
	if errors.Is(err, unix.EINVAL) {
		_, err = unix.Pread(fd, make([]byte, len(pages)), at)
	}
	if errors.Is(err, unix.EFAULT) { // it was cut off meanwhile
		return nil
	}
	return err
}

// clone has a file share the data of another.
func clone(to, from int) error { return unix.IoctlFileClone(to, from) }

func copyRange(out int, outAt int64, in int, inAt, n int64) (int, error) {
	return host.CopyRange(out, outAt, in, inAt, n)
}
