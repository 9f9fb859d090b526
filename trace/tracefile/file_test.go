package tracefile

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// writeFile writes a trace with one batch per 100 events and returns its path
// and the events.
func writeFile(t *testing.T, batches int, complete bool) (string, []trace.Syscall) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.iotrace")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := create(t, file, trace.Header{Tool: "iotrace test"})
	rng := rand.New(rand.NewPCG(1, 2))
	load := workloads()[0]
	events := make([]trace.Syscall, 100*batches)
	for i := range events {
		load.next(rng, i, &events[i])
		if err := w.Syscall(&events[i]); err != nil {
			t.Fatal(err)
		}
		if i%100 == 99 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if complete {
		if err := w.Close(trace.End{ExitCode: 9}); err != nil {
			t.Fatal(err)
		}
	}
	return path, events
}

func TestOpenFile(t *testing.T) {
	for _, complete := range []bool{true, false} {
		path, events := writeFile(t, 50, complete)
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if end, ok := f.End(); ok != complete || complete && end.ExitCode != 9 {
			t.Errorf("end is %v, %v before reading", end.ExitCode, ok)
		}
		spans := f.Spans()
		if len(spans) != 50 {
			t.Fatalf("%d spans", len(spans))
		}
		for i, s := range spans {
			batch := events[100*i : 100*i+100]
			if s.Batch != uint32(i+1) || s.From != batch[0].End() || s.To != batch[99].End() ||
				s.Counts[trace.KindSyscall] != 100 {
				t.Fatalf("span %d is %v", i, s)
			}
		}

		for _, at := range []int64{events[2345].End(), 0, events[2345].End() + 1, 1 << 62, events[99].End()} {
			if err := f.SeekTime(at); err != nil {
				t.Fatal(err)
			}
			got := join(readAll(t, f)).Syscalls
			rest := slices.IndexFunc(events, func(s trace.Syscall) bool { return s.End() >= at })
			if rest < 0 {
				rest = len(events) - 1
			}
			if want := events[rest/100*100:]; !slices.Equal(got, want) {
				t.Errorf("from %d ns: %d events, want %d", at, len(got), len(want))
			}
			if d := f.Damage(); len(d) > 0 {
				t.Error(d)
			}
			if _, ok := f.Reader.End(); ok != complete {
				t.Error("the end was not read")
			}
		}
	}
}

// Index and trailer are a convenience: without them, or with false ones, a file
// reads the same.
func TestOpenFileWithDamagedIndex(t *testing.T) {
	t.Parallel()
	path, events := writeFile(t, 5, true)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	spans := f.Spans()
	for i := int(spans[4].Offset); i < len(whole); i++ {
		damaged := slices.Clone(whole)
		damaged[i] ^= 0xff
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Spans(); !slices.Equal(got, spans) && !slices.Equal(got, spans[:4]) {
			t.Fatalf("byte %d: spans are %v", i, got)
		}
		if err := f.SeekTime(events[200].End()); err != nil {
			t.Fatal(err)
		}
		got := join(readAll(t, f)).Syscalls
		if !slices.Equal(got, events[200:]) && !slices.Equal(got, events[200:400]) {
			t.Fatalf("byte %d: %d events", i, len(got))
		}
		f.Close()
	}
}

func TestOpenFileErrors(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no trace"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(text); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

// However long a trace is, its index stays small and covers all of it.
func TestIndexIsBounded(t *testing.T) {
	for _, n := range []int{0, 1, maxSpans, maxSpans + 1, 2*maxSpans + 1, 5*maxSpans + 3, 40 * maxSpans} {
		var x index
		for i := range n {
			s := Span{Offset: int64(100 + i), Batch: uint32(i + 1), From: int64(10 * i), To: int64(10*i + 12)}
			s.Counts[trace.KindWait] = 3
			x.add(s)
		}
		if len(x.spans) > maxSpans || n > maxSpans && len(x.spans) < maxSpans/2 {
			t.Errorf("%d batches: %d spans", n, len(x.spans))
		}
		var events uint64
		for i, s := range x.spans {
			first := i * x.per
			last := min(first+x.per, n) - 1
			if s.Offset != int64(100+first) || s.Batch != uint32(first+1) || s.From != int64(10*first) ||
				s.To != int64(10*last+12) {
				t.Fatalf("%d batches, %d per span: span %d is %v", n, x.per, i, s)
			}
			events += s.Counts[trace.KindWait]
		}
		if events != uint64(3*n) {
			t.Errorf("%d batches: %d events", n, events)
		}
	}
}

// Of a pipe and of a file the same is read, also where a file allows to skip.
func TestSkippingInFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.iotrace")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := create(t, file, trace.Header{})
	rng := rand.New(rand.NewPCG(1, 2))
	waits := 0
	for i := range 3 * batchEvents {
		if i%1000 == 0 {
			waits++
			err = w.Wait(&trace.Wait{Start: int64(i)})
		} else { // nothing to compress
			err = w.Syscall(&trace.Syscall{Start: rng.Int64N(1 << 20), Offset: rng.Int64(), Requested: rng.Int64()})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	f.Only(trace.KindWait)
	if got := join(readAll(t, f)); len(got.Waits) != waits || got.Len() != waits {
		t.Errorf("%d waits of %d", len(got.Waits), waits)
	}
	if f.Offset() != f.Size() || len(f.Damage()) > 0 {
		t.Errorf("read %d bytes of %d: %v", f.Offset(), f.Size(), f.Damage())
	}
	if _, ok := f.Reader.End(); !ok {
		t.Error("the end was not read")
	}
}

// A span is read without what follows it, the last one with it.
func TestSpan(t *testing.T) {
	empty := func() *trace.Batch { return new(trace.Batch) }
	for _, complete := range []bool{true, false} {
		path, events := writeFile(t, 20, complete)
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		spans := f.Spans()
		for i := len(spans) - 1; i >= 0; i-- {
			var got []trace.Syscall
			if err := f.Span(i, empty, func(b *trace.Batch) { got = append(got, b.Syscalls...) }); err != nil {
				t.Fatal(err)
			}
			if want := events[100*i : 100*i+100]; !slices.Equal(got, want) {
				t.Errorf("span %d has %d events, want %d", i, len(got), len(want))
			}
			if i+1 < len(spans) && f.Offset() > spans[i+1].Offset {
				t.Errorf("span %d was read to byte %d, and ends at %d", i, f.Offset(), spans[i+1].Offset)
			}
		}
	}
}
