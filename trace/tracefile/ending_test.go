package tracefile

import (
	"bytes"
	"errors"
	"io"
	"syscall"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// small is a disk with little room.
type small struct {
	bytes.Buffer
	room int
}

func (s *small) Write(p []byte) (int, error) {
	n := min(len(p), s.room-s.Len())
	s.Buffer.Write(p[:n])
	if n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

// Wherever the output fails, a trace with the ending says why, and has the whole batches before.
func TestEndingOfAFullDisk(t *testing.T) {
	const batches = 6
	for room := 400; ; room += 37 {
		out := &small{room: room}
		w, err := NewWriter(out, trace.Header{OS: "linux"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range int64(batches) {
			_ = w.Syscall(&trace.Syscall{Start: i, PID: 1, Op: trace.OpRead, Offset: i * 7919, Result: i})
			_ = w.Flush()
		}
		end := trace.End{Reason: "error", Error: "the disk is full"}
		if err := w.Close(end); err == nil {
			return // there was room for all
		}
		frame, at, err := w.Ending(end, int64(out.Len()))
		if err != nil || at > int64(out.Len()) {
			t.Fatal(at, err)
		}
		r, err := NewReader(bytes.NewReader(append(out.Bytes()[:at:at], frame...)))
		if err != nil {
			t.Fatalf("room of %d: %v", room, err)
		}
		var b trace.Batch
		events := 0
		for err = r.Next(&b); err == nil; err = r.Next(&b) {
			events += b.Len()
		}
		got, complete := r.End()
		if !errors.Is(err, io.EOF) || !complete || got.Error != end.Error || events < batches && len(r.Damage()) == 0 {
			t.Errorf("room of %d: %d events, %+v, %v, damage %v", room, events, got, err, r.Damage())
		}
	}
}
