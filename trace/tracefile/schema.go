package tracefile

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/internal/column"
)

// The tables of the format come from the tags of the events (trace/schema). Here is what is stored otherwise than a
// field by itself. docs/trace-format.md describes them all.

var (
	syscallTable = column.Of[trace.Syscall](nil)
	requestTable = column.Of(map[int]column.Column[trace.Request]{
		5: column.Derived(notQueued, func(r *trace.Request, not int64) { r.Queued = -not }),
		6: column.Derived(queueTime, func(r *trace.Request, ns int64) {
			if r.Queued == 0 {
				r.Queued = r.Issued - ns
			}
		}),
		19: column.List[trace.Request, trace.Extent]{
			At:    func(r *trace.Request) *[]trace.Extent { return &r.More },
			Items: func(b *trace.Batch) *[]trace.Extent { return &b.Extents },
			Table: column.Of[trace.Extent](nil),
		},
	})
	waitTable = column.Of(map[int]column.Column[trace.Wait]{
		9: column.Derived(sinceCompleted, func(w *trace.Wait, ns int64) {
			if w.Completed = ns; w.By == trace.WokenByRequest {
				w.Completed = w.Woken() - ns
			}
		}),
	})
	deviceTable = column.Of(map[int]column.Column[trace.Device]{
		13: column.List[trace.Device, trace.DeviceID]{
			At:    func(d *trace.Device) *[]trace.DeviceID { return &d.Parents },
			Items: func(b *trace.Batch) *[]trace.DeviceID { return &b.Parents },
			Table: column.One[trace.DeviceID](),
		},
	})
)

// notQueued is 1 if it is not known when the request was queued.
func notQueued(r *trace.Request) int64 {
	if r.Queued == -1 {
		return 1
	}
	return 0
}

// queueTime is the time between queueing and issue in ns, 0 if not known.
func queueTime(r *trace.Request) int64 {
	if r.Queued == -1 {
		return 0
	}
	return r.Issued - r.Queued
}

// sinceCompleted is how long before the thread was woken the request was completed that woke it; if none did, there is
// no such time, and Completed is kept as it is.
func sinceCompleted(w *trace.Wait) int64 {
	if w.By != trace.WokenByRequest {
		return w.Completed
	}
	return w.Woken() - w.Completed
}
