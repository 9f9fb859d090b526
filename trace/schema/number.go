package schema

import (
	"reflect"
	"unsafe"
)

// Get reads a number of an event at an address. It is as wide as it can be: what is unsigned and has 64 bits may be
// negative here.
func (f *Field) Get(event reflect.Type) func(unsafe.Pointer) int64 {
	get := getter(f.Type.Kind(), f.Offset)
	if f.Since == "" {
		return get
	}
	from, _ := event.FieldByName(f.Since)
	since := getter(from.Type.Kind(), from.Offset)
	return func(e unsafe.Pointer) int64 { return get(e) - since(e) }
}

func getter(kind reflect.Kind, at uintptr) func(unsafe.Pointer) int64 {
	switch kind {
	case reflect.Uint8, reflect.Bool:
		return func(e unsafe.Pointer) int64 { return int64(*(*uint8)(unsafe.Add(e, at))) }
	case reflect.Uint16:
		return func(e unsafe.Pointer) int64 { return int64(*(*uint16)(unsafe.Add(e, at))) }
	case reflect.Uint32:
		return func(e unsafe.Pointer) int64 { return int64(*(*uint32)(unsafe.Add(e, at))) }
	case reflect.Int32:
		return func(e unsafe.Pointer) int64 { return int64(*(*int32)(unsafe.Add(e, at))) }
	case reflect.Int64, reflect.Uint64:
		return func(e unsafe.Pointer) int64 { return *(*int64)(unsafe.Add(e, at)) }
	}
	panic("no number: " + kind.String())
}

// Set stores a number that fits in its field; what is counted from another field is stored as it is.
func (f *Field) Set() func(e unsafe.Pointer, n int64) {
	at := f.Offset
	switch f.Type.Size() {
	case 1:
		return func(e unsafe.Pointer, n int64) { *(*uint8)(unsafe.Add(e, at)) = uint8(n) }
	case 2:
		return func(e unsafe.Pointer, n int64) { *(*uint16)(unsafe.Add(e, at)) = uint16(n) }
	case 4:
		return func(e unsafe.Pointer, n int64) { *(*uint32)(unsafe.Add(e, at)) = uint32(n) }
	}
	return func(e unsafe.Pointer, n int64) { *(*int64)(unsafe.Add(e, at)) = n }
}
