package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// Comments are those of the types of a package in a directory, by the name of the type, and of their fields, as
// "Type.Field". Each is one line.
func Comments(dir string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
				ofTypes(all, d)
			}
		}
	}
	return all, nil
}

func ofTypes(all map[string]string, d *ast.GenDecl) {
	for _, s := range d.Specs {
		of := s.(*ast.TypeSpec)
		all[of.Name.Name] = line(d.Doc, of.Doc)
		fields, ok := of.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range fields.Fields.List {
			for _, name := range f.Names {
				all[of.Name.Name+"."+name.Name] = line(f.Doc, f.Comment)
			}
		}
	}
}

// line is a comment in one line.
func line(comments ...*ast.CommentGroup) string {
	var words []string
	for _, c := range comments {
		words = append(words, strings.Fields(c.Text())...)
	}
	return strings.Join(words, " ")
}
