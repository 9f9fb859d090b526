package output

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// File opens the directory as a file, to be synced or examined.
func (d *Directory) File() (*os.File, error) {
	fd := -1
	err := d.as.Do(func() error {
		return host.Retry(func() (err error) {
			fd, err = unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
			return err
		})
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.path, Err: err}
	}
	return os.NewFile(uintptr(fd), d.path), nil
}

// Entry is a name in a directory, and what it stands for.
type Entry struct {
	Name      string
	Size      int64
	Regular   bool
	Directory bool
}

// Entries lists the directory, itself and nothing that its path may lead to now.
func (d *Directory) Entries() (list []Entry, err error) {
	f, err := d.File()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	for _, name := range names {
		st, err := d.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		kind := uint32(st.Mode) & unix.S_IFMT
		list = append(list, Entry{name, st.Size, kind == unix.S_IFREG, kind == unix.S_IFDIR})
	}
	return list, err
}

// RemoveAll removes a directory with all that is in it.
func (d *Directory) RemoveAll(name string) error {
	in, err := d.Enter(name)
	if err != nil {
		return host.IgnoreMissing(err)
	}
	entries, err := in.Entries()
	errs := []error{err}
	for _, e := range entries {
		if e.Directory {
			errs = append(errs, in.RemoveAll(e.Name))
		} else {
			errs = append(errs, host.IgnoreMissing(in.Remove(e.Name)))
		}
	}
	return errors.Join(append(errs, in.Close(), host.IgnoreMissing(d.RemoveDirectory(name)))...)
}
