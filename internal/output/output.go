// Package output creates files for results, safely even for root in a directory that another user may write to.
//
// What is decided about a file is decided on a descriptor, so nobody can change its meaning in between. A new file gets
// its name when it is worth having: until then it has none, or a temporary one, in the same directory.
//
// Directories are opened and held open: whatever happens to the path that led to one, it stays the same. On the way to
// it only the user's own links and root's are followed; below it no links are. A Workspace is the temporary directory
// of a run, inside one that it was given.
package output

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"

	"github.com/iotrace/iotrace/internal/rights"
)

// Options say how to create a file.
type Options struct {
	Replace bool             // an existing regular file, when the new one is committed
	Inputs  []string         // files that are not replaced all the same: what is written is made of them
	As      *rights.Identity // whose rights count, and who gets the file; nil means the caller
	What    string           // the file is, for messages: "trace"
}

// File is a file that is being written. It is not there under its name until
// Commit. Discard must be called if Commit is not.
type File struct {
	*os.File
	path      string // as the user gave it
	as        *rights.Identity
	place     Place  // where the file goes
	temporary string // its name there until Commit; "" if it has none
	pending   bool   // a new file without its final name
	stream    bool   // a pipe or a device, which has its name already
	replace   bool
	inputs    []string
	regular   bool // anything else that is there is refused
}

// Create makes a file for what belongs at path. An existing pipe or character
// device is opened as it is, if it belongs to root or to the user; so are
// descriptors of this process (/dev/stdout, /dev/fd/N). Directories, disks,
// sockets and other users' files are refused.
func Create(path string, o Options) (*File, error) {
	f := &File{path: path, as: o.As, replace: o.Replace, inputs: o.Inputs, place: Place{Dir: -1}}
	if n, ok := inherited(path); ok {
		return f, f.duplicate(n)
	}
	return f.opened(o.As.Do(func() error { return f.open(findPlace(path, f.as)) }), o.What)
}

// createIn does so for what belongs under a name in a directory. What is there has to
// be a regular file.
func createIn(d *Directory, name string, o Options) (*File, error) {
	f := &File{path: filepath.Join(d.Path(), name), as: o.As, replace: o.Replace, inputs: o.Inputs, regular: true,
		place: Place{Dir: -1}}
	return f.opened(o.As.Do(func() error { return f.open(d.Place(name)) }), o.What)
}

// opened completes a file that was opened, or explains why it was not.
func (f *File) opened(err error, what string) (*File, error) {
	if err != nil {
		return nil, f.explain(err, what)
	}
	if err := f.giveTo(f.as); err != nil {
		return nil, errors.Join(err, f.Discard())
	}
	return f, nil
}

// Wrap makes a file of an open stream, such as standard output.
func Wrap(stream *os.File, path string) *File {
	return &File{File: stream, path: path, stream: true, place: Place{Dir: -1}}
}

// explain says what to do about a file that cannot be created.
func (f *File) explain(err error, what string) error {
	hint, wrong := "", (*fs.PathError)(nil)
	switch {
	case errors.Is(err, fs.ErrExist):
		hint = " (choose another name, or replace it with -f)"
	case errors.Is(err, fs.ErrPermission) && f.as != nil:
		hint = fmt.Sprintf(" (under sudo the file is made with the rights of user %d, who called it; name another place)",
			f.as.UID)
	case errors.As(err, &wrong):
		hint = " (name another place)"
	}
	if errors.As(err, &wrong) { // which has the name
		return fmt.Errorf("creating %s: %w%s", cmp.Or(what, "file"), err, hint)
	}
	return fmt.Errorf("creating %s: %w%s", strings.TrimSpace(what+" "+f.path), err, hint)
}

// open opens what is to be written to at a place, if that was found.
func (f *File) open(place Place, err error) error {
	if f.place = place; err != nil {
		return err
	}
	if err = f.openPlace(); err != nil {
		f.place.Close()
	}
	return err
}

func (f *File) openPlace() error {
	st, err := f.place.Stat()
	switch {
	case errors.Is(err, unix.ENOENT):
		return f.create()
	case err != nil:
		return &fs.PathError{Op: "stat", Path: f.path, Err: err}
	}
	switch kind := uint32(st.Mode) & unix.S_IFMT; {
	case kind == unix.S_IFDIR:
		return errors.New("is a directory (name a file in it)")
	case kind == unix.S_IFBLK:
		return errors.New("is a disk, whose contents would be lost (name a file)")
	case (kind == unix.S_IFIFO || kind == unix.S_IFCHR) && !f.regular:
		return f.openStream(kind)
	case kind != unix.S_IFREG:
		return errors.New("is no regular file (choose another name)")
	}
	switch {
	case !f.replace:
		return fs.ErrExist
	case !trusted(st.Uid, f.as):
		return fmt.Errorf("belongs to user %d and is not replaced (choose another name, or remove it first)", st.Uid)
	case f.isInput(&st):
		return errors.New("is what this is made of, and would be lost (choose another name)")
	}
	return f.create()
}

