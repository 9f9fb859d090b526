package tracer

// This file makes the data of files durable: written back step by step, and then synced.

import (
	"os"

	"golang.org/x/sys/unix"
)

// writeBack has nothing to do: macOS has no call to write a part of a file's
// cached data.
func writeBack(_ *os.File, _ bool, check func() error) error { return check() }

// Sync makes a file's data durable, drive cache included. fsync alone
// leaves it in the drive's cache on macOS; file systems without F_FULLFSYNC
// (network, FAT) have nothing better than fsync.
func Sync(f *os.File) error {
	if _, err := unix.FcntlInt(f.Fd(), unix.F_FULLFSYNC, 0); err == nil {
		return nil
	}
	return unix.Fsync(int(f.Fd()))
}

// syncSystem makes the cached data of all file systems durable: macOS can sync
// no single one. sync only starts the writes; the flush waits for them.
func syncSystem(f *os.File) error {
	if err := unix.Sync(); err != nil {
		return err
	}
	return Sync(f)
}
