package visible

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Whoever writes to people or writes CSV does it through what makes text safe: the streams of cli and
// CSVWriter.
func TestNothingElseWrites(t *testing.T) {
	const top = "../.."
	allowed := map[string]bool{ // what these write is no text, or has gone through Lines
		"cmd/iotrace/internal/cli/terminal.go": true, "internal/visible/cell.go": true, "tracer/output.go": true,
		"tracer/hold.go": true, "tracer/backends/workload.go": true,
	}
	tools := []string{"internal/bench/", "internal/kernels/", "internal/testenv/",
		"internal/tools/", "internal/workload/",
		"tracer/kdebug/kdsim/", "scripts/", "cmd/iotrace/main_manual.go"} // which run from the source
	forbidden := map[string]bool{"os.Stdout": true, "os.Stderr": true, "fmt.Print": true, "fmt.Println": true,
		"fmt.Printf": true, "csv.NewWriter": true, "log.Print": true, "log.Printf": true, "log.Println": true}
	files, seen := token.NewFileSet(), map[string]bool{}
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, top+"/"))
		for _, dir := range tools {
			if strings.HasPrefix(name, dir) {
				return nil
			}
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if of, ok := call.X.(*ast.Ident); ok && forbidden[of.Name+"."+call.Sel.Name] {
				if seen[name] = true; !allowed[name] {
					t.Errorf("%s: %s.%s: text goes to people through cli.Streams, and to CSV through visible.NewCSV",
						files.Position(call.Pos()), of.Name, call.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || len(seen) != len(allowed) {
		t.Errorf("those that are allowed and found: %v (%v)", seen, err)
	}
}
