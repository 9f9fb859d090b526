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
	"sync"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/rights"
)

// Tree is a directory with files in directories of their own, which are made when a
// file belongs there. Below it no symbolic link is followed. Files may be written
// side by side.
type Tree struct {
	path   string
	as     *rights.Identity
	inputs []string

	mu     sync.Mutex
	root   *Directory // nil until it is needed
	above  []Place    // what was made of the way to it
	made   []string   // directories in it that were made
	failed bool
	stop   func() // undoing on a signal
}

// NewTree is the tree at a directory, which need not be there. It is worked in with the
// rights of as; nil means the caller's. Files that are inputs are not replaced.
func NewTree(dir string, as *rights.Identity, inputs []string) *Tree {
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
	f, err := createIn(d, filepath.Base(name), Options{Replace: replace, Inputs: t.inputs, As: t.as})
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
	above, made := &t.above, &t.made
	if !create {
		above, made = nil, nil
	}
	if t.root == nil {
		root, err := OpenOrMake(t.path, t.as, above)
		if err != nil {
			return nil, err
		}
		t.root = root
	}
	d, err := t.root.Descend(filepath.ToSlash(name), made)
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENOTDIR) {
		err = fmt.Errorf("%w (below %s only directories are entered, and no links)", err, t.path)
	}
	return d, err
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
		p.Close()
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
		if d, err := t.root.Descend(path.Dir(name), nil); err == nil {
			_ = d.RemoveDirectory(path.Base(name))
			_ = d.Close()
		}
	}
	for _, p := range slices.Backward(t.above) {
		_ = t.as.Do(p.RemoveDirectory)
	}
}
