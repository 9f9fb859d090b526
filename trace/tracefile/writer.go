package tracefile

import (
	"errors"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/trace"
)

// ErrClosed is returned by methods of a Writer that was closed.
var ErrClosed = errors.New("trace writer is closed")

// batches is how many there are: one is filled, one compressed, one waits.
const batches = 3

// Writer writes a trace. Its methods are for one goroutine; compression and
// output run in two others, which Close ends. While the output stalls, up to
// 32 MiB of compressed events wait for it before a method does. Once writing has
// failed, every method returns that error.
type Writer struct {
	filling
	jobs   chan job
	free   chan *trace.Batch
	closed bool
	framer *framer // of the framing goroutine until that has ended
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
	t := &Writer{jobs: make(chan job, batches), free: make(chan *trace.Batch, batches)}
	t.batch, t.full = new(trace.Batch), t.Submit
	t.framer, f.header, f.whole = f, f.offset, f.offset
	for range batches - 1 {
		t.free <- new(trace.Batch)
	}
	go t.frame(f, newBacklog(w, maxBacklog, t.failed))
	return t, nil
}

// send adds the current batch to a job and hands it to the framing goroutine.
// It waits while that one is busy with the batches before.
func (w *Writer) send(j job) error {
	if err := w.err(); err != nil && j.end == nil {
		w.empty()
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
