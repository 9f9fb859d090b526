package generator

import (
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/uring"
)

// ringAvailable reports why io_uring cannot be used, or nil.
func ringAvailable() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r, err := uring.New(1)
	if err != nil {
		return err
	}
	return r.Close()
}

// ringWorker is a worker with a ring of its own.
type ringWorker struct {
	*worker
	ring *uring.Ring
}

// ringLoop keeps the worker's depth outstanding on an io_uring of its own. The
// ring is made before the clock starts; start is closed when it does.
//
// Each operation is submitted by a call of its own, as fio, diskspd and whoever
// uses libaio one request at a time do. Submitting all that have completed at
// once costs less CPU, but the block layer merges neighbours that come in one
// call: a sequential 4 KiB test at depth 32 then reaches the device in larger
// requests, and is twice as fast as the tool it is named after.
func ringLoop(w *worker, p *phase, ready func(), start <-chan struct{}) (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ring, err := uring.New(w.depth)
	ready()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ring.Close()) }()
	<-start
	return ringWorker{w, ring}.loop(p)
}

func (w ringWorker) loop(p *phase) error {
	outstanding := 0
	t := host.Now()
	submit := func(wait int) (err error) {
		if err = w.ring.Submit(wait); err != nil {
			w.lost = true
		}
		return err
	}
	for slot := 0; slot < w.depth && !p.over(t, slot) && w.issue(slot, t); slot++ {
		outstanding++
		if err := submit(0); err != nil {
			return err
		}
		t = host.Now()
	}
	var failed error
	for outstanding > 0 {
		c, ok := w.ring.Take()
		if !ok {
			if err := submit(1); err != nil {
				return err
			}
			continue
		}
		t = host.Now()
		outstanding--
		slot, res := int(c.UserData), int(c.Res)
		if c.Undone() {
			w.undone++
			res = 0
		}
		if err := w.finish(p, slot, res, t); err != nil {
			failed = errors.Join(failed, err)
		}
		if failed == nil && !p.over(t, 1) && w.issue(slot, t) {
			outstanding++
			if err := submit(0); err != nil {
				return err
			}
		}
	}
	return failed
}

// issue prepares the next operation in a slot; false means there is none.
func (w ringWorker) issue(slot int, t int64) bool {
	o, ok := w.sched.take()
	if !ok {
		return false
	}
	w.pending[slot], w.started[slot] = o, t
	buf := w.buffer(slot, o)
	e := w.ring.Next() // cannot be nil: no more than depth are outstanding
	if o.read {
		e.Read(w.file.FD, buf, o.offset, w.file.Flags, uint64(slot))
	} else {
		e.Write(w.file.FD, buf, o.offset, w.file.Flags, uint64(slot))
	}
	return true
}

// finish books the completed operation of a slot.
func (w ringWorker) finish(p *phase, slot, res int, t int64) error {
	o := w.pending[slot]
	switch {
	case res < 0:
		return w.failed(o, 0, unix.Errno(-res))
	case int64(res) < o.size:
		// The rest tells why: no space left, the end of the file, or no thread.
		rest := o
		rest.offset += int64(res)
		rest.size -= int64(res)
		if err := w.move(rest, w.bufs.At(w.first + slot)[res:o.size]); err != nil {
			return fmt.Errorf("after %d bytes: %w", res, err)
		}
	}
	w.count(p, o, w.started[slot], t)
	return w.syncIfDue(o)
}
