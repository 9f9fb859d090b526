package tracefile

import "github.com/iotrace/iotrace/trace"

// The tables of the format come from the tags of the events (trace/schema). Here is what is stored otherwise than a
// field by itself. docs/trace-format.md describes them all.

var (
	syscallTable = columnsOf[trace.Syscall](nil)
	requestTable = columnsOf(map[int]column[trace.Request]{
		5: derived(notQueued, func(r *trace.Request, not int64) { r.Queued = -not }),
		6: derived(queueTime, func(r *trace.Request, ns int64) {
			if r.Queued == 0 {
				r.Queued = r.Issued - ns
			}
		}),
		19: list[trace.Request, trace.Extent]{
			At:    func(r *trace.Request) *[]trace.Extent { return &r.More },
			Items: func(b *trace.Batch) *[]trace.Extent { return &b.Extents },
			Table: columnsOf[trace.Extent](nil),
		},
	})
	waitTable = columnsOf(map[int]column[trace.Wait]{
		9: derived(sinceCompleted, func(w *trace.Wait, ns int64) {
			if w.Completed = ns; w.By == trace.WokenByRequest {
				w.Completed = w.Woken() - ns
			}
		}),
	})
	deviceTable = columnsOf(map[int]column[trace.Device]{
		13: list[trace.Device, trace.DeviceID]{
			At:    func(d *trace.Device) *[]trace.DeviceID { return &d.Parents },
			Items: func(b *trace.Batch) *[]trace.DeviceID { return &b.Parents },
			Table: oneNumber[trace.DeviceID](),
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
