package storage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
)

// DataNames are the names of the files that bench makes.
var DataNames = regexp.MustCompile(`^(data|set|copy)-[0-9]{5}$`)

// DataFiles are the files that bench makes in its working directory, and removes.
// They are called by their paths, and found in the directories that are held open.
type DataFiles struct {
	Path   string
	space  *output.Workspace
	dirs   map[string]*output.Directory // of NewDir, by path
	serial int
}

func newDataFiles(s *output.Workspace) DataFiles {
	return DataFiles{Path: s.Path(), space: s, dirs: map[string]*output.Directory{}}
}

// NewPath is the path of a data file that does not exist yet.
func (d *DataFiles) NewPath(kind string) string {
	d.serial++
	return filepath.Join(d.Path, fmt.Sprintf("%s-%05d", kind, d.serial))
}

// NewDir makes a directory for many data files.
func (d *DataFiles) NewDir() (string, error) {
	path := d.NewPath("dir")
	name := filepath.Base(path)
	if err := d.space.Directory().Make(name); err != nil {
		return "", err
	}
	in, err := d.space.Directory().Enter(name)
	if err == nil {
		d.dirs[path] = in
	}
	return path, err
}

// at is where the file of a path is.
func (d *DataFiles) at(path string) (in *output.Directory, name string, err error) {
	dir := filepath.Dir(path)
	if dir == d.Path {
		return d.space.Directory(), filepath.Base(path), nil
	}
	if in = d.dirs[dir]; in == nil {
		err = &os.PathError{Op: "open", Path: path, Err: unix.ENOENT}
	}
	return in, filepath.Base(path), err
}

// Open opens a data file as Open does.
func (d *DataFiles) Open(path string, mode int, cache baseline.Cache, dsync bool) (*File, error) {
	in, name, err := d.at(path)
	if err != nil {
		return nil, err
	}
	return open(path, mode, cache, dsync, func(flags int) (int, error) { return in.Open(name, flags) })
}

// Create makes a data file to be written in an ordinary way.
func (d *DataFiles) Create(path string) (*os.File, error) {
	return d.file(path, func(in *output.Directory, name string) (int, error) {
		return in.Open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL)
	})
}

// CreateProgram makes one that can be started.
func (d *DataFiles) CreateProgram(path string) (*os.File, error) {
	return d.file(path, (*output.Directory).OpenProgram)
}

// Reopen opens a data file to be read, or synced, in an ordinary way.
func (d *DataFiles) Reopen(path string) (*os.File, error) {
	return d.file(path, func(in *output.Directory, name string) (int, error) { return in.Open(name, unix.O_RDONLY) })
}

func (d *DataFiles) file(path string, open func(*output.Directory, string) (int, error)) (*os.File, error) {
	in, name, err := d.at(path)
	if err != nil {
		return nil, err
	}
	fd, err := open(in, name)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), path), nil
}

// Remove removes a data file, if it is there.
func (d *DataFiles) Remove(path string) error {
	in, name, err := d.at(path)
	if err != nil {
		return err
	}
	return host.IgnoreMissing(in.Remove(name))
}

// List lists a directory of data files.
func (d *DataFiles) List(dir string) ([]output.Entry, error) {
	in, _, err := d.at(filepath.Join(dir, "-"))
	if err != nil {
		return nil, err
	}
	return in.Entries()
}

// RemoveDir removes a directory of data files.
func (d *DataFiles) RemoveDir(dir string) error {
	if in := d.dirs[dir]; in != nil {
		in.Close()
		delete(d.dirs, dir)
	}
	return d.space.RemoveDirectory(filepath.Base(dir))
}

// RemoveData removes the data files and nothing else. Files of other names are
// an error and stay.
func (d *DataFiles) RemoveData() (removed int, err error) {
	d.closeDirs()
	return d.space.RemoveData()
}

func (d *DataFiles) closeDirs() {
	for _, in := range d.dirs {
		in.Close()
	}
	clear(d.dirs)
}

// Keep has a data file stay until the working directory is removed.
func (d *DataFiles) Keep(path string) { d.space.Keep(filepath.Base(path)) }

// RemoveKind removes the data files of one kind.
func (d *DataFiles) RemoveKind(kind string) error {
	return d.space.RemoveFiles(d.space.Directory(), regexp.MustCompile("^"+kind+"-[0-9]{5}$"))
}

// SetNoCOW decides whether files that are made in the directory from now on are overwritten in place, where the file
// system would copy on write.
func (d *DataFiles) SetNoCOW(on bool) error {
	dir, err := d.space.Directory().File()
	if err != nil {
		return err
	}
	defer dir.Close()
	return setNoCOW(int(dir.Fd()), on)
}

// DropPages throws the pages of all data files out of the page cache. They are
// clean: each was synced when it was written.
func (d *DataFiles) DropPages() error {
	names, err := d.List(d.Path)
	if err != nil {
		return err
	}
	for _, n := range names {
		if !DataNames.MatchString(n.Name) {
			continue
		}
		f, err := d.Open(filepath.Join(d.Path, n.Name), unix.O_RDONLY, baseline.Buffered, false)
		if err != nil {
			return err
		}
		if err := errors.Join(f.DropPages(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}
