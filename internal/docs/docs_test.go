package docs

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPut(t *testing.T) {
	const page = "# Title\n<!-- a -->\nold\n<!-- b -->\nby hand\n"
	if got, err := Put(page, "<!-- a -->\n", "<!-- b -->\n", "new\n"); err != nil ||
		got != "# Title\n<!-- a -->\nnew\n<!-- b -->\nby hand\n" {
		t.Errorf("%q, %v", got, err)
	}
	for _, marks := range [][2]string{{"<!-- b -->\n", "<!-- a -->\n"}, {"<!-- c -->\n", "<!-- b -->\n"}} {
		if got, err := Put(page, marks[0], marks[1], ""); err == nil {
			t.Errorf("%q: %q", marks, got)
		}
	}
}

// failures counts what a test reports.
type failures struct {
	*testing.T
	n int
}

func (f *failures) Errorf(string, ...any) { f.n++ }

func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(file, []byte("a\n<1>\nold\n<2>\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		update bool
		wrong  int
	}{{false, 1}, {true, 0}, {false, 0}} {
		f := &failures{T: t}
		if Check(f, file, "<1>\n", "<2>\n", "new\n", c.update); f.n != c.wrong {
			t.Errorf("update %v: %d failures", c.update, f.n)
		}
	}
}

func TestComments(t *testing.T) {
	dir := t.TempDir()
	const source = `package p

// T is a type.
type T struct {
	// A has
	// two lines.
	A int
	B int // at its end
	C int
}
`
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Comments(dir)
	for name, want := range map[string]string{
		"T": "T is a type.", "T.A": "A has two lines.", "T.B": "at its end", "T.C": "",
	} {
		if text, ok := got[name]; err != nil || !ok || text != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
