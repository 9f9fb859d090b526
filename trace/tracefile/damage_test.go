package tracefile

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

// sample is a small trace with several batches.
type sample struct {
	file   []byte
	events *trace.Batch
	ends   []int          // length of the file after each batch
	upTo   []*trace.Batch // what was written until then
	end    int            // where the end frame ends
}

// sampleEvents are events of every kind with different values.
func sampleEvents(batch int) []any {
	b := int64(batch)
	at := b * 1000
	return []any{
		&trace.Device{Time: at, ID: trace.MakeDeviceID(8, uint32(b)), Name: "sda", Parents: []trace.DeviceID{1, 2},
			Rotational: b%2 == 0, Size: 1 << 40},
		&trace.File{Time: at + 1, ID: trace.FileID(b), Path: fmt.Sprintf("/data/\n%d \xff</script>", b), FSType: "ext4",
			Mount: "/data", Type: trace.FileRegular},
		&trace.Process{Time: at + 2, Action: trace.ProcessExec, PID: 10, TID: 10, Command: "cp", Args: "cp\x00a\x00b",
			Exe: "/bin/cp"},
		&trace.Syscall{Start: at + 3, Duration: 10 + b, PID: 10, TID: 11, Op: trace.OpRead, FD: 3, FD2: -1,
			File: trace.FileID(b), Offset: b << 12, Offset2: trace.NoOffset, Requested: 4096, Result: 4096},
		&trace.Syscall{Start: at + 20, Duration: 10, PID: 10, TID: 11, Op: trace.OpWrite, FD: 4, FD2: -1,
			File: trace.FileID(b), Offset: trace.NoOffset, Offset2: trace.NoOffset, Requested: 4096, Result: -28},
		&trace.AsyncOp{Submit: at + 4, Complete: at + 40, TID: 12, API: trace.APIUring, Op: trace.OpRead, Offset: 512 * b,
			Requested: 512, Result: 512},
		&trace.Fault{Start: at + 5, Duration: 7, TID: 12, File: trace.FileID(b), Offset: 8192},
		&trace.Request{Queued: at + 6, Issued: at + 8, Completed: at + 60, Device: 1, Sector: uint64(b) * 8, Bytes: 8192,
			Op: trace.ReqWrite, File: 1, Evidence: trace.EvidenceShared, Bios: 2,
			More: []trace.Extent{{File: trace.FileID(b), Offset: 4096, Bytes: 4096}}},
		&trace.Request{Queued: -1, Issued: at + 9, Completed: at + 70, Device: 1, Op: trace.ReqFlush,
			Offset: trace.NoOffset, Error: 5},
		&trace.Wait{Start: at + 10, Duration: 80, TID: 11, Cause: trace.WaitIO},
		&trace.Lost{From: at, To: at + 100, Count: uint64(b) + 1, Kind: trace.KindRequest, CPU: 1},
	}
}

