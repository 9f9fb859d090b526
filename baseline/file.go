package baseline

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// file is an open data file. It does not go through os.File, whose poller has
// no part in file I/O and whose calls would show up in a trace.
type file struct {
	fd    int
	path  string
	flags uint32 // RWF_ flags of every call
	drop  bool   // its pages are to be dropped after the step: uncached I/O by hand
}

// openFile opens a data file for a step. mode is O_RDONLY, O_WRONLY or O_RDWR,
// with O_CREAT for a new file, which must not exist.
func openFile(path string, mode int, cache Cache, dsync bool) (*file, error) {
	flags := mode | unix.O_CLOEXEC | unix.O_NOFOLLOW
	if mode&unix.O_CREAT != 0 {
		flags |= unix.O_EXCL
	}
	if cache == Direct {
		flags |= directFlag
	}
	if dsync {
		flags |= unix.O_DSYNC
	}
	fd, err := ignoringEINTR(func() (int, error) { return unix.Open(path, flags, 0o600) })
	if err != nil {
		err = &os.PathError{Op: "open", Path: path, Err: err}
		if cache == Direct && errors.Is(err, unix.EINVAL) {
			return nil, fmt.Errorf("%w: %w (the file system has no direct I/O)", errUnsupported, err)
		}
		return nil, err
	}
	f := &file{fd: fd, path: path}
	if err := f.setCache(cache); err != nil {
		return nil, errors.Join(fmt.Errorf("setting cache mode %s of %s: %w", cache, path, err), f.close())
	}
	return f, nil
}

// errUnsupported is wrapped by errors that mean: this step cannot be done on
// this file system or system. It is skipped, with a warning.
var errUnsupported = errors.New("not possible here")

func (f *file) close() error {
	if err := unix.Close(f.fd); err != nil {
		return &os.PathError{Op: "close", Path: f.path, Err: err}
	}
	return nil
}

// size is the length of a file or a device in bytes.
func (f *file) size() (int64, error) {
	n, err := unix.Seek(f.fd, 0, unix.SEEK_END)
	if err != nil {
		return 0, &os.PathError{Op: "seek", Path: f.path, Err: err}
	}
	if _, err := unix.Seek(f.fd, 0, unix.SEEK_SET); err != nil {
		return 0, &os.PathError{Op: "seek", Path: f.path, Err: err}
	}
	return n, nil
}

func (f *file) sync() error {
	if _, err := ignoringEINTR(func() (int, error) { return 0, unix.Fsync(f.fd) }); err != nil {
		return &os.PathError{Op: "fsync", Path: f.path, Err: err}
	}
	return nil
}

func (f *file) datasync() error {
	if _, err := ignoringEINTR(func() (int, error) { return 0, fdatasync(f.fd) }); err != nil {
		return &os.PathError{Op: "fdatasync", Path: f.path, Err: err}
	}
	return nil
}

// ignoringEINTR repeats a call that a signal interrupted. The Go runtime sends
// itself signals.
func ignoringEINTR(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
