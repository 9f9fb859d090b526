package output

import (
	"errors"
	"path/filepath"

	"github.com/iotrace/iotrace/internal/rights"
)

// TemporaryDirectory makes a directory of a name that nobody has in another one, and
// says where it is. remove removes it with all that is in it.
func TemporaryDirectory(dir string, as *rights.Identity) (path string, remove func() error, err error) {
	d, err := OpenDirectory(temporary(dir), as)
	if err != nil {
		return "", nil, err
	}
	name := temporaryName("iotrace")[1:]
	if err := d.Make(name); err != nil {
		return "", nil, errors.Join(err, d.Close())
	}
	return filepath.Join(d.Path(), name), func() error { return errors.Join(d.RemoveAll(name), d.Close()) }, nil
}
