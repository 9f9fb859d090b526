package jsonl

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
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

func (x *field) textMember() member {
	left := x.left()
	return member{x.key[1:],
		func(w *Encoder, b []byte, e unsafe.Pointer) []byte {
			if left(e) {
				return b
			}
			return w.text(append(b, x.key...), *x.text(e))
		},
		func(d *decoder, e unsafe.Pointer) { *x.text(e) = string(d.text.text()) },
		func(_ *decoder, o object, e unsafe.Pointer) error {
			return errors.Join(o.get(x.JSON, x.text(e)), o.bytes(x.JSON, x.text(e)))
		},
	}
}

// wordsMember is a list of texts that are joined by NUL, mostly without one at the end.
func (x *field) wordsMember() member {
	return member{x.key[1:],
		func(w *Encoder, b []byte, e unsafe.Pointer) []byte {
			if *x.text(e) == "" {
				return b
			}
			b = append(b, x.key...)
			for i, word := range words(*x.text(e)) {
				b = w.text(append(b, "[,"[min(i, 1)]), word)
			}
			return append(b, ']')
		},
		func(d *decoder, e unsafe.Pointer) {
			joined := d.joined[:0]
			for more := d.text.open('['); more; more = d.text.more(']') {
				joined = append(append(joined, d.text.text()...), 0)
			}
			*x.text(e) = string(joined[:max(0, len(joined)-1)])
			d.joined = joined
		},
		func(_ *decoder, o object, e unsafe.Pointer) error {
			var list []string
			err := o.get(x.JSON, &list)
			*x.text(e) = strings.Join(list, "\x00")
			return errors.Join(err, o.bytes(x.JSON, x.text(e)))
		},
	}
}

func words(joined string) []string { return strings.Split(strings.TrimSuffix(joined, "\x00"), "\x00") }

func (x *field) enumMember() member {
	left, get := x.left(), x.get
	var quoted [256]string
	for v, name := range x.names {
		quoted[v] = x.key + `"` + name + `"`
	}
	return member{x.key[1:],
		func(_ *Encoder, b []byte, e unsafe.Pointer) []byte {
			if left(e) {
				return b
			}
			return append(b, quoted[uint8(get(e))]...)
		},
		func(d *decoder, e unsafe.Pointer) {
			v, ok := x.value[string(d.text.text())]
			d.text.odd = d.text.odd || !ok
			x.set(e, int64(v))
		},
		func(_ *decoder, o object, e unsafe.Pointer) error {
			var name string
			var number *uint8
			if err := errors.Join(o.get(x.JSON, &name), o.get(x.JSON+"_number", &number)); err != nil {
				return err
			}
			v, ok := x.value[name]
			switch {
			case number != nil:
				v = *number
			case !ok && name != schema.Unnamed && name != "": // the value would be lost
				return fmt.Errorf("unknown value %q", name)
			}
			x.set(e, int64(v))
			return nil
		},
	}
}

func (x *field) flagsMember() member {
	return member{x.key[1:],
		func(_ *Encoder, b []byte, e unsafe.Pointer) []byte {
			set := uint32(x.get(e))
			if set == 0 {
				return b
			}
			b = append(append(b, x.key...), '[')
			for i, name := range x.bits.List(set) {
				b = strconv.AppendQuote(append(b, ","[:min(i, 1)]...), name)
			}
			return append(b, ']')
		},
		func(d *decoder, e unsafe.Pointer) {
			var set uint32
			for more := d.text.open('['); more; more = d.text.more(']') {
				bit, ok := x.bits.Find(d.text.text())
				d.text.odd = d.text.odd || !ok
				set |= bit
			}
			x.set(e, int64(set))
		},
		func(_ *decoder, o object, e unsafe.Pointer) error {
			var list []string
			err := o.get(x.JSON, &list)
			set, ok := x.bits.Parse(list)
			if x.set(e, int64(set)); !ok {
				err = errors.Join(err, fmt.Errorf("unknown flags %q", list))
			}
			return err
		},
	}
}

