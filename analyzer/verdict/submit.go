package verdict

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// givenInTurn says of writes that wait until they are durable that a ring was given several of them at a time, if the
// drive got one after the other.
func givenInTurn(a *account, r *profile.Reason) {
	ring := wording.InTurn(a.p)
	if ring == nil {
		return
	}
	r.Code, r.Name = cause.BlockingSubmit, "writes of a ring, one after the other"
	r.Text = fmt.Sprintf("%s: %s writes asked at once, %s in flight at %s; %s", a.p.Calls[ring.Call].Name,
		unit.Significant(ring.Given, 2), unit.Significant(ring.Got, 2), ring.Disk.Name, r.Text)
	if f, _ := mostWritten(a.p); f == nil || !f.Synchronous { // else they need not wait
		r.Remedy = "O_DIRECT, where the file has its blocks already, or several files: those of one file through the page " +
			"cache are done one after the other"
	}
	r.Evidence = append(r.Evidence, at("/layers/0/write/depth/mean_busy", ring.Given),
		at(ring.Disk.Pointer+"/depth/mean_busy", ring.Got))
}

// submitted reports whether most of the time that went to a device was spent in io_submit, which is to begin operations
// and not to wait for them; and says so.
func submitted(a *account, d *wording.Disk, r *profile.Reason) bool {
	uses := []use{onReads}
	if d.Verb == "wrote" {
		uses = []use{onWrites, onFlush}
	}
	var within int64
	for _, u := range uses {
		within += a.within(func(o trace.Op) bool { return o == trace.OpAIOSubmit }, u)
	}
	call, index := longest(a, func(c *profile.Call) bool { return c.Op == trace.OpAIOSubmit })
	if call == nil || 2*within <= r.TimeNS {
		return false
	}
	depth := &a.p.Pattern.CallDepth
	r.Code, r.Name = cause.BlockingSubmit, "io_submit that waits"
	r.Text = fmt.Sprintf("io_submit waited for %s: %s asked at once, %s in flight there; %s of %s", d.Name,
		unit.Significant(max(depth.MeanBusy, 1), 2), unit.Significant(max(d.Flow.Depth.MeanBusy, 1), 2),
		unit.Things(d.Flow.Count, "request"), unit.Nanoseconds(d.Flow.Latency.P50))
	switch wording.WhySubmit(a.p, d) {
	case wording.ThroughCache:
		r.Remedy = "O_DIRECT, or io_uring: libaio on files opened without O_DIRECT is synchronous"
	case wording.IntoHoles:
		r.Text += "; it writes within the call where a file has no blocks yet"
		r.Remedy = "write where the file has its length and its blocks already, or io_uring"
	case wording.DirtyInCache:
		r.Text += "; before a direct read it writes what is dirty of the file in memory"
		r.Remedy = "sync what is dirty in memory before the direct reads, or write past the page cache as well"
	case wording.FullQueue:
		r.Text += fmt.Sprintf("; its queue holds %d", d.QueueDepth)
		r.Remedy = fmt.Sprintf("as many at once as the queue holds (%d), or a longer one "+
			"(/sys/block/%s/queue/nr_requests)", d.QueueDepth, d.Name)
		r.Evidence = append(r.Evidence, at(path.Dir(d.Pointer)+"/queue_depth", float64(d.QueueDepth)))
	case wording.WithinDirect:
		r.Remedy = "io_uring, which has a worker do what would wait"
	}
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/time_ns", index), float64(call.TimeNS)),
		at("/pattern/call_depth/mean_busy", depth.MeanBusy))
	return true
}
