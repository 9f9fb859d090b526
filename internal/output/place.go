package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/sysfile"
)

// place is a name in an open directory. Whatever happens to the path that led
// there, the place stays the same.
type place struct {
	dir  int // descriptor; -1 for none
	name string
	path string // of the directory, for messages
}

func (p *place) close() {
	if p.dir >= 0 {
		unix.Close(p.dir)
	}
	p.dir = -1
}

// sibling is the path of another name in the same directory.
func (p *place) sibling(name string) string { return filepath.Join(p.path, name) }

// trusted tells the users whose symbolic links are followed and whose files are
// replaced: root, and the one on whose behalf a file is created.
func trusted(as *Identity) func(uid uint32) bool {
	me := uint32(os.Geteuid())
	if as != nil {
		me = as.UID
	}
	return func(uid uint32) bool { return uid == 0 || uid == me }
}

// mostLinks is how many symbolic links a path may lead through, as in Linux.
const mostLinks = 40

// walker goes along a path, one name at a time.
type walker struct {
	place
	as    *Identity
	rest  []string
	keep  int // names at the end that are not entered: that of a file, or none
	links int
	make  bool    // directories that are not there
	made  []place // those, where they are
}

// find opens the directory of path. It goes there name by name: a symbolic link
// is followed if it belongs to somebody trusted. The kernel would follow anybody's,
// and root would write wherever the owner of a link in the path wants.
func find(path string, as *Identity) (place, error) {
	w := walker{place: place{dir: -1}, as: as, keep: 1}
	err := w.walk(path)
	return w.place, err
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
		w.close()
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
	case names[0] == "" || w.dir < 0:
		start := "."
		if names[0] == "" {
			start = "/"
		}
		fd, err := openDirectory(unix.AT_FDCWD, start)
		if err != nil {
			return &fs.PathError{Op: "open", Path: start, Err: err}
		}
		w.close()
		w.dir, w.path = fd, start
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
	w.name = w.rest[0]
	if w.name == "" || w.name == "." || w.name == ".." {
		return errors.New("is a directory (name a file in it)")
	}
	target, err := w.link(w.name)
	if err != nil || target == "" {
		return err
	}
	w.rest = nil
	return w.enter(target)
}

// step goes into the next directory.
func (w *walker) step() error {
	name := w.rest[0]
	fd, err := openDirectory(w.dir, name)
	if errors.Is(err, unix.ENOENT) && w.make {
		fd, err = w.create(name)
	}
	if err == nil {
		unix.Close(w.dir)
		w.dir, w.path, w.rest = fd, filepath.Join(w.path, name), w.rest[1:]
		return nil
	}
	if target, linkErr := w.link(name); linkErr != nil {
		return linkErr
	} else if target != "" {
		w.rest = w.rest[1:]
		return w.enter(target)
	}
	return &fs.PathError{Op: "open", Path: w.sibling(name), Err: err}
}

// create makes the next directory, unless somebody else just did.
func (w *walker) create(name string) (int, error) {
	if err := makeDirectory(w.dir, name, w.as); err == nil {
		at, err := openDirectory(w.dir, ".")
		if err != nil {
			return -1, err
		}
		w.made = append(w.made, place{dir: at, name: name, path: w.path})
	} else if !errors.Is(err, unix.EEXIST) {
		return -1, err
	}
	return openDirectory(w.dir, name)
}

// link is the target of a symbolic link, "" if the name is none. Both what it
// is and where it leads is asked of the same link.
func (w *walker) link(name string) (target string, err error) {
	owner, target, err := readLink(w.dir, name)
	switch {
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
		return "", nil // no link; whoever opens it says what it is
	case err != nil:
		return "", &fs.PathError{Op: "readlink", Path: w.sibling(name), Err: err}
	}
	if !trusted(w.as)(owner) {
		return "", fmt.Errorf("%s is a symbolic link of user %d, which is not followed (name a file in a directory of your "+
			"own)", w.sibling(name), owner)
	}
	if w.links++; w.links > mostLinks {
		return "", &fs.PathError{Op: "open", Path: w.sibling(name), Err: unix.ELOOP}
	}
	return target, nil
}

func openDirectory(dir int, name string) (int, error) {
	return sysfile.IgnoringEINTR(func() (int, error) {
		return unix.Openat(dir, name, searchOnly|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
}

// makeDirectory makes a directory for its owner alone.
func makeDirectory(dir int, name string, as *Identity) error {
	if err := sysfile.Retry(func() error { return unix.Mkdirat(dir, name, dirMode) }); err != nil {
		return err
	}
	return giveDirectory(dir, name, as)
}
