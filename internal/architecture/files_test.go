package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// makers are what may make, change and remove files by their names, and why. Everything else of the product asks
// internal/output, which knows whose links are followed, and works in directories that are held open.
var makers = map[string]string{
	"internal/output":              "is the one way",
	"internal/host/sysfile.go":     "writes the kernel's settings",
	"tracer/backends/workload*.go": "makes the calls that are recorded, in a child with the user's rights",
}

// changing are the functions that change what a path leads to.
var changing = regexp.MustCompile(`^(Creat|Create|CreateTemp|MkdirTemp|WriteFile|CopyFS|Mkdir(All|at)?|Mkfifo(at)?|` +
	`Mknod(at)?|Remove(All)?|Rmdir|Unlink(at)?|Rename(at2?|x_np|atx_np)?|Symlink(at)?|Link(at)?|Chmod|Fchmodat2?|` +
	`L?[cC]hown|Fchownat|Truncate|Chtimes|Utimes(NanoAt|Nano)?|Futimesat|Lutimes|L?[sS]etxattr|L?[rR]emovexattr|` +
	`Clonefile(at)?|OpenRoot|OpenInRoot|Openat2)$`)

// opening are those that do so with some flags, and which argument these are.
var opening = map[string]int{"OpenFile": 1, "Open": 1, "Openat": 2}

// reading are the flags that change nothing.
var reading = regexp.MustCompile(`^O_(RDONLY|CLOEXEC|NOFOLLOW|NONBLOCK|NOCTTY|DIRECTORY|PATH)$`)

// TestOneWayToMakeFiles: what is shipped makes and removes files in one place.
func TestOneWayToMakeFiles(t *testing.T) {
	used := map[string]bool{}
	for dir := range product(t) {
		files, err := filepath.Glob(filepath.Join("../..", dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			if maker := makerOf(dir, filepath.Base(name)); maker != "" {
				used[maker] = true
				continue
			}
			for _, at := range changes(t, name, nil) {
				t.Errorf("%s: files are made and removed by internal/output alone, which lets nobody exchange the way to them", at)
			}
		}
	}
	for maker := range makers {
		if !used[maker] {
			t.Errorf("%s is no part of the product: strike it off the list", maker)
		}
	}
}

func makerOf(dir, file string) string {
	for maker := range makers {
		if ok, _ := filepath.Match(maker, dir+"/"+file); ok || maker == dir {
			return maker
		}
	}
	return ""
}

// product are the packages of the programs that are shipped: all that cmd is made of.
func product(t *testing.T) map[string]bool {
	imports := map[string]map[string]bool{}
	for _, r := range rooms(t) {
		imports[r.path] = r.imports
	}
	shipped := map[string]bool{}
	var visit func(string)
	visit = func(p string) {
		if !shipped[p] {
			shipped[p] = true
			for i := range imports[p] {
				visit(i)
			}
		}
	}
	for p := range imports {
		if strings.HasPrefix(p, "cmd/") {
			visit(p)
		}
	}
	if len(shipped) < 50 {
		t.Fatalf("only %d packages are shipped", len(shipped))
	}
	return shipped
}

// changes are the places in a file of Go that change what a path leads to. The file is read unless its text is given.
func changes(t *testing.T, name string, text any) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	systems := map[string]bool{} // names of the packages with system calls
	for _, i := range file.Imports {
		p := strings.Trim(i.Path.Value, `"`)
		if slices.Contains([]string{"os", "syscall", "io/ioutil", "golang.org/x/sys/unix"}, p) {
			as := p[strings.LastIndexByte(p, '/')+1:]
			if i.Name != nil {
				as = i.Name.Name
			}
			systems[as] = true
		}
	}
	allowed := map[*ast.SelectorExpr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if s, ok := c.Fun.(*ast.SelectorExpr); ok {
				flags, opens := opening[s.Sel.Name]
				allowed[s] = opens && (len(c.Args) <= flags || onlyReads(c.Args[flags]))
			}
		}
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of, ok := s.X.(*ast.Ident)
		_, opens := opening[s.Sel.Name]
		if ok && systems[of.Name] && !allowed[s] && (opens || changing.MatchString(s.Sel.Name)) {
			found = append(found, files.Position(s.Pos()).String()+": "+of.Name+"."+s.Sel.Name)
		}
		return true
	})
	return found
}

// onlyReads tells whether flags, as they are written, are none but those of reading.
func onlyReads(flags ast.Expr) bool {
	only := true
	ast.Inspect(flags, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.BinaryExpr, *ast.ParenExpr:
		case *ast.SelectorExpr:
			only = only && reading.MatchString(n.Sel.Name)
			return false
		default:
			only = false
		}
		return true
	})
	return only
}

// What the test looks for is found, however it is called; what only reads is not.
func TestChangesAreFound(t *testing.T) {
	for code, want := range map[string]int{
		`os.Create("x")`: 1, `f := os.Remove; f("x")`: 1, `os.OpenFile("x", os.O_RDWR, 0)`: 1, `os.Open("x")`: 0,
		`os.OpenFile("x", os.O_RDONLY|unix.O_NOCTTY, 0)`: 0, `os.OpenFile("x", flags, 0)`: 1, `u.Open("x", u.O_PATH, 0)`: 0,
		`u.Openat(1, "x", u.O_CREAT|u.O_RDONLY, 0)`: 1, `u.Ftruncate(1, 0)`: 0, `d.Remove("x")`: 0, `u.Mkdirat(1, "x", 0)`: 1,
		`o := u.Open; o("x", 0, 0)`: 1, `u.Open("x", 66, 0)`: 1,
	} {
		text := "package p\nimport (\n\"os\"\nu \"golang.org/x/sys/unix\"\n)\nfunc f() {\n" + code + "\n}\n"
		if got := changes(t, "p.go", text); len(got) != want {
			t.Errorf("%s: %q", code, got)
		}
	}
	if len(changes(t, "../output/system_linux.go", nil)) == 0 {
		t.Error("nothing is found in internal/output")
	}
}
