package jsonl

// This file has the members of texts, and of lists of them.

import (
	"bytes"
	"errors"
	"strings"
	"unsafe"

	"github.com/iotrace/iotrace/internal/visible"
)

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

// text appends a text in quotation marks, with escapes for what is not printable.
func (w *Encoder) text(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			w.quoted.Reset()
			if err := w.encoder.Encode(s); err != nil {
				panic(err) // a string: cannot happen
			}
			return visible.AppendJSON(b, bytes.TrimSuffix(w.quoted.Bytes(), []byte("\n")))
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
