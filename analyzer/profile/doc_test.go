package profile

import (
	"encoding"
	"encoding/json"
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/docs"
)

var update = flag.Bool("update", false, "write docs/json.md and docs/profile.schema.json anew")

// member is a field of an object of the output.
type member struct {
	reflect.StructField
	name     string
	optional bool
}

func members(typ reflect.Type) (all []member) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		if name, options, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && name != "-" {
			all = append(all, member{f, name, options == "omitempty"})
		}
	}
	return all
}

// objects are the types of objects in the output, each before those that are first mentioned in it.
func objects() (all []reflect.Type) {
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
			typ = typ.Elem()
		}
		list := typ.Kind() == reflect.Array && typ != reflect.TypeFor[Cell]()
		if typ.Kind() != reflect.Struct && !list || typ.PkgPath() != reflect.TypeFor[Profile]().PkgPath() || seen[typ] {
			return
		}
		seen[typ] = true
		if all = append(all, typ); list {
			return
		}
		for _, m := range members(typ) {
			visit(m.Type)
		}
	}
	visit(reflect.TypeFor[Profile]())
	return all
}

// TestEveryFieldIsDocumented: docs/json.md has the types and their comments.
func TestEveryFieldIsDocumented(t *testing.T) {
	comments, err := docs.Comments(".")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, typ := range objects() {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", typ.Name(), docs.Wrap(comments[typ.Name()], 150))
		if typ.Kind() == reflect.Array {
			continue
		}
		b.WriteString("| field | type | meaning |\n|---|---|---|\n")
		for _, m := range members(typ) {
			kind, meaning := describeType(m.Type), comments[typ.Name()+"."+m.Name]
			if m.optional {
				kind += ", optional"
			}
			if m.name == "" || meaning == "" {
				t.Errorf("%s.%s has no name in JSON, or no comment", typ.Name(), m.Name)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", m.name, kind, docs.Cell(meaning))
		}
		b.WriteByte('\n')
	}
	docs.Check(t, "../../docs/json.md", "<!-- objects: written by go test ./analyzer/profile -update -->\n\n",
		"<!-- end of objects -->\n", b.String(), *update)
}

// TestSchema: docs/profile.schema.json says the same as a JSON Schema.
func TestSchema(t *testing.T) {
	comments, err := docs.Comments(".")
	if err != nil {
		t.Fatal(err)
	}
	defs := map[string]any{}
	for _, typ := range objects() {
		if typ.Kind() == reflect.Array {
			continue
		}
		properties, required := map[string]any{}, []string{}
		for _, m := range members(typ) {
			of := schema(m.Type)
			of["description"] = comments[typ.Name()+"."+m.Name]
			if properties[m.name] = of; !m.optional {
				required = append(required, m.name)
			}
		}
		defs[typ.Name()] = map[string]any{"type": "object", "description": comments[typ.Name()],
			"properties": properties, "required": required}
	}
	text, err := json.MarshalIndent(map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title": "iotrace show --json", "$ref": "#/$defs/Profile", "$defs": defs}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	docs.Check(t, "../../docs/profile.schema.json", "", "", string(text)+"\n", *update)
}

// schema is that of the values of a type.
func schema(t reflect.Type) map[string]any {
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return map[string]any{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schema(t.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return map[string]any{"type": "string", "contentEncoding": "base64"}
		}
		return map[string]any{"type": "array", "items": schema(t.Elem())}
	case reflect.Array:
		return map[string]any{"type": "array", "items": schema(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schema(t.Elem())}
	case reflect.Struct:
		return map[string]any{"$ref": "#/$defs/" + t.Name()}
	}
	return map[string]any{"type": describeType(t)}
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
