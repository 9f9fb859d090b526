package text

import (
	"reflect"
	"strconv"
	"sync"
	"unsafe"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

// rest are the fields of a type of events that have a word of their own at the end of its lines: those that the
// sentence before does not tell.
type rest []func(b []byte, e unsafe.Pointer) []byte

// rests are indexed by Kind. They are found out when the first line is written: most commands write none.
var rests = sync.OnceValue(func() *[trace.NumKinds]rest {
	var all [trace.NumKinds]rest
	for k, e := range []any{trace.KindSyscall: trace.Syscall{}, trace.KindAsyncOp: trace.AsyncOp{},
		trace.KindFault: trace.Fault{}, trace.KindRequest: trace.Request{}, trace.KindWait: trace.Wait{},
		trace.KindProcess: trace.Process{}, trace.KindFile: trace.File{}, trace.KindDevice: trace.Device{},
		trace.KindLost: trace.Lost{}, trace.KindRPC: trace.RPC{}} {
		if e != nil {
			all[k] = restOf(reflect.TypeOf(e))
		}
	}
	return &all
})

// appendRest appends them, unless they have the value of none.
func appendRest[E any](b []byte, k trace.Kind, e *E) []byte {
	for _, add := range rests()[k] {
		b = add(b, unsafe.Pointer(e))
	}
	return b
}

func restOf(event reflect.Type) (all rest) {
	for _, f := range schema.Of(event) {
		switch {
		case f.Word == "":
		case f.Class == schema.Text:
			all = append(all, func(b []byte, e unsafe.Pointer) []byte {
				text := *(*string)(unsafe.Add(e, f.Offset))
				if f.Omit != nil && text == "" {
					return b
				}
				return strconv.AppendQuote(append(b, " "+f.Word+" "...), text)
			})
		default:
			get := f.Get(event)
			all = append(all, func(b []byte, e unsafe.Pointer) []byte {
				n := get(e)
				if f.Omit != nil && n == *f.Omit {
					return b
				}
				return strconv.AppendInt(append(b, " "+f.Word+" "...), n, 10)
			})
		}
	}
	return all
}
