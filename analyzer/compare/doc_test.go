package compare

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/diff.md lists every field of the output and every dimension, in their
// order, and nothing else.
func TestEveryFieldIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/diff.md")
	check(t, err)
	documented := map[string][]string{}
	section := ""
	names := regexp.MustCompile("`([a-z0-9_]+)`")
	for line := range strings.Lines(string(page)) {
		if title := strings.TrimLeft(line, "#"); title != line {
			section = strings.TrimSpace(title)
		}
		if first, _, ok := strings.Cut(strings.TrimPrefix(line, "| "), " |"); ok && strings.HasPrefix(line, "| `") {
			for _, m := range names.FindAllStringSubmatch(first, -1) {
				documented[section] = append(documented[section], m[1])
			}
		}
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Comparison](), reflect.TypeFor[Side](), reflect.TypeFor[Dimension](), reflect.TypeFor[Value](),
		reflect.TypeFor[Point](), reflect.TypeFor[Share](), reflect.TypeFor[Row](), reflect.TypeFor[Rank](),
	} {
		var want []string
		for i := range typ.NumField() {
			if name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ","); name != "" && name != "-" {
				want = append(want, name)
			}
		}
		if got := documented[typ.Name()]; !slices.Equal(got, want) {
			t.Errorf("docs/diff.md, %s: %v, the type has %v", typ.Name(), got, want)
		}
	}
	if got := documented["Dimensions"]; !slices.Equal(got, dimensionCodes()) {
		t.Errorf("docs/diff.md, Dimensions: %v, there are %v", got, dimensionCodes())
	}
}
