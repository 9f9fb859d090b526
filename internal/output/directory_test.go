package output

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// In a directory no link is followed and no name leads away.
func TestNoNameLeadsAway(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.MkdirAll(dir+"/other/in", 0o700), os.Mkdir(dir+"/tree", 0o700),
		os.Symlink("../other", dir+"/tree/link")); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDirectory(dir+"/tree", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, name := range []string{"", ".", "..", "../other", "link/in", "a\x00b"} {
		_, opened := d.Open(name, unix.O_RDONLY)
		in, entered := d.Enter(name)
		if in != nil {
			t.Errorf("%q was entered", name)
		}
		for _, err := range []error{opened, entered, d.Make(name), d.Remove(name), d.RemoveDirectory(name), d.RemoveAll(name),
			d.Rename(name, "x"), d.Rename("link", name), d.Protect(name)} {
			if err == nil {
				t.Errorf("%q leads somewhere", name)
			}
		}
	}
	if err := d.Protect("link"); err == nil {
		t.Error("the mode of what a link leads to was changed")
	}
}

// What is made on the way is told, also if the way ends before its end.
func TestWhatIsMadeIsTold(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		want []string
	}{{"a/b", []string{"a", "b"}}, {"./a//b", nil}, {"c/../file/d", []string{"c"}}, {"file", nil}} {
		var made []Place
		d, err := OpenOrMake(dir+"/"+c.path, nil, &made)
		if failed := errors.Is(err, unix.ENOTDIR); failed != (d == nil) {
			t.Errorf("%s: %v", c.path, err)
		}
		var got []string
		for _, p := range made {
			got = append(got, p.Name)
			p.Close()
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
		if d != nil {
			d.Close()
		}
	}
	if _, err := OpenDirectory(dir+"/none", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
