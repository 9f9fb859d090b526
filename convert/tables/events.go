package tables

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
)

// filler makes columns and rows of the events of a trace.
type filler struct {
	trace  string // its name
	header trace.Header
	timed  bool // how long calls and requests took is told: what took no time is not NULL
}

func newFiller(name string, h trace.Header) *filler {
	return &filler{trace: name, header: h, timed: !h.Limited(trace.LimitNoDurations)}
}

// columns are those of a table of events, by their fields (package schema). What is computed is held until the next
// value is, so they serve one table.
func (f *filler) columns(event reflect.Type) []parquetColumn {
	all := computed("trace", func(*struct{}) string { return f.trace })
	all[0].Dict = true
	for _, x := range schema.Of(event) {
		if x.Table != "" {
			all = append(all, f.column(&x, event))
		}
		all = append(all, f.beside(event, x.Name)...)
	}
	return all
}

// computed is a column whose values are made of an event.
func computed[E, V any](name string, value func(*E) V) []parquetColumn {
	var made V
	return []parquetColumn{{Name: name, Type: reflect.TypeFor[V](), Value: func(e unsafe.Pointer) unsafe.Pointer {
		made = value((*E)(e))
		return unsafe.Pointer(&made)
	}}}
}

// beside are the columns after that of a field that tell something else of the event.
func (f *filler) beside(event reflect.Type, field string) []parquetColumn {
	switch event.Name() + "." + field {
	case "Syscall.Result":
		return computed("bytes", (*trace.Syscall).Bytes)
	case "AsyncOp.Result":
		return computed("bytes", (*trace.AsyncOp).Bytes)
	case "Request.More":
		return computed("pieces", func(e *trace.Request) int32 { return int32(1 + len(e.More)) })
	case "Wait.Flags":
		return computed("helper", func(e *trace.Wait) bool { return e.Flags&trace.WaitHelper != 0 })
	}
	return nil
}

// column is that of a field.
func (f *filler) column(x *schema.Field, event reflect.Type) parquetColumn {
	c := parquetColumn{Name: x.Table, Type: x.Type, Offset: x.Offset}
	switch x.Class {
	case schema.Number:
		f.number(&c, x, event)
	case schema.Truth:
	default:
		c.Type, c.Value = reflect.TypeFor[string](), f.text(x, event)
		c.Dict = x.Class == schema.Enum || x.Class == schema.Flags || x.Class == schema.Call
	}
	for _, o := range x.Options {
		c.Dict, c.Delta = c.Dict || o == "dict", c.Delta || o == "delta"
	}
	return c
}

// number makes a column one of numbers, and of NULL where there is none.
func (f *filler) number(c *parquetColumn, x *schema.Field, event reflect.Type) {
	get, at := x.Get(event), x.Offset
	none := f.null(x, event)
	if x.None != nil {
		none = func(e unsafe.Pointer) bool { return get(e) == *x.None }
	}
	switch c.Optional = none != nil; {
	case x.Since != "":
		var n int64
		c.Value = func(e unsafe.Pointer) unsafe.Pointer {
			if n = get(e); none != nil && none(e) {
				return nil
			}
			return unsafe.Pointer(&n)
		}
	case none != nil:
		c.Value = func(e unsafe.Pointer) unsafe.Pointer {
			if none(e) {
				return nil
			}
			return unsafe.Add(e, at)
		}
	}
}

// null says which events have no value of a field that all values of it may be; nil if all have one.
func (f *filler) null(x *schema.Field, event reflect.Type) func(unsafe.Pointer) bool {
	switch event.Name() + "." + x.Name {
	case "Syscall.Duration", "AsyncOp.Complete":
		took := x.Get(event)
		return func(e unsafe.Pointer) bool { return !f.timed && took(e) == 0 }
	case "Request.Completed":
		return func(e unsafe.Pointer) bool {
			r := (*trace.Request)(e)
			return r.Completed == 0 || !f.timed && r.Completed == r.Issued
		}
	case "Wait.Completed":
		return func(e unsafe.Pointer) bool { return !(*trace.Wait)(e).By.Completion() }
	case "Process.Status":
		return func(e unsafe.Pointer) bool { return (*trace.Process)(e).Action != trace.ProcessExit }
	}
	return nil
}