// isInput tells whether a file is one of the inputs, by whatever name.
func (f *File) isInput(st *unix.Stat_t) bool {
	for _, path := range f.inputs {
		var in unix.Stat_t
		if unix.Stat(path, &in) == nil && in.Dev == st.Dev && in.Ino == st.Ino {
			return true
		}
	}
	return false
}

// create makes the new file: without a name where the file system can, so that
// nothing is left if this process is killed.
func (f *File) create() error {
	fd, err := createUnnamed(f.place.Dir)
	if err != nil {
		f.temporary = temporaryName(f.place.Name)
		flags := unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
		fd, err = host.IgnoringEINTR(func() (int, error) { return unix.Openat(f.place.Dir, f.temporary, flags, newMode) })
	}
	if err != nil {
		return &fs.PathError{Op: "open", Path: f.path, Err: err}
	}
	f.File, f.pending = os.NewFile(uintptr(fd), f.path), true
	if err := unix.Fchmod(fd, newMode); err != nil && !errors.Is(err, unix.EPERM) { // whatever the umask
		return errors.Join(err, f.discard())
	}
	return nil
}

// temporaryName is a name beside name that nobody has.
func temporaryName(name string) string {
	const longest = 255 - 15 // a random number has up to 13 characters
	return "." + name[:min(len(name), longest)] + "." + strconv.FormatUint(rand.Uint64(), 36)
}

// Path is where the file is, or will be after Commit.
func (f *File) Path() string { return f.path }

// Stream is true if the output is a pipe or a device.
func (f *File) Stream() bool { return f.stream }

// Commit gives the file its name. If that fails the file is kept beside it,
// under the name that Path returns then and the error tells, if at all possible.
func (f *File) Commit() error {
	if !f.pending {
		return nil
	}
	return f.as.Do(f.commit)
}

func (f *File) commit() error {
	err := f.name()
	if err == nil {
		f.pending, f.temporary = false, ""
		return nil
	}
	doing := "naming"
	if f.replace {
		doing = "replacing"
	}
	err = fmt.Errorf("%s %s: %w", doing, f.path, err)
	if f.temporary == "" {
		if kept := f.keep(); kept != nil {
			return errors.Join(err, kept)
		}
	}
	f.pending, f.path = false, f.place.Sibling(f.temporary)
	return fmt.Errorf("%w; it is kept as %s", err, f.path)
}

// name gives the file its final name.
func (f *File) name() error {
	if f.temporary == "" {
		if !f.replace {
			return linkUnnamed(int(f.Fd()), f.place.Dir, f.place.Name)
		}
		if err := f.keep(); err != nil {
			return err
		}
	}
	if f.replace {
		return unix.Renameat(f.place.Dir, f.temporary, f.place.Dir, f.place.Name)
	}
	err := unix.Linkat(f.place.Dir, f.temporary, f.place.Dir, f.place.Name, 0)
	switch {
	case err == nil:
		return unix.Unlinkat(f.place.Dir, f.temporary, 0)
	case errors.Is(err, unix.EEXIST):
		return err
	}
	return renameNew(f.place.Dir, f.temporary, f.place.Name) // a file system without links
}

// keep gives an unnamed file a temporary name.
func (f *File) keep() error {
	name := temporaryName(f.place.Name)
	if err := linkUnnamed(int(f.Fd()), f.place.Dir, name); err != nil {
		return err
	}
	f.temporary = name
	return nil
}

// Discard closes the file and removes it, unless it was committed.
func (f *File) Discard() error { return f.as.Do(f.discard) }

func (f *File) discard() error {
	err := f.File.Close()
	if f.pending && f.temporary != "" {
		err = errors.Join(err, unix.Unlinkat(f.place.Dir, f.temporary, 0))
	}
	f.pending = false
	f.place.Close()
	return err
}

// Close closes the file. What was not committed is lost with it.
func (f *File) Close() error {
	if f.pending {
		return f.Discard()
	}
	f.place.Close()
	return f.File.Close()
}

// Find makes sure that the file is where its path says.
func (f *File) Find() error {
	return f.as.Do(func() error {
		var here, there unix.Stat_t
		if err := unix.Fstat(int(f.Fd()), &here); err != nil {
			return &fs.PathError{Op: "stat", Path: f.path, Err: err}
		}
		p, err := findPlace(f.path, f.as)
		if err == nil {
			there, err = p.Stat()
			p.Close()
		}
		switch {
		case here.Nlink == 0:
			return fmt.Errorf("%s was removed while it was written: it is lost", f.path)
		case err != nil:
			return fmt.Errorf("%s was moved while it was written: it is no longer found under that name (%w)", f.path, err)
		case here.Dev != there.Dev || here.Ino != there.Ino:
			return fmt.Errorf("%s was moved while it was written: another file has its name now", f.path)
		}
		return nil
	})
}
