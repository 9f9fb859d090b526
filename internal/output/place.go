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
	trusted func(uid uint32) bool
	rest    []string
	links   int
}

// find opens the directory of path. It goes there name by name: a symbolic link
// is followed if it belongs to somebody trusted. The kernel would follow anybody's,
// and root would write wherever the owner of a link in the path wants.
func find(path string, trusted func(uid uint32) bool) (place, error) {
	w := walker{place: place{dir: -1}, trusted: trusted}
	if err := w.enter(path); err != nil {
		return place{dir: -1}, err
	}
	for len(w.rest) > 1 {
		if err := w.step(); err != nil {
			w.close()
			return place{dir: -1}, err
		}
		if err := w.last(); err != nil {
			w.close()
			return place{dir: -1}, err
		}
	}
	return w.place, nil
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

// last drops empty names, and looks whether the last one is a link.
func (w *walker) last() error {
	for len(w.rest) > 1 && (w.rest[0] == "" || w.rest[0] == ".") {
		w.rest = w.rest[1:]
	}
	if len(w.rest) > 1 {
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
	if !w.trusted(owner) {
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
