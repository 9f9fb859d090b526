package jsonl

import (
	"reflect"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

// field makes the members of a field.
type field struct {
	*schema.Field
	event reflect.Type
	key   string
	get   func(unsafe.Pointer) int64
	set   func(unsafe.Pointer, int64)
	names *[256]string     // of an enumeration
	value map[string]uint8 // of a name
	bits  schema.Bits
}

func newField(f *schema.Field, event reflect.Type) *field {
	x := &field{Field: f, event: event, key: `,"` + f.JSON + `":`}
	switch f.Class {
	case schema.Text, schema.Words, schema.Others:
		return x
	case schema.Enum:
		x.names, x.value = schema.Names(f.Type), map[string]uint8{}
		for v, name := range x.names {
			if _, known := x.value[name]; !known && name != schema.Unnamed {
				x.value[name] = uint8(v)
			}
		}
	case schema.Flags:
		x.bits = schema.BitsOf(f.Type)
	}
	x.get, x.set = f.Get(event), f.Set()
	return x
}

// left reports whether lines leave the field out.
func (x *field) left() func(unsafe.Pointer) bool {
	switch {
	case x.event == reflect.TypeFor[trace.Process]() && x.Name == "Status": // 0 means something of an exit
		return func(e unsafe.Pointer) bool {
			p := (*trace.Process)(e)
			return p.Action != trace.ProcessExit && p.Status == 0
		}
	case x.Omit == nil:
		return func(unsafe.Pointer) bool { return false }
	case x.Class == schema.Text:
		return func(e unsafe.Pointer) bool { return *x.text(e) == "" }
	}
	get, none := x.get, *x.Omit
	return func(e unsafe.Pointer) bool { return get(e) == none }
}

func (x *field) text(e unsafe.Pointer) *string { return (*string)(unsafe.Add(e, x.Offset)) }
