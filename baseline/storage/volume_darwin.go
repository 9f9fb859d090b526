package storage

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
)

// Describe finds the file system of a directory.
func Describe(path string) (Volume, error) {
	p := Volume{Place: baseline.Place{Path: path}}
	var fs unix.Statfs_t
	if err := unix.Statfs(path, &fs); err != nil {
		return p, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	p.SizeBytes, p.FreeBytes = int64(fs.Blocks)*int64(fs.Bsize), int64(fs.Bavail)*int64(fs.Bsize)
	p.FSType = unix.ByteSliceToString(fs.Fstypename[:])
	p.Mount = unix.ByteSliceToString(fs.Mntonname[:])
	p.Source = unix.ByteSliceToString(fs.Mntfromname[:])
	return p, nil
}

// read has no counters: macOS has none that a user may read without IOKit.
func (p Volume) read() counters { return counters{} }

// DropDevice does nothing: no call drops what is cached of a device here.
func (p Volume) DropDevice() {}
