package tracefile

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// fullDisk takes some bytes and then no more.
type fullDisk struct {
	bytes.Buffer
	room int
}

var errNoSpace = errors.New("no space left on device")

func (d *fullDisk) Write(b []byte) (int, error) {
	n, err := len(b), error(nil)
	if n > d.room {
		n, err = d.room, errNoSpace
	}
	d.room -= n
	d.Buffer.Write(b[:n])
	return n, err
}

// After an error nothing blocks, every method returns it, and what was written
// before can be read.
func TestWriteErrorStays(t *testing.T) {
	disk := &fullDisk{room: 100 << 10}
	w := create(t, disk, trace.Header{})
	load := workloads()[0]
	events := generate(load)
	written := 0
	var err error
	for err == nil && written < len(events) {
		err = w.Syscall(&events[written])
		written++
	}
	for _, call := range []func() error{
		func() error { return err },
		func() error { return w.Syscall(&events[0]) },
		func() error { return w.AsyncOp(new(trace.AsyncOp)) },
		func() error { return w.Fault(new(trace.Fault)) },
		func() error { return w.Request(new(trace.Request)) },
		func() error { return w.Wait(new(trace.Wait)) },
		func() error { return w.Process(new(trace.Process)) },
		func() error { return w.File(new(trace.File)) },
		func() error { return w.Device(new(trace.Device)) },
		func() error { return w.Lost(new(trace.Lost)) },
		func() error { return w.RPC(new(trace.RPC)) },
		w.Flush,
		func() error {
			for i := range events {
				if err := w.Syscall(&events[i]); !errors.Is(err, errNoSpace) {
					return err
				}
			}
			return errNoSpace
		},
		func() error { return w.Close(trace.End{}) },
		w.Flush,
	} {
		if err := call(); !errors.Is(err, errNoSpace) {
			t.Fatalf("the error is %v", err)
		}
	}

	r := open(t, disk.Bytes())
	got := join(readAll(t, r)).Syscalls
	if len(got) == 0 || len(got) > written {
		t.Fatalf("%d of %d events were kept", len(got), written)
	}
	for i, s := range got {
		if s != events[i] {
			t.Fatalf("event %d is %v", i, s)
		}
	}
	if _, complete := r.End(); complete {
		t.Error("the trace looks complete")
	}
}

func TestNewWriterReportsErrors(t *testing.T) {
	if _, err := NewWriter(&fullDisk{}, trace.Header{}); !errors.Is(err, errNoSpace) {
		t.Error(err)
	}
}

func TestClosedWriter(t *testing.T) {
	w := create(t, io.Discard, trace.Header{})
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{w.Syscall(new(trace.Syscall)), w.Flush(), w.Close(trace.End{})} {
		if !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}
}

// Flush leaves nothing behind, whatever is still on its way to the file.
func TestFlush(t *testing.T) {
	var file bytes.Buffer
	w := create(t, &file, trace.Header{})
	events := generate(workloads()[0])[:2*batchEvents+100]
	for n := range events {
		if err := w.Syscall(&events[n]); err != nil {
			t.Fatal(err)
		}
		if n%20000 != 0 {
			continue
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if got := join(readAll(t, open(t, file.Bytes()))); got.Len() != n+1 {
			t.Fatalf("%d events in the file, %d were written", got.Len(), n+1)
		}
	}
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
}

// A warning too many does not cost the end of the trace.
func TestHugeEnd(t *testing.T) {
	var file bytes.Buffer
	w := create(t, &file, trace.Header{})
	warnings := make([]string, 1<<20)
	if err := w.Close(trace.End{ExitCode: 5, Warnings: warnings}); err != nil {
		t.Fatal(err)
	}
	r := open(t, file.Bytes())
	readAll(t, r)
	if end, ok := r.End(); !ok || end.ExitCode != 5 || len(end.Warnings) != 1 {
		t.Error(ok, end.ExitCode, len(end.Warnings))
	}
}
