package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// drawEvent is an event of any kind (a pointer) whose fields hold anything.
func drawEvent(t *rapid.T) any {
	kind := rapid.SampledFrom(kindOrder[:]).Draw(t, "kind")
	e := newEvent(kind)
	fill(t, reflect.ValueOf(e).Elem())
	switch e := e.(type) { // as a Writer does
	case *Syscall:
		e.Tame()
	case *AsyncOp:
		e.Tame()
	}
	return e
}

func newEvent(k Kind) any {
	switch k {
	case KindSyscall:
		return new(Syscall)
	case KindAsyncOp:
		return new(AsyncOp)
	case KindFault:
		return new(Fault)
	case KindRequest:
		return new(Request)
	case KindWait:
		return new(Wait)
	case KindProcess:
		return new(Process)
	case KindFile:
		return new(File)
	case KindDevice:
		return new(Device)
	case KindLost:
		return new(Lost)
	}
	panic(fmt.Sprintf("no event of kind %d", k))
}

// fill sets v and all fields in it to drawn values.
func fill(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Slice:
		if n := rapid.IntRange(0, 3).Draw(t, "items"); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(t, v.Index(i))
			}
		}
	case reflect.String:
		v.SetString(string(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "text")))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "flag"))
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(rapid.Int64().Draw(t, "number"))
	default:
		v.SetUint(rapid.Uint64().Draw(t, "number"))
	}
}

// write adds an event (a pointer) to a trace.
func write(w *Writer, e any) error {
	switch e := e.(type) {
	case *Syscall:
		return w.Syscall(e)
	case *AsyncOp:
		return w.AsyncOp(e)
	case *Fault:
		return w.Fault(e)
	case *Request:
		return w.Request(e)
	case *Wait:
		return w.Wait(e)
	case *Process:
		return w.Process(e)
	case *File:
		return w.File(e)
	case *Device:
		return w.Device(e)
	case *Lost:
		return w.Lost(e)
	}
	return fmt.Errorf("no event: %T", e)
}

// add appends copies of the events of from to b.
func (b *Batch) add(from *Batch) {
	b.Syscalls = append(b.Syscalls, from.Syscalls...)
	b.AsyncOps = append(b.AsyncOps, from.AsyncOps...)
	b.Faults = append(b.Faults, from.Faults...)
	b.Waits = append(b.Waits, from.Waits...)
	b.Processes = append(b.Processes, from.Processes...)
	b.Files = append(b.Files, from.Files...)
	b.Lost = append(b.Lost, from.Lost...)
	for _, r := range from.Requests {
		r.More = slices.Clone(r.More)
		b.Requests = append(b.Requests, r)
	}
	for _, d := range from.Devices {
		d.Parents = slices.Clone(d.Parents)
		b.Devices = append(b.Devices, d)
	}
}

// gather is all the given events (pointers) in one batch.
func gather(events []any) *Batch {
	b := new(Batch)
	for _, e := range events {
		switch e := e.(type) {
		case *Syscall:
			b.Syscalls = append(b.Syscalls, *e)
		case *AsyncOp:
			b.AsyncOps = append(b.AsyncOps, *e)
		case *Fault:
			b.Faults = append(b.Faults, *e)
		case *Request:
			b.Requests = append(b.Requests, *e)
		case *Wait:
			b.Waits = append(b.Waits, *e)
		case *Process:
			b.Processes = append(b.Processes, *e)
		case *File:
			b.Files = append(b.Files, *e)
		case *Device:
			b.Devices = append(b.Devices, *e)
		case *Lost:
			b.Lost = append(b.Lost, *e)
		}
	}
	return b
}

// readAll is what Next returns up to the end, batch by batch.
func readAll(t rapid.TB, r interface{ Next(*Batch) error }) []*Batch {
	t.Helper()
	var all []*Batch
	var b Batch
	for {
		err := r.Next(&b)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if b.Len() == 0 {
			t.Fatal("a batch without events")
		}
		all = append(all, new(Batch))
		all[len(all)-1].add(&b)
	}
}

// open starts reading a trace in memory.
func open(t rapid.TB, file []byte) *Reader {
	t.Helper()
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// unchecked lets a reader return events that cannot be true: the format itself
// holds anything.
func unchecked(r *Reader) *Reader {
	r.ledger = nil
	return r
}

// join is all batches in one.
func join(batches []*Batch) *Batch {
	all := new(Batch)
	for _, b := range batches {
		all.add(b)
	}
	return all
}

// diff is the difference between two batches, "" if there is none.
func diff(want, got *Batch) string {
	return cmp.Diff(want, got, cmpopts.IgnoreUnexported(Batch{}), cmpopts.EquateEmpty())
}

// create starts a trace.
func create(t rapid.TB, out io.Writer, h Header) *Writer {
	t.Helper()
	w, err := NewWriter(out, h)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// record writes a complete trace of events (pointers).
func record(t rapid.TB, out io.Writer, events []any) {
	t.Helper()
	w := create(t, out, Header{Tool: "iotrace test"})
	for _, e := range events {
		if err := write(w, e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(End{}); err != nil {
		t.Fatal(err)
	}
}

// binaryChecksum is the checksum of b as it is stored.
func binaryChecksum(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(nil, checksum(b))
}

// writeBatch writes all events of a batch, kind by kind.
func writeBatch(t rapid.TB, w *Writer, b *Batch) {
	t.Helper()
	var err error
	each(b.Devices, func(e *Device) { err = errors.Join(err, w.Device(e)) })
	each(b.Files, func(e *File) { err = errors.Join(err, w.File(e)) })
	each(b.Processes, func(e *Process) { err = errors.Join(err, w.Process(e)) })
	each(b.Lost, func(e *Lost) { err = errors.Join(err, w.Lost(e)) })
	each(b.Requests, func(e *Request) { err = errors.Join(err, w.Request(e)) })
	each(b.Faults, func(e *Fault) { err = errors.Join(err, w.Fault(e)) })
	each(b.Waits, func(e *Wait) { err = errors.Join(err, w.Wait(e)) })
	each(b.AsyncOps, func(e *AsyncOp) { err = errors.Join(err, w.AsyncOp(e)) })
	each(b.Syscalls, func(e *Syscall) { err = errors.Join(err, w.Syscall(e)) })
	if err != nil {
		t.Fatal(err)
	}
}

func each[T any](s []T, do func(*T)) {
	for i := range s {
		do(&s[i])
	}
}
