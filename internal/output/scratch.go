package output

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// Scratch is a file to read and write that has no name, and so is gone when it
// is closed, or with this process. An empty dir means the one for temporary files.
func Scratch(dir string) (*os.File, error) {
	if f, err := openScratch(temporary(dir)); err == nil {
		return f, nil
	}
	f, remove, err := named(temporary(dir))
	if err != nil {
		return nil, err
	}
	if err := remove(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Spool is a Scratch that can be opened again by a path: that of its descriptor, or a
// name where there is none. remove closes it, and removes what has a name.
func Spool(dir string) (f *os.File, path string, remove func() error, err error) {
	if f, err = Scratch(dir); err != nil {
		return nil, "", nil, err
	}
	path = fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	if _, err := os.Stat(path); err == nil {
		return f, path, f.Close, nil
	}
	f.Close()
	f, unlink, err := named(temporary(dir))
	if err != nil {
		return nil, "", nil, err
	}
	return f, f.Name(), func() error { return errors.Join(f.Close(), unlink()) }, nil
}

func temporary(dir string) string {
	if dir == "" {
		return os.TempDir()
	}
	return dir
}

// named makes a file of a name that nobody has.
func named(dir string) (f *os.File, remove func() error, err error) {
	d, err := OpenDirectory(dir, nil)
	if err != nil {
		return nil, nil, err
	}
	name := temporaryName("iotrace")
	fd, err := d.Open(name, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL)
	if err != nil {
		return nil, nil, errors.Join(err, d.Close())
	}
	return os.NewFile(uintptr(fd), filepath.Join(dir, name)), func() error {
		return errors.Join(host.IgnoreMissing(d.Remove(name)), d.Close())
	}, nil
}
