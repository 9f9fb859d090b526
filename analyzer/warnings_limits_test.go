package analyzer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestLimitsAreShared: what a backend or an importer can say it does not see is
// known here, with words for it in the documentation, and nothing else is.
func TestLimitsAreShared(t *testing.T) {
	declared := limitConstants(t)
	emitted := map[trace.LimitCode]bool{}
	for _, dir := range []string{"../tracer", "../convert"} {
		emittedIn(t, dir, declared, emitted)
	}
	if len(emitted) < 10 {
		t.Fatalf("only %d limits found in the sources of backends", len(emitted))
	}
	doc, err := os.ReadFile("../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, code := range declared {
		if !emitted[code] {
			t.Errorf("no backend emits trace.%s", name)
		}
		if len(limits[code]) == 0 {
			t.Errorf("warnings.go does not say what trace.%s touches", name)
		}
		if trace.LimitTexts[code] == "" {
			t.Errorf("trace.LimitTexts does not say what trace.%s means", name)
		}
		if !strings.Contains(string(doc), "`"+string(code)+"`") {
			t.Errorf("docs/json.md does not list %s", code)
		}
	}
	if len(limits) != len(declared) || len(trace.LimitTexts) != len(declared) {
		t.Errorf("%d constants, %d of them known here, %d with a text", len(declared), len(limits), len(trace.LimitTexts))
	}
}

// limitConstants are the codes that trace declares, by the names of their constants.
func limitConstants(t *testing.T) map[string]trace.LimitCode {
	file, err := parser.ParseFile(token.NewFileSet(), "../trace/limit.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]trace.LimitCode{}
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if kind, ok := v.Type.(*ast.Ident); ok && kind.Name == "LimitCode" {
			codes[v.Names[0].Name] = trace.LimitCode(strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`))
		}
		return true
	})
	return codes
}

// emittedIn collects the limits that the sources below a directory make, and
// complains about codes that are no constants. The self test only reads them.
func emittedIn(t *testing.T, dir string, declared map[string]trace.LimitCode, into map[trace.LimitCode]bool) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "selftest":
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		keys := map[ast.Expr]bool{} // of tables, such as the remedies: they make no limit
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				return n.Name.Name != "unseen" // what doctor adds; no trace says it
			case *ast.KeyValueExpr:
				keys[n.Key] = true
			case *ast.CompositeLit:
				if list, ok := n.Type.(*ast.ArrayType); ok && isLimit(list.Elt) {
					for _, e := range n.Elts {
						if c, ok := e.(*ast.CompositeLit); ok {
							literalCode(t, path, c)
						}
					}
				} else if isLimit(n.Type) {
					literalCode(t, path, n)
				}
			case *ast.SelectorExpr:
				if code := declared[n.Sel.Name]; code != "" && !keys[n] {
					into[code] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func isLimit(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Limit"
}

// literalCode complains about a trace.Limit whose code is written out.
func literalCode(t *testing.T, path string, n *ast.CompositeLit) {
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
			if kv.Key.(*ast.Ident).Name != "Code" {
				continue
			}
		}
		if l, ok := e.(*ast.BasicLit); ok {
			t.Errorf("%s: the code %s is no constant of trace", path, l.Value)
		}
		return
	}
}
