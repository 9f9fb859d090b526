package output

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// hiddenNames are those under which FUSE and NFS keep a file that was removed while
// somebody had it open, until it is closed.
var hiddenNames = regexp.MustCompile(`^\.(fuse_hidden|nfs)[0-9a-f]+$`)

// RemoveData removes the files of runs and nothing else. What has another name is
// an error and stays.
func (s *Workspace) RemoveData() (removed int, err error) {
	entries, err := s.own.Entries()
	if err != nil {
		return 0, host.IgnoreMissing(err)
	}
	var errs []error
	for _, e := range entries {
		switch {
		case e.Name == OwnerName, e.Name == s.kept, hiddenNames.MatchString(e.Name):
		case e.Regular && s.kind.Files.MatchString(e.Name):
			removed++
			errs = append(errs, host.IgnoreMissing(s.own.Remove(e.Name)))
		case e.Directory && s.kind.Dirs != nil && s.kind.Dirs.MatchString(e.Name):
			removed++
			errs = append(errs, s.RemoveDirectory(e.Name))
		default:
			errs = append(errs, fmt.Errorf("%s was not made by %s; it was left there", filepath.Join(s.Path(), e.Name),
				s.kind.Maker))
		}
	}
	return removed, errors.Join(errs...)
}

// Keep has a file stay until the directory is removed.
func (s *Workspace) Keep(name string) { s.kept = name }

// RemoveDirectory removes a directory of runs with the files of runs in it.
func (s *Workspace) RemoveDirectory(name string) error {
	d, err := s.own.Enter(name)
	if err != nil {
		return host.IgnoreMissing(err)
	}
	err = errors.Join(s.RemoveFiles(d, s.kind.Files), d.Close())
	return errors.Join(err, removeEmpty(s.own, name))
}

// RemoveFiles removes the regular files of some names from a directory.
func (s *Workspace) RemoveFiles(d *Directory, which *regexp.Regexp) error {
	entries, err := d.Entries()
	if err != nil {
		return host.IgnoreMissing(err)
	}
	var errs []error
	for _, e := range entries {
		if e.Regular && which.MatchString(e.Name) {
			errs = append(errs, host.IgnoreMissing(d.Remove(e.Name)))
		}
	}
	return errors.Join(errs...)
}

// removeAll removes the directory with all that was made in it, and releases the
// lock. The owner file goes last, so that a crash in between leaves something
// recognisable, and is closed before its directory goes: where a removed file stays
// under another name while it is open, the directory would not be empty.
func (s *Workspace) removeAll() error {
	if !s.here() {
		return s.owner.Close() // gone, or no longer ours
	}
	s.kept = ""
	if _, err := s.RemoveData(); err != nil {
		return errors.Join(err, s.owner.Close())
	}
	err := host.IgnoreMissing(s.own.Remove(OwnerName))
	return errors.Join(err, s.owner.Close(), removeEmpty(s.within, s.kind.Name))
}

// patience is how long a file system may take to let go of files that were closed.
const patience = 2 * time.Second

// removeEmpty removes a directory. FUSE tells its daemon of closed files without
// waiting for it, so what is left of them may take a moment to go.
func removeEmpty(in *Directory, name string) error {
	for until := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		err := in.RemoveDirectory(name)
		if !errors.Is(err, unix.ENOTEMPTY) || time.Now().After(until) {
			return host.IgnoreMissing(err)
		}
	}
}

// Close removes everything and releases the lock.
func (s *Workspace) Close() error {
	err := errors.Join(s.removeAll(), s.own.Close(), s.within.Close())
	if err != nil {
		return fmt.Errorf("cleaning up %s: %w", s.Path(), err)
	}
	return nil
}
