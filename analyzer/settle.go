package analyzer

import (
	"reflect"
	"strings"
)

// settle makes the arrays and objects that are always present empty instead of
// null.
func settle(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			settle(v.Elem())
		}
	case reflect.Slice:
		if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.Pointer {
			for i := range v.Len() {
				settle(v.Index(i))
			}
		}
	case reflect.Struct:
		t := v.Type()
		for i := range t.NumField() {
			f, tag := v.Field(i), t.Field(i).Tag.Get("json")
			if tag == "" {
				continue
			}
			if always := !strings.HasSuffix(tag, ",omitempty"); always && f.Kind() == reflect.Slice && f.IsNil() {
				f.Set(reflect.MakeSlice(f.Type(), 0, 0))
			} else if always && f.Kind() == reflect.Map && f.IsNil() {
				f.Set(reflect.MakeMap(f.Type()))
			}
			settle(f)
		}
	}
}
