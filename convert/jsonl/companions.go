package jsonl

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

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
