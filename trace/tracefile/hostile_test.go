package tracefile

import (
	"bytes"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/klauspost/compress/zstd"

	"github.com/iotrace/iotrace/trace"
)

// more is the place of the list among the columns of a request.
const more = 18

// forgery builds traces that no Writer writes.
type forgery struct {
	*framer
	t testing.TB
}

func forge(t testing.TB) forgery {
	t.Helper()
	f, err := newFramer()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.start(trace.Header{Tool: "forgery"}); err != nil {
		t.Fatal(err)
	}
	return forgery{f, t}
}

// packed appends an event frame of batch 1 with any compressed payload.
func (f forgery) packed(k trace.Kind, count int, raw []byte) {
	f.frame(frame{kind: k, codec: codecZstd, batch: 1, count: uint32(count), raw: uint32(len(raw))},
		f.zstd.EncodeAll(raw, nil))
}

// syscalls is the payload of n system calls.
func (f forgery) syscalls(n int) []byte {
	f.encoder.Raw = f.encoder.Raw[:0]
	events[trace.Syscall]{table: syscallTable, rows: func(b *trace.Batch) *[]trace.Syscall { return &b.Syscalls }}.append(
		&f.encoder, &trace.Batch{Syscalls: make([]trace.Syscall, n)})
	return bytes.Clone(f.encoder.Raw)
}

// zeros is the payload of n events of zeros.
func (f forgery) zeros(k trace.Kind, n int) []byte {
	f.encoder.Raw = f.encoder.Raw[:0]
	layouts[k].append(&f.encoder, gather(slices.Repeat([]any{newEvent(k)}, n)))
	return bytes.Clone(f.encoder.Raw)
}

// sections joins payload sections.
func (f forgery) sections(bodies ...string) []byte {
	f.encoder.Raw = f.encoder.Raw[:0]
	for _, b := range bodies {
		f.encoder.Section(func() { f.encoder.Raw = append(f.encoder.Raw, b...) })
	}
	return bytes.Clone(f.encoder.Raw)
}

// Kinds of events, kinds of frames, columns and fields that come with later
// versions do no harm to this one.
func TestLaterAdditionsAreSkipped(t *testing.T) {
	f := forge(t)
	const laterKind, laterFrame = 40, 200
	f.packed(laterKind, 5, []byte("a later kind of event"))
	f.frame(frame{kind: laterKind, codec: 9, batch: 1, count: 1 << 30, raw: 1000}, []byte("in a later way"))
	payload := append(f.syscalls(3), f.sections("a later column", "")...)
	f.packed(trace.KindSyscall, 3, payload)
	f.packed(laterFrame, 1, []byte("a later kind of frame"))
	f.store(frameBatchEnd, 1, 3, append(f.sections(), f.sections("\x00\x00\x00")...))
	f.store(frameEnd, 2, 1, []byte(`{"exit_code":4,"later":{"x":[]}}`))

	r := open(t, f.out)
	got := join(readAll(t, r))
	if len(got.Syscalls) != 3 || got.Len() != 3 {
		t.Errorf("%d events, %d system calls", got.Len(), len(got.Syscalls))
	}
	if end, ok := r.End(); !ok || end.ExitCode != 4 {
		t.Error(ok, end)
	}
	if d := r.Damage(); len(d) > 0 {
		t.Error(d)
	}
}

// Columns that every version has are not left out; later ones may be.
func TestMissingColumns(t *testing.T) {
	f := forge(t)
	var e columnEncoder
	rows := []trace.Syscall{{TID: 1, Op: trace.OpRead}, {TID: 2, Op: trace.OpWrite}}
	e.Begin(2)
	const first = 16 // columns
	appendRows(&e, syscallTable[:first-1], rows)
	f.packed(trace.KindSyscall, 2, e.Raw)
	r := open(t, f.out)
	if got := join(readAll(t, r)); got.Len() > 0 || len(r.Damage()) != 1 {
		t.Error(got, r.Damage())
	}
}

