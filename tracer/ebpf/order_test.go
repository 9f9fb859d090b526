//go:build linux

package ebpf

import (
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// Calls come in two ways, those that name files in the ring buffer, those on descriptors in the buffers of the CPUs.
// What a thread did is in order nonetheless, and no call lacks the file that was announced just before it.
func TestThreadsInOrder(t *testing.T) {
	needBPF(t)
	const threads, files = 8, 2000
	dir := t.TempDir()
	rec := recordCommand(t, Options{}, nil, workload.Args("parallel", dir, "8", "2000")...)
	before := map[uint32]trace.Syscall{}
	done := map[string]int{}
	for _, s := range rec.Syscalls {
		if last, ok := before[s.TID]; ok && s.Start < last.End() {
			t.Fatalf("thread %d: %s began at %d, after it comes %s, which ended at %d", s.TID, rec.call(&s), s.Start,
				rec.call(&last), last.End())
		}
		before[s.TID] = s
		if filepath.Dir(rec.path(s.File)) == dir {
			done[rec.call(&s)]++
		}
	}
	for _, name := range []string{"openat", "pread64", "write", "close"} {
		if n := done[name]; n != threads*files {
			t.Errorf("%d calls of %s on the files, want %d", n, name, threads*files)
		}
	}
	if n := len(before); n < threads {
		t.Errorf("%d threads made calls, want at least %d", n, threads)
	}
}

// memory is a reader of buffers that a test fills: two CPUs, and a ring buffer.
type memory struct {
	*reader
	rec *recording
}

func newMemory(t *testing.T) *memory {
	t.Helper()
	rec := &recording{files: map[trace.FileID]*trace.File{}}
	d := newDecoder(newCallTable(), 0, nil, false)
	if err := d.begin(rec); err != nil {
		t.Fatal(err)
	}
	calls := &callBuffers{}
	for range 2 {
		calls.each = append(calls.each, callBuffer{cursor: &iotraceCallCursor{}, slots: make([]iotraceIo, 4)})
	}
	ring := &ring{consumer: make([]byte, 8), producer: make([]byte, 8), data: make([]byte, 4096), mask: 4095}
	return &memory{reader: &reader{decoder: d, ring: ring, calls: calls, sure: make([]uint64, 2), much: 1 << 20}, rec: rec}
}

// call puts one that ended at a time into the buffer of a CPU.
func (m *memory) call(cpu int, ended uint64, file uint32) {
	b := &m.calls.each[cpu]
	n := b.cursor.Written
	b.slots[n%4] = iotraceIo{Rec: uint8(iotraceRecordREC_IO), Start: ended - 1, Dur: 1, File: file}
	b.cursor.Written = n + 1
}

// put puts a record into the ring buffer.
func put[T any](m *memory, record T) {
	size := int(unsafe.Sizeof(record))
	at := m.ring.produced()
	*(*uint32)(unsafe.Pointer(&m.ring.data[at])) = uint32(size)
	*(*T)(unsafe.Pointer(&m.ring.data[at+ringHeader])) = record
	*(*uint64)(unsafe.Pointer(&m.ring.producer[0])) = at + ringHeader + uint64(size+7)&^7
}

func (m *memory) ends() (ends []int64) {
	for _, s := range m.rec.Syscalls {
		ends = append(ends, s.End())
	}
	return ends
}

// Calls of both CPUs and of the ring buffer come in the order in which they ended; places are given back, and used
// again.
func TestReaderMerges(t *testing.T) {
	m := newMemory(t)
	other := func(ended uint64) iotraceCall {
		return iotraceCall{Rec: uint8(iotraceRecordREC_CALL), Start: ended - 2, Dur: 2}
	}
	for round := range uint64(3) {
		at := 100 * round
		m.call(0, at+10, 0)
		m.call(0, at+40, 0)
		m.call(1, at+20, 0)
		m.call(1, at+60, 0)
		put(m, other(at+30))
		put(m, other(at+50))
		if n, err := m.drain(); n == 0 || err != nil {
			t.Fatalf("%d bytes, %v", n, err)
		}
		if n, err := m.drain(); n != 0 || err != nil {
			t.Fatalf("%d bytes again, %v", n, err)
		}
		if got := m.calls.each[0].cursor.Taken; got != 2*(round+1) {
			t.Fatalf("%d calls given back, want %d", got, 2*(round+1))
		}
	}
	want := []int64{10, 20, 30, 40, 50, 60, 110, 120, 130, 140, 150, 160, 210, 220, 230, 240, 250, 260}
	if got := m.ends(); !slices.Equal(got, want) {
		t.Errorf("calls ended at %v, want %v", got, want)
	}
}

// A call waits for the identity of its file, which lies behind a record that is still being written.
func TestReaderWaitsForIdentity(t *testing.T) {
	m := newMemory(t)
	m.call(0, 10, 7)
	m.call(1, 20, 0)
	put(m, iotraceCall{Rec: uint8(iotraceRecordREC_CALL), Start: 30, Dur: 1})
	unfinished := m.ring.produced()
	put(m, iotraceIdent{Rec: uint8(iotraceRecordREC_FILE), File: 7, Time: 5, Mode: 0o100644})
	length := (*uint32)(unsafe.Pointer(&m.ring.data[unfinished]))
	*length |= ringBusy
	if _, err := m.drain(); err != nil {
		t.Fatal(err)
	}
	if got := m.ends(); !slices.Equal(got, []int64{20, 31}) {
		t.Errorf("calls ended at %v, want those at 20 and 31", got)
	}
	*length &^= ringBusy
	if _, err := m.drain(); err != nil {
		t.Fatal(err)
	}
	if got := m.ends(); !slices.Equal(got, []int64{20, 31, 10}) {
		t.Errorf("calls ended at %v, want the one at 10 as well", got)
	}
	if last := m.rec.Syscalls[2]; last.File == 0 {
		t.Error("the call has no file")
	}
}

// A call that names a file for the first time ends before it announces it, and another CPU can come between the two.
// What waits behind the call on its CPU goes on with the identity, before what its threads did next.
func TestReaderResumesWithIdentity(t *testing.T) {
	m := newMemory(t)
	m.call(0, 10, 7)
	m.call(0, 30, 0)
	put(m, iotraceCall{Rec: uint8(iotraceRecordREC_CALL), Start: 14, Dur: 1}) // on the other CPU
	put(m, iotraceIdent{Rec: uint8(iotraceRecordREC_FILE), File: 7, Time: 20, Mode: 0o100644})
	put(m, iotraceCall{Rec: uint8(iotraceRecordREC_CALL), Start: 39, Dur: 1}) // of the thread of the call at 30
	if _, err := m.drain(); err != nil {
		t.Fatal(err)
	}
	if got := m.ends(); !slices.Equal(got, []int64{15, 10, 30, 40}) {
		t.Errorf("calls ended at %v, want 15, 10, 30 and 40", got)
	}
}
