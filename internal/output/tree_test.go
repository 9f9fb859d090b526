package output

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func text(s string) func(*bufio.Writer) error {
	return func(w *bufio.Writer) error { _, err := w.WriteString(s); return err }
}

var errFailing = errors.New("failing")

func failing(*bufio.Writer) error { return errFailing }

// below are the paths of all that is in a directory.
func below(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			list = append(list, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A tree makes the directories that its files take. Of files that fail nothing is left, and nothing is taken that was
// there.
func TestTree(t *testing.T) {
	dir := t.TempDir()
	write := func(tree *Tree, name string, write func(*bufio.Writer) error) error {
		return errors.Join(tree.Write(name, false, write), tree.Close())
	}
	if err := write(NewTree(dir+"/new/one", nil, nil), "a/b/file", failing); !errors.Is(err, errFailing) {
		t.Error(err)
	}
	if left := below(t, dir); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	if err := write(NewTree(dir+"/new", nil, nil), "a/b/file", text("x")); err != nil {
		t.Error(err)
	}
	tree := NewTree(dir+"/new", nil, nil)
	if err := tree.Write("a/c/file", false, text("y")); err != nil {
		t.Error(err)
	}
	if err := write(tree, "a/d/file", failing); !errors.Is(err, errFailing) {
		t.Error(err)
	}
	want := []string{"new", "new/a", "new/a/b", "new/a/b/file", "new/a/c", "new/a/c/file"}
	if got := below(t, dir); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	tree = NewTree(dir+"/new", nil, nil)
	if f, err := tree.Open("a/b/none"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(f, err)
	}
	err := errors.Join(tree.Remove("a/b/file"), tree.Remove("a/b/file"), tree.Remove("e/file"), tree.Close())
	if err != nil {
		t.Error(err)
	}
	if got := below(t, dir); len(got) != len(want)-1 {
		t.Errorf("%q", got)
	}
}

// Below a tree no link is followed and no name leads away.
func TestNoLinksBelow(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.MkdirAll(dir+"/other/in", 0o700), os.WriteFile(dir+"/other/file", nil, 0o600),
		os.Mkdir(dir+"/tree", 0o700), os.Symlink("../other", dir+"/tree/link"), os.Symlink("../other/file", dir+"/tree/file"),
		unix.Mkfifo(dir+"/tree/pipe", 0o600)); err != nil {
		t.Fatal(err)
	}
	before := below(t, dir)
	tree := NewTree(dir+"/tree", nil, nil)
	for _, name := range []string{"link/new", "link/file", "link/in/new", "file", "pipe", "../new",
		"../other/file", ".", ".."} {
		if err := tree.Write(name, true, text("x")); err == nil {
			t.Errorf("%s was written", name)
		}
		if f, err := tree.Open(name); err == nil {
			t.Errorf("%s was opened", f.Name())
		}
		_ = tree.Remove(name)
	}
	if err := tree.Close(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"file", "pipe"} { // these names were the tree's own to remove
		before = slices.DeleteFunc(before, func(s string) bool { return s == "tree/"+name })
	}
	if got := below(t, dir); !slices.Equal(got, before) {
		t.Errorf("%q, want %q", got, before)
	}
}

// An input is not replaced, by whatever name.
func TestAnInputIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	in := dir + "/in"
	if err := errors.Join(os.WriteFile(in, []byte("precious"), 0o600), os.Link(in, dir+"/second"),
		os.Symlink("in", dir+"/link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"in", "second", "link", "../" + filepath.Base(dir) + "/in"} {
		err := Write(dir+"/"+name, Options{Replace: true, Inputs: []string{"none", in}}, text("lost"))
		if err == nil || !strings.Contains(err.Error(), "is what this is made of") {
			t.Errorf("%s: %v", name, err)
		}
	}
	tree := NewTree(dir, nil, []string{in})
	if err := tree.Write("in", true, text("lost")); err == nil {
		t.Error("it was replaced in a tree")
	}
	if got, err := os.ReadFile(in); string(got) != "precious" {
		t.Errorf("%q, %v", got, errors.Join(err, tree.Close()))
	}
	if err := Write(in, Options{Replace: true, Inputs: []string{dir}}, text("new")); err != nil {
		t.Error(err)
	}
}
