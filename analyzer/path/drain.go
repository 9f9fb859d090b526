package path

import "github.com/iotrace/iotrace/trace"

// drain tells the time after the command: what was at a device, the last request that was completed first. It takes
// requests from the last to the first, by their ends.
type drain struct {
	take  func(*Segment)
	start int64
	now   int64 // all later instants are told
}

// request takes a block request of the workload.
func (d *drain) request(e *trace.Request) {
	if e.Flags&trace.ReqForeign != 0 && e.Flags&trace.ReqRecorder == 0 || e.Issued >= d.now {
		return
	}
	d.until(min(d.now, e.Completed), Request{})
	d.until(e.Issued, requestOf(e))
}

// under reports whether the time after the command is still to be told.
func (d *drain) under() bool { return d.now > d.start }

// until tells the time since an instant.
func (d *drain) until(since int64, r Request) {
	if since = max(since, d.start); since < d.now {
		s := &Segment{From: since, To: d.now, What: Drains, Request: r}
		d.now = since
		d.take(s)
	}
}
