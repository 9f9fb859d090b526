package tracefile

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

	"github.com/iotrace/iotrace/trace"
)

// drawEvent is an event of any kind (a pointer) whose fields hold anything.
func drawEvent(t *rapid.T) any {
	kind := rapid.SampledFrom(trace.KindOrder[:]).Draw(t, "kind")
	e := newEvent(kind)
	fill(t, reflect.ValueOf(e).Elem())
	switch e := e.(type) { // as a Writer does
	case *trace.Syscall:
		e.Tame()
	case *trace.AsyncOp:
		e.Tame()
	}
	return e
}

func newEvent(k trace.Kind) any {
	switch k {
	case trace.KindSyscall:
		return new(trace.Syscall)
	case trace.KindAsyncOp:
		return new(trace.AsyncOp)
	case trace.KindFault:
		return new(trace.Fault)
	case trace.KindRequest:
		return new(trace.Request)
	case trace.KindWait:
		return new(trace.Wait)
	case trace.KindProcess:
		return new(trace.Process)
	case trace.KindFile:
		return new(trace.File)
	case trace.KindDevice:
		return new(trace.Device)
	case trace.KindLost:
		return new(trace.Lost)
	case trace.KindRPC:
		return new(trace.RPC)
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
	case *trace.Syscall:
		return w.Syscall(e)
	case *trace.AsyncOp:
		return w.AsyncOp(e)
	case *trace.Fault:
		return w.Fault(e)
	case *trace.Request:
		return w.Request(e)
	case *trace.Wait:
		return w.Wait(e)
	case *trace.Process:
		return w.Process(e)
	case *trace.File:
		return w.File(e)
	case *trace.Device:
		return w.Device(e)
	case *trace.Lost:
		return w.Lost(e)
	case *trace.RPC:
		return w.RPC(e)
	}
	return fmt.Errorf("no event: %T", e)
}

// add appends copies of the events of from to b.
func add(b, from *trace.Batch) {
	b.Syscalls = append(b.Syscalls, from.Syscalls...)
	b.AsyncOps = append(b.AsyncOps, from.AsyncOps...)
	b.Faults = append(b.Faults, from.Faults...)
	b.Waits = append(b.Waits, from.Waits...)
	b.Processes = append(b.Processes, from.Processes...)
	b.Files = append(b.Files, from.Files...)
	b.Lost = append(b.Lost, from.Lost...)
	b.RPCs = append(b.RPCs, from.RPCs...)
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
func gather(events []any) *trace.Batch {
	b := new(trace.Batch)
	for _, e := range events {
		switch e := e.(type) {
		case *trace.Syscall:
			b.Syscalls = append(b.Syscalls, *e)
		case *trace.AsyncOp:
			b.AsyncOps = append(b.AsyncOps, *e)
		case *trace.Fault:
			b.Faults = append(b.Faults, *e)
		case *trace.Request:
			b.Requests = append(b.Requests, *e)
		case *trace.Wait:
			b.Waits = append(b.Waits, *e)
		case *trace.Process:
			b.Processes = append(b.Processes, *e)
		case *trace.File:
			b.Files = append(b.Files, *e)
		case *trace.Device:
			b.Devices = append(b.Devices, *e)
		case *trace.RPC:
			b.RPCs = append(b.RPCs, *e)
		case *trace.Lost:
			b.Lost = append(b.Lost, *e)
		}
	}
	return b
}

// readAll is what Next returns up to the end, batch by batch.
func readAll(t rapid.TB, r interface{ Next(*trace.Batch) error }) []*trace.Batch {
	t.Helper()
	var all []*trace.Batch
	var b trace.Batch
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
		all = append(all, new(trace.Batch))
		add(all[len(all)-1], &b)
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
	r.totals = nil
	return r
}

// join is all batches in one.
func join(batches []*trace.Batch) *trace.Batch {
	all := new(trace.Batch)
	for _, b := range batches {
		add(all, b)
	}
	return all
}

// diff is the difference between two batches, "" if there is none.
func diff(want, got *trace.Batch) string {
	return cmp.Diff(want, got, cmpopts.IgnoreUnexported(trace.Batch{}), cmpopts.EquateEmpty())
}

// create starts a trace.
func create(t rapid.TB, out io.Writer, h trace.Header) *Writer {
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
	w := create(t, out, trace.Header{Tool: "iotrace test"})
	for _, e := range events {
		if err := write(w, e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
}

// binaryChecksum is the checksum of b as it is stored.
func binaryChecksum(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(nil, checksum(b))
}

// writeBatch writes all events of a batch, kind by kind.
func writeBatch(t rapid.TB, w *Writer, b *trace.Batch) {
	t.Helper()
	var err error
	each(b.Devices, func(e *trace.Device) { err = errors.Join(err, w.Device(e)) })
	each(b.Files, func(e *trace.File) { err = errors.Join(err, w.File(e)) })
	each(b.Processes, func(e *trace.Process) { err = errors.Join(err, w.Process(e)) })
	each(b.Lost, func(e *trace.Lost) { err = errors.Join(err, w.Lost(e)) })
	each(b.Requests, func(e *trace.Request) { err = errors.Join(err, w.Request(e)) })
	each(b.RPCs, func(e *trace.RPC) { err = errors.Join(err, w.RPC(e)) })
	each(b.Faults, func(e *trace.Fault) { err = errors.Join(err, w.Fault(e)) })
	each(b.Waits, func(e *trace.Wait) { err = errors.Join(err, w.Wait(e)) })
	each(b.AsyncOps, func(e *trace.AsyncOp) { err = errors.Join(err, w.AsyncOp(e)) })
	each(b.Syscalls, func(e *trace.Syscall) { err = errors.Join(err, w.Syscall(e)) })
	if err != nil {
		t.Fatal(err)
	}
}

func each[T any](s []T, do func(*T)) {
	for i := range s {
		do(&s[i])
	}
}
