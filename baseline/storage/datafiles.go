package storage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/sysfile"
)

// DataNames are the names of the files that bench makes.
var DataNames = regexp.MustCompile(`^(data|set|copy)-[0-9]{5}$`)

// dirNames are those of directories with many of them.
var dirNames = regexp.MustCompile(`^dir-[0-9]{5,}$`)

// DataFiles are the files that bench makes in its working directory, and removes.
type DataFiles struct {
	Path   string
	serial int
}

// hiddenNames are those under which FUSE and NFS keep a file that was removed while
// somebody had it open, until it is closed.
var hiddenNames = regexp.MustCompile(`^\.(fuse_hidden|nfs)[0-9a-f]+$`)

// NewPath is the path of a data file that does not exist yet.
func (d *DataFiles) NewPath(kind string) string {
	d.serial++
	return filepath.Join(d.Path, fmt.Sprintf("%s-%05d", kind, d.serial))
}

// NewDir makes a directory for many data files.
func (d *DataFiles) NewDir() (string, error) {
	dir := d.NewPath("dir")
	return dir, os.Mkdir(dir, 0o700)
}

// RemoveDir removes a directory of NewDir with the data files in it.
func (d *DataFiles) RemoveDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return sysfile.IgnoreMissing(err)
	}
	var errs []error
	for _, e := range entries {
		if e.Type().IsRegular() && DataNames.MatchString(e.Name()) {
			errs = append(errs, sysfile.IgnoreMissing(os.Remove(filepath.Join(dir, e.Name()))))
		}
	}
	return errors.Join(append(errs, sysfile.IgnoreMissing(os.Remove(dir)))...)
}

// RemoveData removes the data files and nothing else. Files of other names are
// an error and stay.
func (d *DataFiles) RemoveData() (removed int, err error) {
	entries, err := os.ReadDir(d.Path)
	if err != nil {
		return 0, sysfile.IgnoreMissing(err)
	}
	var errs []error
	for _, e := range entries {
		switch {
		case e.Name() == ownerName, hiddenNames.MatchString(e.Name()):
		case e.Type().IsRegular() && DataNames.MatchString(e.Name()):
			removed++
			errs = append(errs, sysfile.IgnoreMissing(os.Remove(filepath.Join(d.Path, e.Name()))))
		case e.IsDir() && dirNames.MatchString(e.Name()):
			removed++
			errs = append(errs, d.RemoveDir(filepath.Join(d.Path, e.Name())))
		default:
			errs = append(errs, fmt.Errorf("%s was not made by iotrace bench; it was left there",
				filepath.Join(d.Path, e.Name())))
		}
	}
	return removed, errors.Join(errs...)
}

// RemoveKind removes the data files of one kind.
func (d *DataFiles) RemoveKind(kind string) error {
	entries, err := os.ReadDir(d.Path)
	if err != nil {
		return sysfile.IgnoreMissing(err)
	}
	var errs []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), kind+"-") && DataNames.MatchString(e.Name()) {
			errs = append(errs, sysfile.IgnoreMissing(os.Remove(filepath.Join(d.Path, e.Name()))))
		}
	}
	return errors.Join(errs...)
}

// DropPages throws the pages of all data files out of the page cache. They are
// clean: each was synced when it was written.
func (d *DataFiles) DropPages() error {
	entries, err := os.ReadDir(d.Path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !DataNames.MatchString(e.Name()) {
			continue
		}
		f, err := Open(filepath.Join(d.Path, e.Name()), unix.O_RDONLY, baseline.Buffered, false)
		if err != nil {
			return err
		}
		if err := errors.Join(f.DropPages(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}