func (x *field) callMember() member {
	return member{x.key[1:],
		func(w *Encoder, b []byte, e unsafe.Pointer) []byte {
			return w.text(append(b, x.key...), w.names.Call((*trace.Syscall)(e)))
		},
		func(d *decoder, e unsafe.Pointer) {
			var call uint16
			call, d.called = d.calls[string(d.text.text())]
			d.text.odd = d.text.odd || !d.called
			(*trace.Syscall)(e).Call = call
		},
		func(d *decoder, o object, e unsafe.Pointer) error {
			var name string
			var number *uint16
			if err := errors.Join(o.get(x.JSON, &name), o.get(x.JSON+"_number", &number)); err != nil {
				return err
			}
			call, known := d.calls[name]
			if number != nil {
				call, known = *number, true
			}
			s := (*trace.Syscall)(e)
			if s.Call = call; !known && name != s.Op.String() { // a call without a name goes by its operation
				return fmt.Errorf("the trace has no call %q", name)
			}
			return nil
		},
	}
}

// companion is a member beside that of the field: the name of what a number stands for, the bytes of a text, the number
// of a value. All but the last two are for readers of single lines.
func (x *field) companion(name string) member {
	key := `,"` + name + `":`
	switch {
	case strings.HasSuffix(name, "_bytes"):
		return member{quoted: key[1:], write: func(_ *Encoder, b []byte, e unsafe.Pointer) []byte {
			text := *x.text(e)
			if utf8.ValidString(text) && (x.Class == schema.Text || text == "" || strings.Join(words(text), "\x00") == text) {
				return b
			}
			return appendBytes(append(b, key...), text)
		}}
	case name == "call_number":
		return member{quoted: key[1:], write: func(w *Encoder, b []byte, e unsafe.Pointer) []byte {
			if s := (*trace.Syscall)(e); w.calls[w.names.Call(s)] != s.Call {
				return strconv.AppendUint(append(b, key...), uint64(s.Call), 10)
			}
			return b
		}}
	case strings.HasSuffix(name, "_number"):
		return member{quoted: key[1:], write: func(_ *Encoder, b []byte, e unsafe.Pointer) []byte {
			if v := uint8(x.get(e)); x.value[x.names[v]] != v {
				return strconv.AppendUint(append(b, key...), uint64(v), 10)
			}
			return b
		}}
	case strings.HasPrefix(name, "path"):
		exact := `,"` + name + `_bytes":`
		return beside(name, func(w *Encoder, b []byte, e unsafe.Pointer) []byte {
			path, _ := w.names.Path(trace.FileID(x.get(e)))
			if path == "" || w.bare {
				return b
			}
			if b = w.text(append(b, key...), path); utf8.ValidString(path) {
				return b
			}
			return appendBytes(append(b, exact...), path)
		})
	}
	device := map[string]func(w *Encoder, b []byte, id trace.DeviceID) []byte{
		"name": func(w *Encoder, b []byte, id trace.DeviceID) []byte { return w.text(b, w.names.Device(id)) },
		"major": func(_ *Encoder, b []byte, id trace.DeviceID) []byte {
			return strconv.AppendUint(b, uint64(id.Major()), 10)
		},
		"minor": func(_ *Encoder, b []byte, id trace.DeviceID) []byte {
			return strconv.AppendUint(b, uint64(id.Minor()), 10)
		},
	}[name]
	return beside(name, func(w *Encoder, b []byte, e unsafe.Pointer) []byte {
		return device(w, append(b, key...), trace.DeviceID(x.get(e)))
	})
}

// beside is a member that nothing is read from.
func beside(name string, write func(*Encoder, []byte, unsafe.Pointer) []byte) member {
	return member{`"` + name + `":`, write, func(d *decoder, _ unsafe.Pointer) { d.text.skip() }, nil}
}

func appendBytes(b []byte, s string) []byte {
	return append(base64.StdEncoding.AppendEncode(append(b, '"'), []byte(s)), '"')
}

// object is any JSON object.
type object map[string]json.RawMessage

// get reads a member, if there is one.
func (o object) get(name string, to any) error {
	raw, ok := o[name]
	if !ok {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// bytes reads those of a text, if they are there.
func (o object) bytes(name string, text *string) error {
	var exact []byte
	err := o.get(name+"_bytes", &exact)
	if exact != nil {
		*text = string(exact)
	}
	return err
}