func newSample(t rapid.TB) *sample {
	t.Helper()
	var file bytes.Buffer
	w := create(t, &file, trace.Header{Tool: "iotrace test", Command: []string{"cp", "a", "b"}})
	s := &sample{events: new(trace.Batch)}
	for batch := range 4 {
		events := sampleEvents(batch)
		if batch == 0 { // what others refer to
			events = append([]any{&trace.Device{ID: 1}, &trace.File{ID: 1, Path: "/data/1"}}, events...)
		}
		for _, e := range events {
			if err := write(w, e); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		add(s.events, gather(events))
		s.ends = append(s.ends, file.Len())
		s.upTo = append(s.upTo, new(trace.Batch))
		add(s.upTo[batch], s.events)
	}
	if err := w.Close(trace.End{ExitCode: 7}); err != nil {
		t.Fatal(err)
	}
	s.file = file.Bytes()
	s.end = len(s.file) - frameHeaderSize - 16
	return s
}

// subset checks that got holds events of want only, in their order. It is true
// if it holds them all.
func subset(t rapid.TB, want, got *trace.Batch) (whole bool) {
	t.Helper()
	whole = true
	check := func(name string, want, got int, equal func(i, j int) bool) {
		whole = whole && want == got
		i := 0
		for j := range got {
			for i < want && !equal(i, j) {
				i++
			}
			if i == want {
				t.Fatalf("%s %d was never written", name, j)
			}
			i++
		}
	}
	check("syscall", len(want.Syscalls), len(got.Syscalls),
		func(i, j int) bool { return want.Syscalls[i] == got.Syscalls[j] })
	check("asyncop", len(want.AsyncOps), len(got.AsyncOps),
		func(i, j int) bool { return want.AsyncOps[i] == got.AsyncOps[j] })
	check("fault", len(want.Faults), len(got.Faults), func(i, j int) bool { return want.Faults[i] == got.Faults[j] })
	check("request", len(want.Requests), len(got.Requests),
		func(i, j int) bool { return cmp.Equal(want.Requests[i], got.Requests[j]) })
	check("wait", len(want.Waits), len(got.Waits), func(i, j int) bool { return want.Waits[i] == got.Waits[j] })
	check("process", len(want.Processes), len(got.Processes),
		func(i, j int) bool { return want.Processes[i] == got.Processes[j] })
	check("file", len(want.Files), len(got.Files), func(i, j int) bool { return want.Files[i] == got.Files[j] })
	check("device", len(want.Devices), len(got.Devices), func(i, j int) bool {
		return cmp.Equal(want.Devices[i], got.Devices[j])
	})
	check("lost", len(want.Lost), len(got.Lost), func(i, j int) bool { return want.Lost[i] == got.Lost[j] })
	return whole
}

func TestTruncated(t *testing.T) {
	t.Parallel()
	s := newSample(t)
	for n := range s.file {
		r, err := NewReader(bytes.NewReader(s.file[:n]))
		if err != nil {
			if !errors.Is(err, ErrTruncated) || n > s.ends[0] {
				t.Fatalf("cut at %d: %v", n, err)
			}
			continue
		}
		got := join(readAll(t, r))
		subset(t, s.events, got)
		for i, end := range s.ends {
			if n >= end && got.Len() < s.upTo[i].Len() {
				t.Fatalf("cut at %d: %d events, but %d were complete", n, got.Len(), s.upTo[i].Len())
			}
		}
		if _, complete := r.End(); complete != (n >= s.end) {
			t.Fatalf("cut at %d: complete is %v", n, complete)
		}
		if d := r.Damage(); len(d) > 0 {
			t.Fatalf("cut at %d: %v", n, d)
		}
	}
}

// Every damaged byte is noticed, and costs no more than the frame it is in.
func TestFlippedBytes(t *testing.T) {
	t.Parallel()
	s := newSample(t)
	for i := range 2 * len(s.file) {
		file := bytes.Clone(s.file)
		file[i/2] ^= [...]byte{0xff, 1 << (i / 2 % 8)}[i%2]
		r, err := NewReader(bytes.NewReader(file))
		if err != nil {
			if i >= 2*len(Signature) {
				t.Fatalf("byte %d: %v", i/2, err)
			}
			continue
		}
		got := join(readAll(t, r))
		subset(t, s.events, got)
		if missing := s.events.Len() - got.Len(); missing > 8 {
			t.Fatalf("byte %d: %d events are missing", i/2, missing)
		}
		if len(r.Damage()) == 0 {
			t.Fatalf("byte %d: not noticed", i/2)
		}
		if end, ok := r.End(); ok && end.ExitCode != 7 {
			t.Fatalf("byte %d: %v", i/2, end)
		}
	}
}

// Missing and overwritten stretches are noticed, and no event is invented.
func TestDamagedStretches(t *testing.T) {
	s := newSample(t)
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(prefixSize, len(s.file)).Draw(t, "from")
		to := rapid.IntRange(from, len(s.file)).Draw(t, "to")
		put := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "put")
		file := bytes.Join([][]byte{s.file[:from], put, s.file[to:]}, nil)
		r, err := NewReader(bytes.NewReader(file))
		if errors.Is(err, ErrTruncated) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		whole := subset(t, s.events, join(readAll(t, r)))
		if _, complete := r.End(); complete && !whole && len(r.Damage()) == 0 {
			t.Fatal("events are missing in silence")
		}
	})
}

// Even a stretch that ends where frames end is noticed.
func TestMissingFrames(t *testing.T) {
	t.Parallel()
	s := newSample(t)
	var starts []int
	for i := prefixSize; i < len(s.file); {
		starts = append(starts, i)
		f, ok := parseFrame(s.file[i:])
		if !ok {
			t.Fatal("no frame at", i)
		}
		i += frameHeaderSize + int(f.stored)
	}
	for i, from := range starts[1:] {
		for _, to := range starts[1+i+1:] {
			r := open(t, append(bytes.Clone(s.file[:from]), s.file[to:]...))
			whole := subset(t, s.events, join(readAll(t, r)))
			if _, complete := r.End(); complete && !whole && len(r.Damage()) == 0 {
				t.Fatalf("%d to %d: events are missing in silence", from, to)
			}
		}
	}
}

func TestNotATrace(t *testing.T) {
	s := newSample(t)
	newer := bytes.Clone(s.file)
	newer[8]++
	copy(newer[12:], binaryChecksum(newer[:12]))
	for _, c := range []struct {
		name string
		file []byte
		want error
	}{
		{"empty", nil, ErrTruncated},
		{"text", []byte("12:00:00 openat(AT_FDCWD, \"x\") = 3\n"), ErrFormat},
		{"short text", []byte("a"), ErrFormat},
		{"newer version", newer, ErrVersion},
	} {
		if _, err := NewReader(bytes.NewReader(c.file)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestDataAfterTheEnd(t *testing.T) {
	s := newSample(t)
	r := open(t, append(bytes.Clone(s.file), s.file...))
	if d := diff(s.events, join(readAll(t, r))); d != "" {
		t.Error(d)
	}
	if d := r.Damage(); len(d) != 1 || d[0].Offset != int64(len(s.file)) {
		t.Error(d)
	}
}

// brokenReader fails after some bytes.
type brokenReader struct {
	rest []byte
	err  error
}

func (b *brokenReader) Read(p []byte) (int, error) {
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	if n == 0 {
		return 0, b.err
	}
	return n, nil
}

// An error of the input is no end of the trace.
func TestInputErrors(t *testing.T) {
	t.Parallel()
	s := newSample(t)
	broken := errors.New("broken")
	for n := range s.end {
		r, err := NewReader(&brokenReader{s.file[:n], broken})
		for err == nil {
			err = r.Next(new(trace.Batch))
		}
		if !errors.Is(err, broken) {
			t.Fatalf("after %d bytes: %v", n, err)
		}
	}
}