// A frame whose checksums are right but whose content is not is damage too, and
// no part of it is returned.
func TestMalformedFrames(t *testing.T) {
	valid := func(f forgery) []byte { return f.syscalls(2) }
	for _, c := range []struct {
		name  string
		kind  trace.Kind
		count int
		raw   func(f forgery) []byte
	}{
		{"no sections", trace.KindSyscall, 2, func(forgery) []byte { return []byte("abc") }},
		{"section beyond the end", trace.KindSyscall, 2, func(forgery) []byte { return []byte("\xff\xff\xff\xff") }},
		{"more rows than values", trace.KindSyscall, 3, func(f forgery) []byte { return f.sections("\x01\x00\x00ab") }},
		{"too many rows", trace.KindSyscall, MaxRows + 1, valid},
		{"huge number of rows", trace.KindSyscall, 1<<32 - 1, valid},
		{"value out of range", trace.KindSyscall, 2, func(f forgery) []byte {
			return f.sections("\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
		}},
		{"boolean out of range", trace.KindDevice, 1, func(f forgery) []byte {
			empty := "\x01\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x10\x00\x00"
			return f.sections("\x00\x00\x00", "\x00\x00\x00", empty, empty, empty, "\x00\x00\x04")
		}},
		{"text without dictionary", trace.KindProcess, 1, func(f forgery) []byte {
			n := "\x00\x00\x00"
			return f.sections(n, n, n, n, n, n, n, "\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x10\x00\x00")
		}},
		{"dictionary too large", trace.KindProcess, 1, func(f forgery) []byte {
			n := "\x00\x00\x00"
			return f.sections(n, n, n, n, n, n, n, "\xff\xff\xff\xff")
		}},
		{"list too long", trace.KindRequest, 2, func(f forgery) []byte {
			bodies := make([]string, len(requestTable))
			for i := range bodies {
				bodies[i] = "\x00\x00\x00"
			}
			bodies[more] = "\x05\x00\x00\x00\x00\x00\x80\x80\x08" // 65536 items in each of two rows
			return f.sections(bodies...)
		}},
		{"negative list", trace.KindRequest, 1, func(f forgery) []byte {
			bodies := make([]string, len(requestTable))
			for i := range bodies {
				bodies[i] = "\x00\x00\x00"
			}
			bodies[more] = "\x03\x00\x00\x00\x00\x00\x01"
			return f.sections(bodies...)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := forge(t)
			f.packed(trace.KindWait, 0, nil)
			f.packed(c.kind, c.count, c.raw(f))
			f.packed(trace.KindSyscall, 2, valid(f))
			f.store(frameBatchEnd, 1, 3, nil)
			r := open(t, f.out)
			got := join(readAll(t, r))
			if len(got.Syscalls) != 2 || got.Len() != 2 {
				t.Errorf("%d events, %d system calls", got.Len(), len(got.Syscalls))
			}
			if d := r.Damage(); len(d) != 1 || !strings.Contains(d[0].Reason, c.kind.String()+" frame") {
				t.Error(d)
			}
		})
	}
}

// bomb is a zstd frame of n zeros. It may say nothing about its size.
func bomb(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b, zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<20)
	for ; n > 0; n -= len(zeros) {
		z.Write(zeros)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// maxMemory is what the documentation of Reader promises.
const maxMemory = 128 << 20

// hostileTraces ask for as much memory as they can.
func hostileTraces(t testing.TB) map[string][]byte {
	all := map[string][]byte{}

	f := forge(t)
	for _, size := range []int{MaxFrame, 1 << 30} {
		b := bomb(t, size)
		for _, claim := range []uint32{0, 1, MaxFrame} {
			f.frame(frame{kind: trace.KindSyscall, codec: codecZstd, batch: 1, count: MaxRows, raw: claim}, b)
		}
	}
	all["zip bombs"] = f.out

	f = forge(t)
	rows := f.syscalls(MaxRows)
	for range 100 {
		f.packed(trace.KindSyscall, MaxRows, rows)
		for _, k := range trace.KindOrder {
			f.packed(k, MaxRows, f.zeros(k, MaxRows))
			f.batch++
		}
	}
	all["endless batch"] = f.out

	f = forge(t)
	n := "\x00\x00\x00"
	none := "\x01\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x10\x00\x00"
	entries := (MaxFrame - 1000) / MaxText
	text := string([]byte{byte(entries), 0, 0, 0}) + "\x05\x00\x00\x00\x00\x00\x80\x80\x08" +
		"\x03\x00\x00\x00\x10\x00\x00" + strings.Repeat("x", entries*MaxText)
	for range 100 {
		f.packed(trace.KindProcess, 1, f.sections(n, n, n, n, n, n, n, text, none, none, n))
	}
	all["endless text"] = f.out

	f = forge(t)
	bodies := make([]string, len(requestTable))
	for i := range bodies {
		bodies[i] = n
	}
	bodies[more] = "\x05\x00\x00\x00\x00\x00\x80\x80\x08" + strings.Repeat("\x03\x00\x00\x00"+n, 3)
	for range 200 {
		f.packed(trace.KindRequest, 1, f.sections(bodies...))
	}
	all["endless lists"] = f.out

	f = forge(t)
	for range 10000 {
		f.out = append(f.out, "garbage"...)
		f.packed(trace.KindWait, 1, []byte("?"))
	}
	all["endless damage"] = f.out

	f = forge(t)
	f.store(frameEnd, 1, 1, []byte(`{"warnings":[`+strings.Repeat(`"",`, MaxFrame/3-10)+`""]}`))
	all["endless JSON"] = f.out
	return all
}

func TestHostileTracesTakeBoundedMemory(t *testing.T) {
	for name, file := range hostileTraces(t) {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			r := unchecked(open(t, file))
			var b trace.Batch
			n := 0
			for r.Next(&b) == nil {
				n++
				if n%16 == 1 {
					runtime.GC()
					runtime.ReadMemStats(&after)
					if got := int64(after.HeapAlloc) - int64(before.HeapAlloc); got > maxMemory {
						t.Fatalf("batch %d: %d MiB are in use", n, got>>20)
					}
				}
				if got := footprint(r, &b); got > maxMemory {
					t.Fatalf("batch %d: buffers of %d MiB", n, got>>20)
				}
			}
			switch name {
			case "zip bombs", "endless damage", "endless JSON":
				if len(r.Damage()) == 0 {
					t.Error("no damage was reported")
				}
			default: // valid, but too much to be kept in one batch
				if n < 50 {
					t.Errorf("%d batches", n)
				}
			}
			if d := r.Damage(); len(d) > maxDamage {
				t.Errorf("%d damaged places", len(d))
			}
			runtime.KeepAlive(file)
		})
	}
}

// footprint is the memory that a reader and its batch hold on to, without
// strings.
func footprint(r *Reader, b *trace.Batch) int {
	return cap(r.buf) + cap(r.raw) + held(reflect.ValueOf(&r.decoder).Elem()) + cap(r.rejects.rejected)*8 +
		size(b.Syscalls) + size(b.AsyncOps) + size(b.Faults) + size(b.Requests) + size(b.Waits) + size(b.Processes) +
		size(b.Files) + size(b.Devices) + size(b.Lost) + size(b.Extents) + size(b.Parents)
}

// held is the memory of the slices of a struct, and of those in them.
func held(v reflect.Value) int {
	n := 0
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			n += held(v.Field(i))
		}
	case reflect.Slice:
		n = v.Cap() * int(v.Type().Elem().Size())
		for i := range v.Len() {
			n += held(v.Index(i))
		}
	}
	return n
}

func size[T any](s []T) int { return cap(s) * int(unsafe.Sizeof(*new(T))) }
