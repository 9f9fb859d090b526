package jsonl

import (
	"reflect"
	"strconv"
	"unsafe"

	"github.com/iotrace/iotrace/trace/schema"
)

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
	left := x.left()
	return member{x.key[1:],
		func(_ *Encoder, b []byte, e unsafe.Pointer) []byte {
			if left(e) {
				return b
			}
			return strconv.AppendBool(append(b, x.key...), x.get(e) != 0)
		},
		func(d *decoder, e unsafe.Pointer) { *(*bool)(unsafe.Add(e, x.Offset)) = d.text.truth() },
		func(_ *decoder, o object, e unsafe.Pointer) error {
			return o.get(x.JSON, (*bool)(unsafe.Add(e, x.Offset)))
		},
	}
}
