package output

import (
	"errors"
	"path/filepath"

	"github.com/iotrace/iotrace/internal/sysfile"
)

// TemporaryDirectory makes a directory of a name that nobody has in another one, and
// says where it is. remove removes it with all that is in it.
func TemporaryDirectory(dir string, as *Identity) (path string, remove func() error, err error) {
	d, err := OpenDirectory(temporary(dir), as)
	if err != nil {
		return "", nil, err
	}
	name := temporaryName("iotrace")[1:]
	if err := d.Make(name); err != nil {
		return "", nil, errors.Join(err, d.Close())
	}
	return filepath.Join(d.path, name), func() error { return errors.Join(d.RemoveAll(name), d.Close()) }, nil
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
