package storage

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
)

// File is an open data file. It does not go through os.File, whose poller has
// no part in file I/O and whose calls would show up in a trace.
type File struct {
	FD    int
	Path  string
	Flags uint32 // RWF_ flags of every call
	Drop  bool   // its pages are to be dropped after the step: uncached I/O by hand
}

// Open opens for a step what is in nobody's working directory: a device. mode is
// O_RDONLY, O_WRONLY or O_RDWR, with O_CREAT for a new file, which must not exist.
func Open(path string, mode int, cache baseline.Cache, dsync bool) (*File, error) {
	return open(path, mode, cache, dsync, func(flags int) (int, error) { return output.Open(path, flags) })
}

func open(path string, mode int, cache baseline.Cache, dsync bool, call func(flags int) (int, error)) (*File, error) {
	flags := mode
	if mode&unix.O_CREAT != 0 {
		flags |= unix.O_EXCL
	}
	if cache == baseline.Direct {
		flags |= host.DirectFlag
	}
	if dsync {
		flags |= unix.O_DSYNC
	}
	fd, err := call(flags)
	if err != nil {
		if cache == baseline.Direct && errors.Is(err, unix.EINVAL) {
			return nil, fmt.Errorf("%w: %w (the file system has no direct I/O)", ErrUnsupported, err)
		}
		return nil, err
	}
	f := &File{FD: fd, Path: path}
	if err := f.setCache(cache); err != nil {
		return nil, errors.Join(fmt.Errorf("setting cache mode %s of %s: %w", cache, path, err), f.Close())
	}
	return f, nil
}

// ErrUnsupported is wrapped by errors that mean: this step cannot be done on
// this file system or system. It is skipped, with a warning.
var ErrUnsupported = errors.New("not possible here")

func (f *File) Close() error {
	if err := unix.Close(f.FD); err != nil {
		return &os.PathError{Op: "close", Path: f.Path, Err: err}
	}
	return nil
}

// Size is the length of a file or a device in bytes.
func (f *File) Size() (int64, error) {
	n, err := unix.Seek(f.FD, 0, unix.SEEK_END)
	if err != nil {
		return 0, &os.PathError{Op: "seek", Path: f.Path, Err: err}
	}
	if _, err := unix.Seek(f.FD, 0, unix.SEEK_SET); err != nil {
		return 0, &os.PathError{Op: "seek", Path: f.Path, Err: err}
	}
	return n, nil
}

func (f *File) Sync() error {
	if err := host.Retry(func() error { return unix.Fsync(f.FD) }); err != nil {
		return &os.PathError{Op: "fsync", Path: f.Path, Err: err}
	}
	return nil
}

func (f *File) Datasync() error {
	if err := host.Datasync(f.FD); err != nil {
		return &os.PathError{Op: "fdatasync", Path: f.Path, Err: err}
	}
	return nil
}
