package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Comments are those of the types of a package in a directory, by the name of the type, and of their fields, as
// "Type.Field". Each is one line.
func Comments(dir string) (map[string]string, error) {
	notTests := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), dir, notTests, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, p := range packages {
		for _, name := range slices.Sorted(maps.Keys(p.Files)) {
			for _, d := range p.Files[name].Decls {
				if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
					ofTypes(all, d)
				}
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
