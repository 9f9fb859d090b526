package output

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// Tree is a directory with files in directories of their own, which are made when a
// file belongs there. Below it no symbolic link is followed. Files may be written
// side by side.
type Tree struct {
	path   string
	as     *Identity
	inputs []string

	mu     sync.Mutex
	root   *Directory // nil until it is needed
	above  []place    // what was made of the way to it
	made   []string   // directories in it that were made
	failed bool
	stop   func() // undoing on a signal
}

// NewTree is the tree at a directory, which need not be there. It is worked in with the
// rights of as; nil means the caller's. Files that are inputs are not replaced.
func NewTree(dir string, as *Identity, inputs []string) *Tree {
	t := &Tree{path: dir, as: as, inputs: inputs}
	t.stop = undoOnSignal(t.undo)
	return t
}

// Path is where the tree is.
func (t *Tree) Path() string { return t.path }

// Write writes a file as Write does. Its name is a path below the tree.
func (t *Tree) Write(name string, replace bool, write func(w *bufio.Writer) error) error {
	err := t.write(name, replace, write)
	if err != nil {
		t.mu.Lock()
		t.failed = true
		t.mu.Unlock()
	}
	return err
}

func (t *Tree) write(name string, replace bool, write func(w *bufio.Writer) error) error {
	d, err := t.enter(filepath.Dir(name), true)
	if err != nil {
		return fmt.Errorf("making a directory for %s: %w", filepath.Join(t.path, name), err)
	}
	f, err := d.Create(filepath.Base(name), Options{Replace: replace, Inputs: t.inputs})
	if err = errors.Join(err, d.Close()); err != nil {
		return err
	}
	return f.fill(write)
}

// Open opens a file to be read.
func (t *Tree) Open(name string) (*os.File, error) {
	d, err := t.enter(filepath.Dir(name), false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.OpenRegular(filepath.Base(name))
}

// Remove removes a file, if it is there.
func (t *Tree) Remove(name string) error {
	d, err := t.enter(filepath.Dir(name), false)
	if err == nil {
		err = errors.Join(d.Remove(filepath.Base(name)), d.Close())
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// enter opens a directory of the tree.
func (t *Tree) enter(name string, create bool) (*Directory, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.root == nil {
		root, above, err := enter(t.path, t.as, create)
		t.above = append(t.above, above...)
		if err != nil {
			return nil, err
		}
		t.root = root
	}
	d, err := t.root.descend(filepath.ToSlash(name), create, &t.made)
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENOTDIR) {
		err = fmt.Errorf("%w (below %s only directories are entered, and no links)", err, t.path)
	}
	return d, err
}

// descend opens a directory some way below. What is not there may be made, and is
// then added to a list.
func (d *Directory) descend(name string, create bool, made *[]string) (*Directory, error) {
	at, err := d.again()
	if name == "." || err != nil {
		return at, err
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		in, err := at.Enter(part)
		if errors.Is(err, fs.ErrNotExist) && create {
			if err = at.Make(part); err == nil {
				*made = append(*made, path.Join(parts[:i+1]...))
			}
			if err == nil || errors.Is(err, fs.ErrExist) {
				in, err = at.Enter(part)
			}
		}
		_ = at.Close()
		if err != nil {
			return nil, err
		}
		at = in
	}
	return at, nil
}

// again opens a directory once more.
func (d *Directory) again() (*Directory, error) {
	fd, err := unix.FcntlInt(uintptr(d.fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.path, Err: err}
	}
	return &Directory{fd: fd, path: d.path, as: d.as}, nil
}

// Close closes the tree. If a file could not be written, the directories that were
// made are removed as far as nothing is in them.
func (t *Tree) Close() error {
	t.stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed {
		t.removeMade()
	}
	for _, p := range t.above {
		p.close()
	}
	t.above, t.made = nil, nil
	if t.root == nil {
		return nil
	}
	err := t.root.Close()
	t.root = nil
	return err
}

// undo removes the directories before a signal ends the program. It may come while
// one is being made: then it is left.
func (t *Tree) undo() {
	if t.mu.TryLock() {
		t.removeMade()
		t.mu.Unlock()
	}
}

// removeMade removes the directories that were made, the innermost first. What is
// not empty stays.
func (t *Tree) removeMade() {
	for _, name := range slices.Backward(t.made) {
		if d, err := t.root.descend(path.Dir(name), false, nil); err == nil {
			_ = d.RemoveDirectory(path.Base(name))
			_ = d.Close()
		}
	}
	for _, p := range slices.Backward(t.above) {
		_ = t.as.Do(func() error { return unix.Unlinkat(p.dir, p.name, unix.AT_REMOVEDIR) })
	}
}