// text finds the texts of a column.
func (f *filler) text(x *schema.Field, event reflect.Type) func(unsafe.Pointer) unsafe.Pointer {
	var made string
	at := x.Offset
	switch x.Class {
	case schema.Enum:
		names, get := schema.Names(x.Type), x.Get(event)
		return func(e unsafe.Pointer) unsafe.Pointer { return unsafe.Pointer(&names[uint8(get(e))]) }
	case schema.Flags:
		known, bits, get := map[int64]string{}, schema.BitsOf(x.Type), x.Get(event)
		last := int64(-1)
		return func(e unsafe.Pointer) unsafe.Pointer {
			if set := get(e); set != last {
				last, made = set, flags(known, bits, set)
			}
			return unsafe.Pointer(&made)
		}
	case schema.Call:
		return func(e unsafe.Pointer) unsafe.Pointer {
			if call := (*trace.Syscall)(e).Call; int(call) < len(f.header.Calls) {
				return unsafe.Pointer(&f.header.Calls[call])
			}
			return unsafe.Pointer(new(string))
		}
	case schema.Words:
		return func(e unsafe.Pointer) unsafe.Pointer {
			if made = *(*string)(unsafe.Add(e, at)); made != "" {
				made = visible.Command(strings.Split(made, "\x00"))
			}
			return unsafe.Pointer(&made)
		}
	case schema.Others:
		return func(e unsafe.Pointer) unsafe.Pointer {
			var all []string
			for _, id := range *(*[]trace.DeviceID)(unsafe.Add(e, at)) {
				all = append(all, strconv.FormatUint(uint64(id), 10))
			}
			made = strings.Join(all, ",")
			return unsafe.Pointer(&made)
		}
	}
	return func(e unsafe.Pointer) unsafe.Pointer {
		made = utf8(*(*string)(unsafe.Add(e, at)))
		return unsafe.Pointer(&made)
	}
}

// mostFlags bounds the sets of flags whose names are kept: there are few, unless a
// trace is made to have many.
const mostFlags = 10_000

// flags are the names of flags, as "direct|read".
func flags(known map[int64]string, n schema.Bits, set int64) string {
	text, ok := known[set]
	if !ok {
		if text = string(n.Append(nil, uint32(set))); len(known) < mostFlags {
			known[set] = text
		}
	}
	return text
}

// utf8 is a text as a table has it: what is no UTF-8 becomes U+FFFD.
func utf8(s string) string { return strings.ToValidUTF8(s, "\ufffd") }

// pieces are those of the requests of a batch that have several.
func (f *filler) pieces(b *trace.Batch) (all []pieceRow) {
	for i := range b.Requests {
		r := &b.Requests[i]
		if len(r.More) == 0 {
			continue
		}
		first := trace.Extent{File: r.File, Offset: r.Offset, Bytes: r.Bytes}
		for _, m := range r.More {
			first.Bytes -= m.Bytes
		}
		for n, x := range slices.Insert(slices.Clone(r.More), 0, first) {
			row := pieceRow{Trace: f.trace, Completed: r.Completed, Device: uint32(r.Device), Sector: r.Sector,
				Piece: int32(n), Bytes: x.Bytes}
			row.File, row.Offset = unless((*uint32)(&x.File), 0), unless(&x.Offset, trace.NoOffset)
			all = append(all, row)
		}
	}
	return all
}

// unless is a pointer to a field that holds something, nil if it holds none.
func unless[T comparable](field *T, none T) *T {
	if *field == none {
		return nil
	}
	return field
}
