package docs

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

var update = flag.Bool("update", false, "write the fields of events in the pages anew")

// events are the kinds of them, in the order of their numbers.
var events = []any{trace.Syscall{}, trace.AsyncOp{}, trace.Fault{}, trace.Request{}, trace.Wait{}, trace.Process{},
	trace.File{}, trace.Device{}, trace.Lost{}, trace.RPC{}}

// made is how the columns are stored that are made of several fields, by kind and number.
var made = map[string]string{
	"Request 5": "1 if Queued is −1, else 0",
	"Request 6": "Issued − Queued, 0 if Queued is −1",
	"Wait 9":    "Start + Duration − Ready − Completed if By is 2, else Completed",
	"Device 13": "list of u32 (0)",
}

// TestFormat: docs/trace-format.md has the columns of each kind.
func TestFormat(t *testing.T) {
	comments := eventComments(t)
	var b strings.Builder
	for i, e := range events {
		event := reflect.TypeOf(e)
		fmt.Fprintf(&b, "### %s (kind %d)\n\n%s\n\n", trace.Kind(i+1), i+1, Wrap(comments[event.Name()], 80))
		b.WriteString("| # | from | stored | type | field |\n|---|---|---|---|---|\n")
		rows := map[int]string{}
		for _, f := range schema.Of(event) {
			for _, n := range f.Columns {
				stored, from := column(&f, n, event)
				rows[n] = fmt.Sprintf("| %d | %s | %s | %s | %s: %s |\n", n, from, stored, typeOf(f.Type), f.Name,
					Cell(comments[event.Name()+"."+f.Name]))
			}
		}
		for _, n := range slices.Sorted(maps.Keys(rows)) {
			b.WriteString(rows[n])
		}
		b.WriteByte('\n')
	}
	Check(t, "../../docs/trace-format.md", "<!-- events: written by go test ./internal/docs -update -->\n\n",
		"<!-- end of events -->\n", b.String(), *update)
}

// column says what is stored in a column, and what it is compared to.
func column(f *schema.Field, n int, event reflect.Type) (stored, from string) {
	keyed := slices.ContainsFunc(schema.Of(event), func(f schema.Field) bool { return slices.Contains(f.Stored, "key") })
	switch {
	case f.Class == schema.Text || f.Class == schema.Words:
		return f.Name, "T"
	case f.Class == schema.Others && f.Type.Elem().Kind() == reflect.Struct:
		var items []string
		for _, item := range schema.Of(f.Type.Elem()) {
			_, from := column(&item, 0, f.Type.Elem())
			items = append(items, fmt.Sprintf("%s (%s, %s)", item.Name, typeOf(item.Type), from))
		}
		return strings.Join(items, ", "), "L"
	case f.Class == schema.Others:
		return made[fmt.Sprint(event.Name(), " ", n)], "L"
	case keyed:
		from = "2"
	default:
		from = "0"
	}
	if text, ok := made[fmt.Sprint(event.Name(), " ", n)]; ok {
		return text, "0"
	}
	stored = f.Name
	for i, word := range f.Stored {
		switch word {
		case "key":
			from = "K"
		case "end":
			stored, from = f.Name+" + Duration", "1"
		case "lasted", "zero":
			from = "0"
		case "previous":
			from = "1"
		case "less":
			stored = f.Stored[i+1] + " − " + f.Name
		case "above":
			stored = f.Name + " − " + f.Stored[i+1]
		}
	}
	return stored, from
}

func typeOf(t reflect.Type) string {
	switch k := t.Kind(); k {
	case reflect.String:
		return "text"
	case reflect.Slice:
		return "list"
	case reflect.Bool:
		return "boolean"
	default:
		return k.String()[:1] + strings.TrimLeft(k.String(), "uint")
	}
}

// TestLines: docs/export.md has the members of each line, and docs/events.schema.json says what they are.
func TestLines(t *testing.T) {
	comments := eventComments(t)
	var b strings.Builder
	b.WriteString("| kind | members | of these optional |\n|---|---|---|\n")
	kinds := []any{}
	for i, e := range events {
		names, optional, object := members(reflect.TypeOf(e), comments)
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", trace.Kind(i+1), strings.Join(names, "`, `"), strings.Join(optional, ", "))
		object["properties"].(map[string]any)["kind"] = map[string]any{"const": trace.Kind(i + 1).String()}
		kinds = append(kinds, object)
	}
	Check(t, "../../docs/export.md", "<!-- lines: written by go test ./internal/docs -update -->\n",
		"<!-- end of lines -->\n", b.String(), *update)
	text, err := json.MarshalIndent(map[string]any{"$schema": "https://json-schema.org/draft/2020-12/schema",
		"title": "a line of iotrace events --json", "oneOf": kinds}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	Check(t, "../../docs/events.schema.json", "", "", string(text)+"\n", *update)
}

// members are those of the line of a kind, those of them that may be missing, and its schema.
func members(event reflect.Type, comments map[string]string) (names, optional []string, object map[string]any) {
	properties, required := map[string]any{}, []string{"kind"}
	for _, f := range schema.Of(event) {
		of := map[string]any{"type": "integer"}
		may := f.Omit != nil
		switch f.Class {
		case schema.Text, schema.Enum, schema.Call:
			of = map[string]any{"type": "string"}
		case schema.Truth:
			of = map[string]any{"type": "boolean"}
		case schema.Flags, schema.Words:
			of, may = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}, true
		case schema.Others:
			items := map[string]any{"type": "integer"}
			if item := f.Type.Elem(); item.Kind() == reflect.Struct {
				_, _, items = members(item, comments)
				items["required"] = items["required"].([]string)[1:]
			}
			of, may = map[string]any{"type": "array", "items": items}, true
		}
		may = may || event == reflect.TypeFor[trace.Process]() && f.Name == "Status"
		of["description"] = comments[event.Name()+"."+f.Name]
		properties[f.JSON] = of
		if names = append(names, f.JSON); may {
			optional = append(optional, "`"+f.JSON+"`")
		} else {
			required = append(required, f.JSON)
		}
		for _, name := range f.With {
			if !strings.Contains(name, "_") {
				names = append(names, name)
			}
		}
	}
	return names, optional, map[string]any{"type": "object", "description": comments[event.Name()],
		"properties": properties, "required": required}
}

// eventComments are those of the types of events; every field has one.
func eventComments(t *testing.T) map[string]string {
	comments, err := Comments("../../trace")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range comments {
		if _, field, ok := strings.Cut(name, "."); ok { // "Size is in bytes." as "in bytes"
			text, _ = strings.CutPrefix(strings.TrimSuffix(text, "."), field+" ")
			text, _ = strings.CutPrefix(text, "is ")
			comments[name], _ = strings.CutPrefix(text, "are ")
		}
	}
	for _, e := range append(slices.Clone(events), trace.Extent{}) {
		event := reflect.TypeOf(e)
		for _, f := range schema.Of(event) {
			if comments[event.Name()+"."+f.Name] == "" || f.JSON == "" || len(f.Columns) == 0 {
				t.Errorf("%s.%s has no comment, no name or no column", event.Name(), f.Name)
			}
		}
	}
	return comments
}
