package directory

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/sysfile"
)

// List opens the directory to be listed, or synced.
func (d *Directory) List() (*os.File, error) {
	fd := -1
	err := d.as.Do(func() error {
		return sysfile.Retry(func() (err error) {
			fd, err = unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
			return err
		})
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.path, Err: err}
	}
	return os.NewFile(uintptr(fd), d.path), nil
}

// Kind is what a name in a directory stands for.
type Kind struct {
	Name      string
	Size      int64
	Regular   bool
	Directory bool
}

// Names lists the directory, itself and nothing that its path may lead to now.
func (d *Directory) Names() (list []Kind, err error) {
	f, err := d.List()
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
		list = append(list, Kind{name, st.Size, kind == unix.S_IFREG, kind == unix.S_IFDIR})
	}
	return list, err
}

// RemoveAll removes a directory with all that is in it.
func (d *Directory) RemoveAll(name string) error {
	in, err := d.Enter(name)
	if err != nil {
		return sysfile.IgnoreMissing(err)
	}
	names, err := in.Names()
	errs := []error{err}
	for _, n := range names {
		if n.Directory {
			errs = append(errs, in.RemoveAll(n.Name))
		} else {
			errs = append(errs, sysfile.IgnoreMissing(in.Remove(n.Name)))
		}
	}
	return errors.Join(append(errs, in.Close(), sysfile.IgnoreMissing(d.RemoveDirectory(name)))...)
}
