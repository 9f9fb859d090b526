package generator

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/stats"
)

// worker is one thread of the generator. It draws operations from a schedule,
// keeps depth of them outstanding and counts them. Nothing in it allocates
// once it runs.
type worker struct {
	file  *storage.File
	sched *schedule
	bufs  *storage.Buffers
	first int // its first buffer
	depth int
	stamp bool // data is random: make each block different
	seed  uint64
	every int64 // writes between two fdatasync calls, 0 for none
	plain bool  // plain read and write at the file position

	tally
	started []int64     // per slot: when its operation was submitted
	pending []operation // per slot
	lost    bool        // the kernel may still use its buffers: never to be unmapped
	_       [64]byte
	moved   atomic.Int64 // bytes, for the progress line
	_       [64]byte
}

// tally is what a worker counts.
type tally struct {
	ops, bytes [2]int64 // writes, reads
	latency    [2]stats.Histogram
	course     series
	writes     int64 // since the last fdatasync
	syncs      int64
	syncNS     int64
	undone     int64 // operations that io_uring gave back undone, and calls did
}

func (t *tally) merge(o *tally) {
	for i := range t.ops {
		t.ops[i] += o.ops[i]
		t.bytes[i] += o.bytes[i]
		t.latency[i].Merge(&o.latency[i])
	}
	t.course.merge(&o.course)
	t.syncs += o.syncs
	t.syncNS += o.syncNS
	t.undone += o.undone
}

// newWorker is a worker with depth buffers from first on.
func newWorker(f *storage.File, sched *schedule, bufs *storage.Buffers, first int, s baseline.Step,
	seed uint64) *worker {
	w := &worker{file: f, sched: sched, bufs: bufs, first: first, depth: s.Depth, seed: seed, plain: s.Blocking}
	w.stamp = s.Data == baseline.RandomData && s.Writes()
	if s.Sync == baseline.SyncEvery {
		w.every = int64(s.Every)
	}
	w.started = make([]int64, s.Depth)
	w.pending = make([]operation, s.Depth)
	return w
}

// phase is a stretch of uninterrupted work: a whole step, or one burst of it.
type phase struct {
	begun    int64 // ns
	offset   int64 // active time before this phase
	deadline int64
	stop     *atomic.Bool
}

// noDeadline is later than any run lasts.
const noDeadline = math.MaxInt64

// over reports whether no further operation may start after done ones. The first may at any time: otherwise a worker
// that got no processor before the deadline would give the drive a rate of zero.
func (p *phase) over(t int64, done int) bool { return done > 0 && t >= p.deadline || p.stop.Load() }

// buffer prepares the data of an operation in the buffer of a slot.
func (w *worker) buffer(slot int, o operation) []byte {
	buf := w.bufs.At(w.first + slot)[:o.size]
	if w.stamp && !o.read {
		storage.Stamp(buf, w.seed, o.number)
	}
	return buf
}

// count books an operation that was completed at t.
func (w *worker) count(p *phase, o operation, started, t int64) {
	i := 0
	if o.read {
		i = 1
	}
	w.ops[i]++
	w.bytes[i] += o.size
	w.latency[i].Add(t - started)
	w.course.add(p.offset+t-p.begun, o.size)
	w.moved.Store(w.bytes[0] + w.bytes[1])
}

// syncIfDue does the fdatasync of a SyncEvery step.
func (w *worker) syncIfDue(o operation) error {
	if w.every == 0 || o.read {
		return nil
	}
	if w.writes++; w.writes < w.every {
		return nil
	}
	w.writes = 0
	t := host.Now()
	err := w.file.Datasync()
	w.syncs++
	w.syncNS += host.Now() - t
	return err
}

// failed is the error of an operation: n is what the call returned.
func (w *worker) failed(o operation, n int, err error) error {
	verb := "writing"
	if o.read {
		verb = "reading"
	}
	if err == nil {
		err = fmt.Errorf("only %d bytes were moved", n)
	}
	return fmt.Errorf("%s %d bytes at offset %d: %w", verb, o.size, o.offset,
		&os.PathError{Op: verb, Path: w.file.Path, Err: err})
}

// yieldEvery is how often a loop of blocking calls gives way to the scheduler.
// A goroutine that has run for 10 ms loses its processor in every call that
// takes longer than the scheduler's monitor sleeps.
const yieldEvery = 5e6 // ns

// callLoop does the operations one after the other with blocking calls.
func (w *worker) callLoop(p *phase) error {
	t := host.Now()
	yield := t + yieldEvery
	for done := 0; !p.over(t, done); done++ {
		if t > yield {
			runtime.Gosched()
			t = host.Now()
			yield = t + yieldEvery
		}
		o, ok := w.sched.take()
		if !ok {
			return nil
		}
		if err := w.move(o, w.buffer(0, o)); err != nil {
			return err
		}
		end := host.Now()
		w.count(p, o, t, end)
		if err := w.syncIfDue(o); err != nil {
			return err
		}
		t = end
		if w.every > 0 {
			t = host.Now()
		}
	}
	return nil
}

// move transfers one block. A call that moved less is continued, so that the
// reason comes to light.
func (w *worker) move(o operation, buf []byte) error {
	at := o.offset
	if w.plain {
		if at == 0 && o.number > 0 { // a further pass
			if _, err := unix.Seek(w.file.FD, 0, unix.SEEK_SET); err != nil {
				return w.failed(o, 0, err)
			}
		}
		at = -1
	}
	for moved := 0; moved < len(buf); {
		var n int
		var err error
		if o.read {
			n, err = storage.Pread(w.file.FD, buf[moved:], at, w.file.Flags)
		} else {
			n, err = storage.Pwrite(w.file.FD, buf[moved:], at, w.file.Flags)
		}
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil || n == 0:
			return w.failed(o, moved, err)
		}
		moved += n
		if at >= 0 {
			at += int64(n)
		}
	}
	return nil
}
