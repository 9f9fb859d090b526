package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// most is how many thresholds the rules of the verdict may have. Each is a constant with its reason.
const most = 20

// TestThresholds counts the numbers by which the rules of the verdict decide. Those in comparisons have to be
// constants, but for halves, and for how many things there are.
func TestThresholds(t *testing.T) {
	var named []string
	walk := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, v := range n.Values {
					if numeric(v) && n.Names[i].Name != "toldKinds" { // how long a list is decides nothing
						named = append(named, n.Names[i].Name)
					}
				}
			case *ast.BinaryExpr:
				if n.Op == token.LSS || n.Op == token.GTR || n.Op == token.LEQ || n.Op == token.GEQ {
					for _, side := range []ast.Expr{n.X, n.Y} {
						if bare(side) {
							t.Errorf("%s: a threshold without a name", set.Position(n.Pos()))
						}
					}
				}
			}
			return true
		})
		return nil
	}
	if err := filepath.WalkDir("../../analyzer/verdict", walk); err != nil {
		t.Fatal(err)
	}
	if len(named) > most {
		t.Errorf("%d thresholds, want %d at most: %s", len(named), most, strings.Join(named, ", "))
	}
	if len(named) == 0 {
		t.Error("no threshold was found")
	}
}

// numeric reports whether a value is made of numbers alone.
func numeric(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.INT || e.Kind == token.FLOAT
	case *ast.BinaryExpr:
		return numeric(e.X) && numeric(e.Y)
	}
	return false
}

// bare reports whether a side of a comparison holds a number that decides: a fraction, or a factor of four and more.
func bare(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 1 { // len(x), float64(x)
			return true
		}
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.MUL {
			for _, side := range []ast.Expr{b.X, b.Y} {
				if lit, ok := side.(*ast.BasicLit); ok {
					v, err := strconv.ParseFloat(lit.Value, 64)
					found = found || err == nil && (v != float64(int(v)) || v > 3)
				}
			}
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.FLOAT {
			found = true
		}
		return true
	})
	return found
}
