package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// WorkspaceKind is what sort of directory it is.
type WorkspaceKind struct {
	Name  string         // its own
	Maker string         // who makes it, for people: "iotrace bench"
	Files *regexp.Regexp // names of the files in it
	Dirs  *regexp.Regexp // names of directories in it, with such files; nil: there are none
}

// ErrVanished is wrapped by errors that say the directory is gone.
var ErrVanished = errors.New("the working directory vanished during the run")

// Workspace is such a directory. It and the one that it is in are held open: whatever their paths come to mean, files
// are made and removed nowhere else.
type Workspace struct {
	kind    *WorkspaceKind
	within  *Directory
	own     *Directory
	self    unix.Stat_t
	owner   *os.File
	kept    string // a file that stays until the end
	Removed int    // files and directories of a run that died
}

// OpenWorkspace makes the directory in dir. What a run that died has left is removed; another run in the same
// directory is an error, as is anything of that name that was not made for a run.
func OpenWorkspace(dir string, k *WorkspaceKind) (s *Workspace, err error) {
	s = &Workspace{kind: k}
	if s.within, err = OpenDirectory(dir, nil); err != nil {
		return nil, s.refused(dir, err)
	}
	again := true
	for n := 0; n < 5 && again && err == nil; n++ {
		again, err = s.claim()
	}
	if err == nil && again {
		err = errors.New("other runs come and go there; try again")
	}
	if err != nil {
		return nil, errors.Join(s.refused(dir, err), s.within.Close())
	}
	return s, nil
}

func (s *Workspace) refused(dir string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		err = fmt.Errorf("%w: choose a directory that you may write to", err)
	}
	return fmt.Errorf("preparing %s: %w", dir, err)
}

// Path is where the directory is, for messages and for programs that are started.
func (s *Workspace) Path() string { return filepath.Join(s.within.Path(), s.kind.Name) }

// Directory is the directory itself.
func (s *Workspace) Directory() *Directory { return s.own }

// claim tries once; again means that another run came between.
func (s *Workspace) claim() (again bool, err error) {
	err = s.within.Make(s.kind.Name)
	made := err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	s.own, err = s.within.Enter(s.kind.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.ENOTDIR):
		return false, s.foreign()
	case err != nil:
		return false, err
	}
	if again, err = s.take(made); again || err != nil {
		err = errors.Join(err, s.own.Close())
	}
	return again, err
}

// take makes sure that the directory is the user's and of a run, and takes its lock. In anybody else's nothing is made
// or removed, whatever it looks like.
func (s *Workspace) take(made bool) (again bool, err error) {
	if s.self, err = s.own.StatSelf(); err != nil {
		return false, err
	}
	if !made && int(s.self.Uid) != os.Geteuid() && !s.ownerless() {
		return false, s.foreign()
	}
	flags := unix.O_RDWR | unix.O_NONBLOCK
	if made {
		flags |= unix.O_CREAT | unix.O_EXCL
	}
	fd, err := s.own.Open(OwnerName, flags)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !made:
		// Either a run died before it wrote anything, or this is not ours.
		if s.within.RemoveDirectory(s.kind.Name) != nil {
			return false, s.foreign()
		}
		return true, nil
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, err
	}
	s.owner = os.NewFile(uintptr(fd), filepath.Join(s.Path(), OwnerName))
	if again, err = s.lock(); again || err != nil {
		err = errors.Join(err, s.owner.Close())
	}
	return again, err
}

// ownerless reports whether the file system keeps no owners, as FAT, exFAT and NTFS that are mounted with uid=: what we
// make there is not ours either. Then the file of an owner alone tells what is.
func (s *Workspace) ownerless() bool {
	name := s.kind.Name + ".owner"
	if s.within.Make(name) != nil {
		return false
	}
	st, err := s.within.Stat(name)
	return s.within.RemoveDirectory(name) == nil && err == nil && int(st.Uid) != os.Geteuid()
}

// lock takes the lock of the owner file and writes our name into it.
func (s *Workspace) lock() (again bool, err error) {
	text := make([]byte, 4096)
	n, _ := s.owner.ReadAt(text, 0)
	former := s.kind.parse(string(text[:n]))
	if n > 0 && !former.valid {
		return false, s.foreign()
	}
	switch err := unix.Flock(int(s.owner.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		return false, fmt.Errorf("another %s%s is running there; wait for it or use another directory", s.kind.Maker, former)
	case err != nil && former.alive():
		return false, fmt.Errorf("another %s%s seems to be running there (this file system has no locks); if "+
			"not, remove %s", s.kind.Maker, former, s.Path())
	}
	var locked unix.Stat_t
	if err := unix.Fstat(int(s.owner.Fd()), &locked); err != nil {
		return false, err
	}
	if now, err := s.own.Stat(OwnerName); err != nil || !same(&now, &locked) || !s.here() {
		return true, nil // its owner removed it between our open and our lock
	}
	if s.Removed, err = s.RemoveData(); err != nil {
		return false, err
	}
	if err := s.sign(); err != nil {
		return false, errors.Join(err, s.removeAll())
	}
	return false, nil
}

// sign writes the owner file.
func (s *Workspace) sign() error {
	if err := s.owner.Truncate(0); err != nil {
		return err
	}
	_, err := s.owner.WriteAt(s.kind.text(), 0)
	return err
}

func same(a, b *unix.Stat_t) bool { return a.Dev == b.Dev && a.Ino == b.Ino }

func (s *Workspace) foreign() error {
	return fmt.Errorf("%s exists and was not made by %s; rename it or use another directory", s.Path(), s.kind.Maker)
}

// here tells whether the directory still has its name where it was made.
func (s *Workspace) here() bool {
	now, err := s.within.Stat(s.kind.Name)
	return err == nil && same(&now, &s.self)
}

// Check reports whether the directory is still found where it was made.
func (s *Workspace) Check() error {
	var now unix.Stat_t
	if err := unix.Lstat(s.Path(), &now); err != nil || !same(&now, &s.self) {
		return fmt.Errorf("%w: %s was removed, renamed or unmounted", ErrVanished, s.Path())
	}
	return nil
}

// Sync commits what was created and removed in the directory.
func (s *Workspace) Sync() error {
	dir, err := s.own.File()
	if err != nil {
		return host.IgnoreMissing(err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, unix.EINVAL) { // some file systems sync no directories
		return fmt.Errorf("syncing %s: %w", s.Path(), err)
	}
	return nil
}
