package samples

import (
	"bytes"
	"errors"
	"io"
	"reflect"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Texts changes every text of a trace: those of its header, its events and its end. field is where one stands, such
// as "Header.OS" or "File.Path".
func Texts(file []byte, change func(field, text string) string) ([]byte, error) {
	r, err := tracefile.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	header := r.Header()
	ChangeTexts(&header, change)
	var batches []*trace.Batch
	for {
		b := new(trace.Batch)
		if err := r.Next(b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		ChangeTexts(b, change)
		batches = append(batches, b)
	}
	end, _ := r.End()
	ChangeTexts(&end, change)
	return write(header, batches, end)
}

// ChangeTexts changes every text in what p points to.
func ChangeTexts(p any, change func(field, text string) string) {
	changeTexts(reflect.ValueOf(p).Elem(), "", change)
}

func changeTexts(v reflect.Value, field string, change func(field, text string) string) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(change(field, v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			changeTexts(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name, change)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			changeTexts(v.Index(i), field, change)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			changeTexts(v.Elem(), field, change)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			changeTexts(value, field, change)
			if v.CanSet() {
				v.SetMapIndex(key, value)
			}
		}
	}
}
