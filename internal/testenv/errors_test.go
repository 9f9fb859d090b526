package testenv

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// An error that a deferred function adds reaches the caller only if it is a named result: no compiler and no linter of
// ours says so.
func TestDeferredErrorsReachTheCaller(t *testing.T) {
	const top = "../.."
	files := token.NewFileSet()
	checked := 0
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch f := n.(type) {
			case *ast.FuncDecl:
				if f.Body != nil {
					checked += deferredErrors(t, files, f.Type, f.Body)
				}
			case *ast.FuncLit:
				checked += deferredErrors(t, files, f.Type, f.Body)
			}
			return true
		})
		return nil
	})
	if err != nil || checked < 10 {
		t.Errorf("%d deferred errors were checked: %v", checked, err)
	}
}

// deferredErrors reports what a function's own deferred functions assign to errors that are not its results.
func deferredErrors(t *testing.T, files *token.FileSet, signature *ast.FuncType, body *ast.BlockStmt) (checked int) {
	results := map[string]bool{}
	if signature.Results != nil {
		for _, field := range signature.Results.List {
			for _, name := range field.Names {
				results[name.Name] = true
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch s := n.(type) {
		case *ast.FuncLit:
			return false // has results of its own
		case *ast.DeferStmt:
			f, ok := s.Call.Fun.(*ast.FuncLit)
			if !ok {
				return false
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				a, ok := n.(*ast.AssignStmt)
				if !ok || a.Tok != token.ASSIGN {
					return true
				}
				if name, ok := a.Lhs[0].(*ast.Ident); ok && name.Name == "err" {
					if checked++; !results["err"] {
						t.Errorf("%s: this error is lost: err is not a result of the function", files.Position(a.Pos()))
					}
				}
				return true
			})
			return false
		}
		return true
	})
	return checked
}
