package tracer

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// flushEvery bounds what a killed recorder loses, together with the time that
// events are in the kernel's buffer: its file holds all that was recorded up to
// this long before. More often would cost bytes: each batch has its own frames.
const flushEvery = 50 * time.Millisecond

// watch passes events on to the trace and follows the life of the processes
// among them: it knows which are still running, and when the reader has seen
// one exit. Events come while mu is held (guarded).
type watch struct {
	mu     sync.Mutex
	out    *tracefile.Writer
	to     trace.Sink               // the same, or what leaves out something on the way there
	meter  meter                    // of what was passed on
	some   chan struct{}            // closed when there are events
	live   map[uint32]bool          // recorded processes that have not exited
	gone   map[uint32]chan struct{} // closed when the exit was seen
	ours   map[uint32]time.Duration // CPU time of recorded processes that is not theirs
	want   map[string]bool          // names that no process has had yet
	anyone bool                     // a process was recorded
}

func newWatch(out *tracefile.Writer, pids []uint32) *watch {
	w := &watch{out: out, to: out, some: make(chan struct{}), live: map[uint32]bool{}, gone: map[uint32]chan struct{}{},
		ours: map[uint32]time.Duration{}}
	for _, pid := range pids {
		w.live[pid] = true
		w.gone[pid] = make(chan struct{})
	}
	return w
}

// expect takes note of the names by which processes are selected.
func (w *watch) expect(names []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.want = map[string]bool{}
	for _, name := range names {
		w.want[trace.Comm(name)] = true
	}
}

// absent lists the names that no process has had.
func (w *watch) absent() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(maps.Keys(w.want))
}

// anybody reports whether any process was recorded.
func (w *watch) anybody() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.anyone
}

// discount takes CPU time off what a process will have used in the end: a
// command's process was a held one before, and that was our work.
func (w *watch) discount(pid uint32, cpu time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ours[pid] = cpu
}

// corrected is an event without the CPU time that was not the process's own.
func (w *watch) corrected(e *trace.Process) *trace.Process {
	ours := w.ours[e.PID]
	if ours == 0 || e.Action != trace.ProcessExit && e.Action != trace.ProcessRunning {
		return e
	}
	c := *e
	c.CPU = max(c.CPU-int64(ours), 0)
	return &c
}

// exited is closed once the exit of a process the recording began with has been
// recorded, and with it everything the process did before.
func (w *watch) exited(pid uint32) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone[pid]
}

// flushUntil writes out what was added, once per flushEvery, until stop is
// closed. A failure shows in the next event or in flush.
func (w *watch) flushUntil(stop <-chan struct{}) {
	t := time.NewTicker(flushEvery)
	defer t.Stop()
	for {
		select {
		case <-stop:
			return
		case <-t.C:
			w.mu.Lock()
			_ = w.out.Submit() // events must not wait while the disk stalls
			w.mu.Unlock()
		}
	}
}

// firstWritten waits until the first events are in the file. It does not wait for
// them longer than flushEvery, nor when stop is closed.
func (w *watch) firstWritten(stop <-chan struct{}) {
	select {
	case <-w.some:
	case <-stop:
		return
	case <-time.After(flushEvery):
	}
	w.mu.Lock()
	written := w.out.Written()
	w.mu.Unlock()
	select {
	case <-written:
	case <-stop:
	}
}

// count notes that an event is passed on.
func (w *watch) count() {
	if w.meter.sum.Events++; w.meter.sum.Events == 1 {
		close(w.some)
	}
}

// progress is what was passed on so far.
func (w *watch) progress() Progress {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.meter.sum
}

// flush writes out what was added. It returns the writer's error, if it ever
// failed.
func (w *watch) flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Flush()
}

func (w *watch) Process(e *trace.Process) error {
	if len(w.want) > 0 && e.Action != trace.ProcessHelper {
		delete(w.want, trace.Comm(e.Command))
	}
	switch e.Action {
	case trace.ProcessFork, trace.ProcessPresent, trace.ProcessExec: // which one of a wanted name begins with
		w.anyone = true
		if e.TID == e.PID || e.TID == 0 { // otherwise a thread
			w.live[e.PID] = true
		}
	case trace.ProcessRunning: // goes on, but is not recorded any more
		delete(w.live, e.PID)
	case trace.ProcessExit:
		delete(w.live, e.PID)
		if c := w.gone[e.PID]; c != nil {
			select {
			case <-c: // a process ID that was used again
			default:
				close(c)
			}
		}
	}
	w.count()
	return w.to.Process(w.corrected(e))
}

func (w *watch) Syscall(e *trace.Syscall) error {
	w.count()
	w.meter.call(e)
	return w.to.Syscall(e)
}

func (w *watch) AsyncOp(e *trace.AsyncOp) error {
	w.count()
	return w.to.AsyncOp(e)
}

func (w *watch) Fault(e *trace.Fault) error {
	w.count()
	return w.to.Fault(e)
}

func (w *watch) Request(e *trace.Request) error {
	w.count()
	w.meter.request(e)
	return w.to.Request(e)
}

func (w *watch) Wait(e *trace.Wait) error {
	w.count()
	return w.to.Wait(e)
}

func (w *watch) RPC(e *trace.RPC) error {
	w.count()
	return w.to.RPC(e)
}

func (w *watch) File(e *trace.File) error {
	w.count()
	w.meter.file(e)
	return w.to.File(e)
}

func (w *watch) Device(e *trace.Device) error {
	w.count()
	return w.to.Device(e)
}

func (w *watch) Lost(e *trace.Lost) error {
	w.count()
	w.meter.sum.Lost += e.Count
	return w.to.Lost(e)
}
