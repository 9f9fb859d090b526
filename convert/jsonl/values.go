package jsonl

// This file has the members of values that have names: of enumerations, flags and calls.

import (
	"errors"
	"fmt"
	"strconv"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

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
