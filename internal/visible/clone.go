package visible

import (
	"reflect"
	"strings"
)

// Line returns text as one line of what can be seen: what Lines escapes, line feeds and tabs. It keeps backslashes,
// so it may be used again on what it returned.
func Line(text string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(Lines(text))
}

// Clone is a copy of results, or of anything else that is made of exported fields, of which each text is as Line has
// it.
func Clone[T any](v T) T {
	var c T
	copyInto(reflect.ValueOf(&c).Elem(), reflect.ValueOf(&v).Elem())
	return c
}

func copyInto(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.String:
		to.SetString(Line(from.String()))
	case reflect.Struct:
		to.Set(from) // with what is not exported, such as that of a time
		for i := range from.NumField() {
			if from.Type().Field(i).IsExported() {
				copyInto(to.Field(i), from.Field(i))
			}
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		}
		fallthrough
	case reflect.Array:
		for i := range from.Len() {
			copyInto(to.Index(i), from.Index(i))
		}
	case reflect.Pointer, reflect.Interface:
		if !from.IsNil() {
			p := reflect.New(from.Elem().Type())
			copyInto(p.Elem(), from.Elem())
			if from.Kind() == reflect.Interface {
				p = p.Elem()
			}
			to.Set(p)
		}
	case reflect.Map:
		if !from.IsNil() {
			to.Set(reflect.MakeMap(from.Type()))
		}
		for entries := from.MapRange(); entries.Next(); {
			key, value := reflect.New(from.Type().Key()).Elem(), reflect.New(from.Type().Elem()).Elem()
			copyInto(key, entries.Key())
			copyInto(value, entries.Value())
			to.SetMapIndex(key, value)
		}
	default:
		to.Set(from)
	}
}
