package tracefile

import (
	"sync/atomic"

	"github.com/iotrace/iotrace/trace"
)

// When a batch is closed, at the latest. A recorder that is killed loses the
// batch that is being filled and those on their way to the file.
const (
	batchEvents = MaxRows
	batchTime   = 1e9     // ns between the ends of its events
	batchText   = 1 << 20 // bytes of strings
)

// filling is the batch that events are added to, as the format can hold them.
type filling struct {
	batch  *trace.Batch
	events int   // in batch
	text   int   // bytes of strings in batch
	start  int64 // when the event of batch that was added first ended
	from   int64 // when the first one of batch ended
	to     int64 // when the last one did

	full    func() error // closes the batch
	failure atomic.Pointer[error]
}

// Syscall adds a system call.
func (w *filling) Syscall(e *trace.Syscall) error {
	w.batch.Syscalls = append(w.batch.Syscalls, *e)
	w.batch.Syscalls[len(w.batch.Syscalls)-1].Tame()
	return w.added(e.End())
}

// AsyncOp adds an asynchronous operation.
func (w *filling) AsyncOp(e *trace.AsyncOp) error {
	w.batch.AsyncOps = append(w.batch.AsyncOps, *e)
	w.batch.AsyncOps[len(w.batch.AsyncOps)-1].Tame()
	return w.added(e.Complete)
}

// Fault adds a page fault.
func (w *filling) Fault(e *trace.Fault) error {
	w.batch.Faults = append(w.batch.Faults, *e)
	return w.added(e.Start + e.Duration)
}

// Request adds a block request. Of More it keeps the first MaxItems.
func (w *filling) Request(e *trace.Request) error {
	if err := w.reserve(len(w.batch.Extents), len(e.More)); err != nil {
		return err
	}
	b := w.batch
	b.Requests = append(b.Requests, *e)
	b.Requests[len(b.Requests)-1].More = keep(&b.Extents, e.More)
	return w.added(e.Completed)
}

// Wait adds a wait.
func (w *filling) Wait(e *trace.Wait) error {
	w.batch.Waits = append(w.batch.Waits, *e)
	return w.added(e.Start + e.Duration)
}

// Process adds a process event. Strings are cut after MaxText bytes.
func (w *filling) Process(e *trace.Process) error {
	w.batch.Processes = append(w.batch.Processes, *e)
	p := &w.batch.Processes[len(w.batch.Processes)-1]
	w.cut(&p.Command, &p.Args, &p.Exe, &p.Cgroup)
	return w.added(e.Time)
}

// File adds the identity of a file. Of a path longer than MaxText the
// beginning is cut, and FileTruncated set; other strings lose their end.
func (w *filling) File(e *trace.File) error {
	w.batch.Files = append(w.batch.Files, *e)
	f := &w.batch.Files[len(w.batch.Files)-1]
	if len(f.Path) > MaxText {
		f.Path = f.Path[len(f.Path)-MaxText:]
		f.Flags |= trace.FileTruncated
	}
	w.cut(&f.Path, &f.FSType, &f.Mount, &f.Host)
	return w.added(e.Time)
}

// Device adds the identity of a device. Strings are cut after MaxText bytes,
// Parents after MaxItems.
func (w *filling) Device(e *trace.Device) error {
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
func (w *filling) Lost(e *trace.Lost) error {
	w.batch.Lost = append(w.batch.Lost, *e)
	return w.added(e.To)
}

// RPC adds a remote procedure call. Strings are cut after MaxText bytes.
func (w *filling) RPC(e *trace.RPC) error {
	w.batch.RPCs = append(w.batch.RPCs, *e)
	r := &w.batch.RPCs[len(w.batch.RPCs)-1]
	w.cut(&r.Procedure, &r.Server)
	return w.added(e.End())
}

// reserve closes the batch if it has too many list items for n more.
func (w *filling) reserve(have, n int) error {
	if have > 0 && have+n > MaxItems {
		return w.full()
	}
	return nil
}

// keep copies items to the end of all and returns the copy.
func keep[T any](all *[]T, items []T) []T {
	if len(items) == 0 {
		return nil
	}
	start := len(*all)
	*all = append(*all, items[:min(len(items), MaxItems)]...)
	return (*all)[start:len(*all):len(*all)]
}

// cut shortens strings to what the format can hold and counts their length.
func (w *filling) cut(texts ...*string) {
	for _, s := range texts {
		*s = (*s)[:min(len(*s), MaxText)]
		w.text += len(*s)
	}
}

// added closes the batch if the event that was added, and that ended at the
// given time, fills it.
func (w *filling) added(ended int64) error {
	if w.events++; w.events == 1 {
		w.start, w.from, w.to = ended, ended, ended
	}
	w.from, w.to = min(w.from, ended), max(w.to, ended)
	if w.events >= batchEvents || ended-w.start >= batchTime || w.text >= batchText {
		return w.full()
	}
	return w.err()
}

func (w *filling) err() error {
	if err := w.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// fail notes the first error.
func (w *filling) fail(err error) { w.failure.CompareAndSwap(nil, &err) }

// empty drops what is in the batch.
func (w *filling) empty() {
	w.batch.Reset()
	w.events, w.text = 0, 0
}
