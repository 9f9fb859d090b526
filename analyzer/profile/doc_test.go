package profile

import (
	"encoding"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestEveryFieldIsDocumented compares docs/json.md with the types: each has a
// section, each field a row with its type, in the same order.
func TestEveryFieldIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/json.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := sections(string(page))
	seen := map[reflect.Type]bool{}
	var check func(reflect.Type)
	check = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || typ.PkgPath() != reflect.TypeFor[Profile]().PkgPath() || seen[typ] {
			return
		}
		seen[typ] = true
		var want []string
		for i := range typ.NumField() {
			f := typ.Field(i)
			if !f.IsExported() || f.Tag.Get("json") == "-" {
				continue
			}
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				t.Errorf("%s.%s has no JSON name", typ.Name(), f.Name)
			}
			kind := describeType(f.Type)
			if options == "omitempty" {
				kind += ", optional"
			}
			want = append(want, name+": "+kind)
			check(f.Type)
		}
		if got := documented[typ.Name()]; !slices.Equal(got, want) {
			t.Errorf("docs/json.md, %s:\n%s\nthe type has\n%s", typ.Name(), strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		delete(documented, typ.Name())
	}
	check(reflect.TypeFor[Profile]())
	for name := range documented {
		t.Errorf("docs/json.md describes %s, which is no part of the output", name)
	}
}

var row = regexp.MustCompile("^\\| `(\\w+)` \\| (.+?) \\| (.+) \\|$")

// sections lists the fields and types of each table of the page.
func sections(page string) map[string][]string {
	fields := map[string][]string{}
	section := ""
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
		}
		if m := row.FindStringSubmatch(line); m != nil {
			fields[section] = append(fields[section], m[1]+": "+m[2])
		}
	}
	return fields
}

// describeType names a type as the page does.
func describeType(t reflect.Type) string {
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return "string"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return describeType(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "string"
		}
		return "array of " + describeType(t.Elem())
	case reflect.Array:
		if t == reflect.TypeFor[Cell]() {
			return "[bin, row, count]"
		}
		return "[" + t.Name() + "](#" + strings.ToLower(t.Name()) + ")"
	case reflect.Map:
		return "object of " + describeType(t.Elem())
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Struct:
		return "[" + t.Name() + "](#" + strings.ToLower(t.Name()) + ")"
	}
	return "integer"
}
