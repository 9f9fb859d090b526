package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/rights"
)

// trusted tells whether a user's symbolic links are followed and files replaced: root's
// are, and those of the one on whose behalf it is done.
func trusted(uid uint32, as *rights.Identity) bool {
	me := uint32(os.Geteuid())
	if as != nil {
		me = as.UID
	}
	return uid == 0 || uid == me
}

// mostLinks is how many symbolic links a path may lead through, as in Linux.
const mostLinks = 40

// walker goes along a path, one name at a time.
type walker struct {
	Place
	as    *rights.Identity
	rest  []string
	keep  int // names at the end that are not entered: that of a file, or none
	links int
	made  *[]Place // takes the directories that are made where there are none; nil: none are
}

// findPlace opens the directory of path. It goes there name by name: a symbolic link
// is followed if it belongs to somebody trusted. The kernel would follow anybody's,
// and root would write wherever the owner of a link in the path wants.
func findPlace(path string, as *rights.Identity) (Place, error) {
	w := walker{Place: Place{Dir: -1}, as: as, keep: 1}
	err := w.walk(path)
	return w.Place, err
}

// walk goes as far as it may. After an error the place is closed.
func (w *walker) walk(path string) error {
	err := w.enter(path)
	for err == nil && len(w.rest) > w.keep {
		if err = w.step(); err == nil {
			err = w.last()
		}
	}
	if err != nil {
		w.Close()
	}
	return err
}

// enter begins a path at its root, or goes on with it where the walker is.
func (w *walker) enter(path string) error {
	if path == "" {
		return errors.New("the name is empty")
	}
	names := strings.Split(path, "/")
	switch {
	case names[0] == "" || w.Dir < 0:
		start := "."
		if names[0] == "" {
			start = "/"
		}
		fd, err := openDirectory(unix.AT_FDCWD, start)
		if err != nil {
			return &fs.PathError{Op: "open", Path: start, Err: err}
		}
		w.Close()
		w.Dir, w.path = fd, start
	}
	w.rest = append(names, w.rest...)
	return w.last()
}

// last drops empty names, and looks whether the last one, if it is of a file, is a link.
func (w *walker) last() error {
	for len(w.rest) > w.keep && (w.rest[0] == "" || w.rest[0] == ".") {
		w.rest = w.rest[1:]
	}
	if len(w.rest) > w.keep || w.keep == 0 {
		return nil
	}
	w.Name = w.rest[0]
	if w.Name == "" || w.Name == "." || w.Name == ".." {
		return errors.New("is a directory (name a file in it)")
	}
	target, err := w.link(w.Name)
	if err != nil || target == "" {
		return err
	}
	w.rest = nil
	return w.enter(target)
}

// step goes into the next directory.
func (w *walker) step() error {
	name := w.rest[0]
	fd, err := openDirectory(w.Dir, name)
	if errors.Is(err, unix.ENOENT) && w.made != nil {
		fd, err = w.create(name)
	}
	if err == nil {
		unix.Close(w.Dir)
		w.Dir, w.path, w.rest = fd, filepath.Join(w.path, name), w.rest[1:]
		return nil
	}
	if target, linkErr := w.link(name); linkErr != nil {
		return linkErr
	} else if target != "" {
		w.rest = w.rest[1:]
		return w.enter(target)
	}
	return &fs.PathError{Op: "open", Path: w.Sibling(name), Err: err}
}

// create makes the next directory, unless somebody else just did.
func (w *walker) create(name string) (int, error) {
	if err := makeDirectory(w.Dir, name, w.as); err == nil {
		at, err := openDirectory(w.Dir, ".")
		if err != nil {
			return -1, err
		}
		*w.made = append(*w.made, Place{Dir: at, Name: name, path: w.path})
	} else if !errors.Is(err, unix.EEXIST) {
		return -1, err
	}
	return openDirectory(w.Dir, name)
}

// link is the target of a symbolic link, "" if the name is none. Both what it
// is and where it leads is asked of the same link.
func (w *walker) link(name string) (target string, err error) {
	owner, target, err := readLink(w.Dir, name)
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return "", nil // no link; whoever opens it says what it is
	case err != nil:
		return "", &fs.PathError{Op: "readlink", Path: w.Sibling(name), Err: err}
	}
	if !trusted(owner, w.as) {
		return "", fmt.Errorf("%s is a symbolic link of user %d, which is not followed (name a file in a directory of your "+
			"own)", w.Sibling(name), owner)
	}
	if w.links++; w.links > mostLinks {
		return "", &fs.PathError{Op: "open", Path: w.Sibling(name), Err: unix.ELOOP}
	}
	return target, nil
}

func openDirectory(dir int, name string) (int, error) {
	return host.IgnoringEINTR(func() (int, error) {
		return unix.Openat(dir, name, searchOnly|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
}

// makeDirectory makes a directory for its owner alone.
func makeDirectory(dir int, name string, as *rights.Identity) error {
	if err := host.Retry(func() error { return unix.Mkdirat(dir, name, ownMode) }); err != nil {
		return err
	}
	return giveDirectory(dir, name, as)
}
