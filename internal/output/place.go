package output

import (
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// Place is a name in an open directory. Whatever happens to the path that led
// there, the place stays the same.
type Place struct {
	Dir  int // descriptor; -1 for none
	Name string
	path string // of the directory, for messages
}

// Place is a name in the directory, which is opened for it once more.
func (d *Directory) Place(name string) (Place, error) {
	if err := plain(name); err != nil {
		return Place{Dir: -1}, err
	}
	at, err := openDirectory(d.fd, ".")
	return Place{Dir: at, Name: name, path: d.path}, err
}

// Close closes the directory.
func (p *Place) Close() {
	if p.Dir >= 0 {
		unix.Close(p.Dir)
	}
	p.Dir = -1
}

// Sibling is the path of another name in the same directory.
func (p *Place) Sibling(name string) string { return filepath.Join(p.path, name) }

// Open opens what has the name. A link is not followed, and a new file is for its
// owner alone.
func (p *Place) Open(flags int) (fd int, err error) {
	return host.IgnoringEINTR(func() (int, error) {
		return unix.Openat(p.Dir, p.Name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, newMode)
	})
}

// Stat is what is known of the name, of a link of itself.
func (p *Place) Stat() (st unix.Stat_t, err error) {
	err = unix.Fstatat(p.Dir, p.Name, &st, unix.AT_SYMLINK_NOFOLLOW)
	return st, err
}

// Remove removes the file of that name.
func (p *Place) Remove() error { return unix.Unlinkat(p.Dir, p.Name, 0) }

// RemoveDirectory removes the directory of that name, if it is empty.
func (p *Place) RemoveDirectory() error { return unix.Unlinkat(p.Dir, p.Name, unix.AT_REMOVEDIR) }
