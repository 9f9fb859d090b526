package jsonl

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/iotrace/iotrace/convert/names"
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
	bits  names.Bits
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
		x.bits = names.Of(f.Type)
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

// member is that of the field itself.
func (x *field) member() member {
	switch x.Class {
	case schema.Text:
		return x.textMember()
	case schema.Words:
		return x.wordsMember()
	case schema.Truth:
		return x.truthMember()
	case schema.Enum:
		return x.enumMember()
	case schema.Flags:
		return x.flagsMember()
	case schema.Call:
		return x.callMember()
	case schema.Others:
		if x.Type.Elem().Kind() == reflect.Struct {
			return x.extentsMember()
		}
		return x.devicesMember()
	}
	return x.numberMember()
}

func (x *field) numberMember() member {
	left, get, set, key := x.left(), x.get, x.set, x.key
	signed, bits := x.Type.Kind() == reflect.Int32 || x.Type.Kind() == reflect.Int64, x.Type.Bits()
	return member{x.key[1:],
		func(_ *Encoder, b []byte, e unsafe.Pointer) []byte {
			if left(e) {
				return b
			}
			if b = append(b, key...); !signed {
				return strconv.AppendUint(b, uint64(get(e)), 10)
			}
			return strconv.AppendInt(b, get(e), 10)
		},
		func(d *decoder, e unsafe.Pointer) { set(e, d.text.number(signed, bits)) },
		func(_ *decoder, o object, e unsafe.Pointer) error {
			return o.get(x.JSON, reflect.NewAt(x.Type, unsafe.Add(e, x.Offset)).Interface())
		},
	}
}

func (x *field) truthMember() member {
	return member{x.key[1:],
		func(_ *Encoder, b []byte, e unsafe.Pointer) []byte {
			return strconv.AppendBool(append(b, x.key...), x.get(e) != 0)
		},
		func(d *decoder, e unsafe.Pointer) { *(*bool)(unsafe.Add(e, x.Offset)) = d.text.truth() },
		func(_ *decoder, o object, e unsafe.Pointer) error {
			return o.get(x.JSON, (*bool)(unsafe.Add(e, x.Offset)))
		},
	}
}
