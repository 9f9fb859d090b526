package tracefile

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/internal/column"
)

// ErrClosed is returned by methods of a Writer that was closed.
var ErrClosed = errors.New("trace writer is closed")

// When a batch is closed, at the latest. A recorder that is killed loses the
// batch that is being filled and those on their way to the file.
const (
	batchEvents = column.MaxRows
	batchTime   = 1e9     // ns between the ends of its events
	batchText   = 1 << 20 // bytes of strings
	batches     = 3       // one is filled, one compressed, one waits
)

// Writer writes a trace. Its methods are for one goroutine; compression and
// output run in two others, which Close ends. While the output stalls, up to
// 32 MiB of compressed events wait for it before a method does. Once writing has
// failed, every method returns that error.
type Writer struct {
	batch  *trace.Batch
	events int   // in batch
	text   int   // bytes of strings in batch
	start  int64 // when the event of batch that was added first ended
	from   int64 // when the first one of batch ended
	to     int64 // when the last one did

	jobs    chan job
	free    chan *trace.Batch
	failure atomic.Pointer[error]
	closed  bool
	framer  *framer // of the framing goroutine until that has ended
}

// job is what the framing goroutine does next: compress a batch, complete the
// trace, and tell when all that is written, each if present.
type job struct {
	batch    *trace.Batch
	from, to int64
	end      *trace.End
	done     chan struct{}
}

// NewWriter starts a trace: it writes the header to w. Header.Version is
// filled in. Close must be called in the end, also after an error.
func NewWriter(w io.Writer, h trace.Header) (*Writer, error) {
	f, err := newFramer()
	if err != nil {
		return nil, err
	}
	h.Version = FormatVersion
	if err := f.start(h); err != nil {
		return nil, err
	}
	if err := f.flush(w); err != nil {
		return nil, fmt.Errorf("writing trace header: %w", err)
	}
	t := &Writer{batch: new(trace.Batch), jobs: make(chan job, batches), free: make(chan *trace.Batch, batches)}
	t.framer, f.header, f.whole = f, f.offset, f.offset
	for range batches - 1 {
		t.free <- new(trace.Batch)
	}
	go t.frame(f, newBacklog(w, maxBacklog, t.failed))
	return t, nil
}

// Syscall adds a system call.
func (w *Writer) Syscall(e *trace.Syscall) error {
	w.batch.Syscalls = append(w.batch.Syscalls, *e)
	w.batch.Syscalls[len(w.batch.Syscalls)-1].Tame()
	return w.added(e.End())
}

// AsyncOp adds an asynchronous operation.
func (w *Writer) AsyncOp(e *trace.AsyncOp) error {
	w.batch.AsyncOps = append(w.batch.AsyncOps, *e)
	w.batch.AsyncOps[len(w.batch.AsyncOps)-1].Tame()
	return w.added(e.Complete)
}

// Fault adds a page fault.
func (w *Writer) Fault(e *trace.Fault) error {
	w.batch.Faults = append(w.batch.Faults, *e)
	return w.added(e.Start + e.Duration)
}

// Request adds a block request. Of More it keeps the first MaxItems.
func (w *Writer) Request(e *trace.Request) error {
	if err := w.reserve(len(w.batch.Extents), len(e.More)); err != nil {
		return err
	}
	b := w.batch
	b.Requests = append(b.Requests, *e)
	b.Requests[len(b.Requests)-1].More = keep(&b.Extents, e.More)
	return w.added(e.Completed)
}

// Wait adds a wait.
func (w *Writer) Wait(e *trace.Wait) error {
	w.batch.Waits = append(w.batch.Waits, *e)
	return w.added(e.Start + e.Duration)
}

// Process adds a process event. Strings are cut after MaxText bytes.
func (w *Writer) Process(e *trace.Process) error {
	w.batch.Processes = append(w.batch.Processes, *e)
	p := &w.batch.Processes[len(w.batch.Processes)-1]
	w.cut(&p.Command, &p.Args, &p.Exe)
	return w.added(e.Time)
}

// File adds the identity of a file. Of a path longer than MaxText the
// beginning is cut, and FileTruncated set; other strings lose their end.
func (w *Writer) File(e *trace.File) error {
	w.batch.Files = append(w.batch.Files, *e)
	f := &w.batch.Files[len(w.batch.Files)-1]
	if len(f.Path) > column.MaxText {
		f.Path = f.Path[len(f.Path)-column.MaxText:]
		f.Flags |= trace.FileTruncated
	}
	w.cut(&f.Path, &f.FSType, &f.Mount)
	return w.added(e.Time)
}

