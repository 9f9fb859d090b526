package tracer

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// step is how much of a file is handed to the kernel at a time. fdatasync of a
// large file cannot be interrupted, not even by the end of this process; steps
// can be given up between any two. One step is always in flight while the next
// is submitted, so that the device never waits for us.
const step = 32 << 20

// writeBack has the dirty pages of f written, in steps, until check objects.
// With wait it returns once they are written, otherwise once they are
// submitted.
func writeBack(f *os.File, wait bool, check func() error) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("measuring %q: %w", f.Name(), err)
	}
	fd := int(f.Fd())
	for off := int64(0); off < size; off += step {
		if err := check(); err != nil {
			return err
		}
		// Errors show in the sync that follows, which is what counts.
		_ = unix.SyncFileRange(fd, off, step, unix.SYNC_FILE_RANGE_WRITE)
		if wait && off > 0 {
			_ = unix.SyncFileRange(fd, off-step, step, unix.SYNC_FILE_RANGE_WAIT_BEFORE)
		}
	}
	if err := check(); err != nil || !wait || size == 0 {
		return err
	}
	last := (size - 1) / step * step
	_ = unix.SyncFileRange(fd, last, step, unix.SYNC_FILE_RANGE_WAIT_BEFORE)
	return check()
}

// syncData makes a file's data durable, drive cache included.
func syncData(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// syncSystem makes all data of f's file system durable.
func syncSystem(f *os.File) error { return unix.Syncfs(int(f.Fd())) }
