// Package architecture holds ARCHITECTURE.md and docs/packages.md to what the packages are.
package architecture

import (
	"flag"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/docs"
)

const (
	module = "github.com/iotrace/iotrace/"
	page   = "../../docs/packages.md"
	begin  = "<!-- packages: rewritten by go test ./internal/architecture -update -->\n"
	end    = "<!-- end of packages -->\n"
)

var update = flag.Bool("update", false, "rewrite the table of packages in docs/packages.md")

// room is one package: what it says it is for, all of its comment, and which of ours it imports.
type room struct {
	path, about, comment string
	imports              map[string]bool
}

// TestTableOfPackages: every package has a row, and imports only what is listed
// above it.
func TestTableOfPackages(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, was, after, err := docs.Part(string(text), begin, end)
	if err != nil {
		t.Fatal(page, err)
	}
	list := rooms(t)
	if *update {
		if was = table(list); os.WriteFile(page, []byte(before+begin+was+end+after), 0o644) != nil {
			t.Fatal("docs/packages.md cannot be written")
		}
	}
	line := map[string]int{}
	for i, row := range strings.Split(was, "\n") {
		if cells := strings.Split(row, "`"); len(cells) > 2 {
			line[cells[1]] = i
		}
	}
	for _, r := range list {
		if line[r.path] == 0 {
			t.Errorf("%s has no row in docs/packages.md (go test ./internal/architecture -update writes the table)", r.path)
		}
		for i := range r.imports {
			if line[i] >= line[r.path] {
				t.Errorf("%s imports %s, which is not listed above it in docs/packages.md", r.path, i)
			}
		}
		delete(line, r.path)
	}
	for p := range line {
		t.Errorf("docs/packages.md has a row for %s, which is no package", p)
	}
}

// The map begins ARCHITECTURE.md and has a row for each directory at the top, and for no other.
func TestMap(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "## Map\n")
	section, _, closed := strings.Cut(rest, "\n## ")
	if !found || !closed {
		t.Fatal("ARCHITECTURE.md has no map")
	}
	var rows []string
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for i, name := range strings.Split(cells[1], "`") {
				if i%2 == 1 {
					rows = append(rows, name)
				}
			}
		}
	}
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, e := range entries {
		if e.IsDir() && tracked(e.Name()) {
			there = append(there, e.Name())
		}
	}
	slices.Sort(rows)
	if !slices.Equal(rows, there) {
		t.Errorf("the map of ARCHITECTURE.md has %q, the tree %q", rows, there)
	}
}

// tracked: not what a build or an editor has left, nor the licences.
func tracked(dir string) bool {
	out, err := exec.Command("git", "-C", "../..", "ls-files", "--", dir).Output()
	return err == nil && len(out) > 0 && dir[0] != '.' && dir != "LICENSES"
}

// rooms are the packages of the module, those that are imported before those
// that import them.
func rooms(t *testing.T) []*room {
	found := map[string]*room{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir, _ := filepath.Rel("../..", filepath.Dir(name))
		add(found, filepath.ToSlash(dir), file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []*room
	seen := map[string]bool{}
	var visit func(p string)
	visit = func(p string) {
		r := found[p]
		if r == nil || seen[p] {
			return
		}
		seen[p] = true
		for _, i := range slices.Sorted(maps.Keys(r.imports)) {
			visit(i)
		}
		list = append(list, r)
	}
	for _, p := range slices.Sorted(maps.Keys(found)) {
		visit(p)
	}
	return list
}

// add takes what one file says of its package.
func add(found map[string]*room, dir string, file *ast.File) {
	r := found[dir]
	if r == nil {
		r = &room{path: dir, imports: map[string]bool{}}
		found[dir] = r
	}
	if r.about == "" && file.Doc != nil {
		r.comment = strings.Join(strings.Fields(file.Doc.Text()), " ")
		said := new(doc.Package).Synopsis(file.Doc.Text())
		for _, start := range []string{"Package " + file.Name.Name + " ", "Command " + path.Base(dir) + " "} {
			said = strings.TrimPrefix(said, start)
		}
		r.about = strings.TrimSuffix(said, ".")
	}
	for _, i := range file.Imports {
		if p, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module); ours {
			r.imports[p] = true
		}
	}
}

func table(list []*room) string {
	var b strings.Builder
	b.WriteString("| package | what it does |\n|---|---|\n")
	for _, r := range list {
		b.WriteString("| `" + r.path + "` | " + r.about + " |\n")
	}
	return b.String()
}
