package trace

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
)

// Writer writes a trace. It is for one goroutine. Once writing has failed,
// every method returns that error.
type Writer struct {
	enc    *gob.Encoder
	batch  Batch
	counts map[string]uint64
	lost   map[string]uint64
	err    error
}

type message struct {
	Batch *Batch
	End   *End
}

// ErrClosed is returned by methods of a Writer that was closed.
var ErrClosed = errors.New("trace writer is closed")

// NewWriter starts a trace: it writes the header to w. Header.Version is
// filled in.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	h.Version = 1
	enc := gob.NewEncoder(w)
	if err := enc.Encode(&h); err != nil {
		return nil, fmt.Errorf("writing trace header: %w", err)
	}
	return &Writer{enc: enc, counts: map[string]uint64{}, lost: map[string]uint64{}}, nil
}

// Syscall adds a system call.
func (w *Writer) Syscall(e *Syscall) error {
	w.batch.Syscalls = append(w.batch.Syscalls, *e)
	return w.added(KindSyscall)
}

// AsyncOp adds an asynchronous operation.
func (w *Writer) AsyncOp(e *AsyncOp) error {
	w.batch.AsyncOps = append(w.batch.AsyncOps, *e)
	return w.added(KindAsyncOp)
}

// Fault adds a page fault.
func (w *Writer) Fault(e *Fault) error {
	w.batch.Faults = append(w.batch.Faults, *e)
	return w.added(KindFault)
}

// Request adds a block request.
func (w *Writer) Request(e *Request) error {
	w.batch.Requests = append(w.batch.Requests, *e)
	return w.added(KindRequest)
}

// Wait adds a wait.
func (w *Writer) Wait(e *Wait) error {
	w.batch.Waits = append(w.batch.Waits, *e)
	return w.added(KindWait)
}

// Process adds a process event.
func (w *Writer) Process(e *Process) error {
	w.batch.Processes = append(w.batch.Processes, *e)
	return w.added(KindProcess)
}

// File adds the identity of a file.
func (w *Writer) File(e *File) error {
	w.batch.Files = append(w.batch.Files, *e)
	return w.added(KindFile)
}

// Device adds the identity of a device.
func (w *Writer) Device(e *Device) error {
	w.batch.Devices = append(w.batch.Devices, *e)
	return w.added(KindDevice)
}

// Lost adds a loss.
func (w *Writer) Lost(e *Lost) error {
	w.batch.Lost = append(w.batch.Lost, *e)
	w.lost[e.Kind.String()] += e.Count
	return w.added(KindLost)
}

func (w *Writer) added(k Kind) error {
	w.counts[k.String()]++
	if w.batch.Len() >= 4096 {
		return w.Flush()
	}
	return w.err
}

// Flush writes what was added so far.
func (w *Writer) Flush() error {
	if w.err == nil && w.batch.Len() > 0 {
		w.err = w.enc.Encode(message{Batch: &w.batch})
		w.batch.reset()
	}
	return w.err
}

// Close writes what is left and completes the trace. The writer fills
// End.Counts and End.Lost. It does not close the underlying writer.
func (w *Writer) Close(e End) error {
	if err := w.Flush(); err != nil {
		return err
	}
	e.Counts, e.Lost = w.counts, w.lost
	if w.err = w.enc.Encode(message{End: &e}); w.err != nil {
		return w.err
	}
	w.err = ErrClosed
	return nil
}