// Device adds the identity of a device. Strings are cut after MaxText bytes,
// Parents after MaxItems.
func (w *Writer) Device(e *trace.Device) error {
	if err := w.reserve(len(w.batch.Parents), len(e.Parents)); err != nil {
		return err
	}
	b := w.batch
	b.Devices = append(b.Devices, *e)
	d := &b.Devices[len(b.Devices)-1]
	d.Parents = keep(&b.Parents, e.Parents)
	w.cut(&d.Name, &d.Model, &d.Scheduler, &d.Backing, &d.WriteCache, &d.Firmware)
	return w.added(e.Time)
}

// Lost adds a loss.
func (w *Writer) Lost(e *trace.Lost) error {
	w.batch.Lost = append(w.batch.Lost, *e)
	return w.added(e.To)
}

// reserve closes the batch if it has too many list items for n more.
func (w *Writer) reserve(have, n int) error {
	if have > 0 && have+n > column.MaxItems {
		return w.send(job{})
	}
	return nil
}

// keep copies items to the end of all and returns the copy.
func keep[T any](all *[]T, items []T) []T {
	if len(items) == 0 {
		return nil
	}
	start := len(*all)
	*all = append(*all, items[:min(len(items), column.MaxItems)]...)
	return (*all)[start:len(*all):len(*all)]
}

// cut shortens strings to what the format can hold and counts their length.
func (w *Writer) cut(texts ...*string) {
	for _, s := range texts {
		*s = (*s)[:min(len(*s), column.MaxText)]
		w.text += len(*s)
	}
}

// added closes the batch if the event that was added, and that ended at the
// given time, fills it.
func (w *Writer) added(ended int64) error {
	if w.events++; w.events == 1 {
		w.start, w.from, w.to = ended, ended, ended
	}
	w.from, w.to = min(w.from, ended), max(w.to, ended)
	if w.events >= batchEvents || ended-w.start >= batchTime || w.text >= batchText {
		return w.send(job{})
	}
	return w.err()
}

func (w *Writer) err() error {
	if err := w.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// send adds the current batch to a job and hands it to the framing goroutine.
// It waits while that one is busy with the batches before.
func (w *Writer) send(j job) error {
	if err := w.err(); err != nil && j.end == nil {
		w.batch.Reset()
		w.events, w.text = 0, 0
		if j.done != nil {
			close(j.done)
		}
		return err
	}
	if w.events > 0 {
		j.batch, j.from, j.to = w.batch, w.from, w.to
	}
	w.jobs <- j
	if w.events > 0 {
		w.batch = <-w.free
		w.events, w.text = 0, 0
	}
	return w.err()
}

// Submit closes the batch, so that it is written as soon as the output takes it,
// and does not wait for that. A recorder calls it several times a second, because
// a batch is closed by time only when the next event comes.
func (w *Writer) Submit() error {
	if w.events == 0 {
		return w.err()
	}
	return w.send(job{})
}

// Written closes the batch like Submit. What it returns is closed when the output
// has taken everything that was added so far, or has failed.
func (w *Writer) Written() <-chan struct{} {
	j := job{done: make(chan struct{})}
	_ = w.send(j) // an error shows in the next call
	return j.done
}

// Flush writes what was added so far, in whole frames, and waits until the
// output has taken it.
func (w *Writer) Flush() error {
	<-w.Written()
	return w.err()
}

// Close writes what is left and completes the trace. It fills in End.Counts
// and End.Lost. It does not close the underlying writer.
func (w *Writer) Close(e trace.End) error { return w.close(job{end: &e, done: make(chan struct{})}) }

// Abandon writes what is left and leaves the trace without an end, as a recorder
// does that is killed: for a copy of such a trace. It takes the place of Close.
func (w *Writer) Abandon() error { return w.close(job{done: make(chan struct{})}) }

func (w *Writer) close(j job) error {
	if w.closed {
		return ErrClosed
	}
	w.closed = true
	_ = w.send(j)
	<-j.done
	err := w.err()
	close(w.jobs)
	w.fail(ErrClosed)
	return err
}

// failed notes the error of the output.
func (w *Writer) failed(err error) { w.fail(fmt.Errorf("writing trace: %w", err)) }

func (w *Writer) fail(err error) { w.failure.CompareAndSwap(nil, &err) }

// frame is the framing goroutine. After an error it goes on to take jobs, so
// that nobody waits for it in vain, and drops them.
func (w *Writer) frame(f *framer, out *backlog) {
	for j := range w.jobs {
		if j.batch != nil {
			if w.err() == nil {
				f.add(j.batch, j.from, j.to)
				f.flush(out) // an error has come to failed
			}
			j.batch.Reset()
			w.free <- j.batch
		}
		if j.end != nil && w.err() == nil {
			if err := f.finish(*j.end); err != nil {
				w.fail(err)
			}
			f.flush(out)
		}
		if j.done != nil {
			out.whenWritten(j.done)
		}
	}
	out.close()
	f.zstd.Close()
}
