package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// naming is for calls on names, attributes and allocation.
func naming(a *account) {
	most, index := longest(a, func(c *profile.Call) bool { return c.Op.Metadata() })
	r := profile.Reason{
		Code: cause.Names, Name: "names and attributes", TimeNS: a.take(inMeta), Certainty: cause.Measured,
		Text: "open, stat, readdir and their like", Evidence: []profile.Evidence{a.thread("metadata_calls")},
		Remedy: "fewer, larger files, or an archive of them",
	}
	if most != nil {
		r.Text = fmt.Sprintf("most of it in %s: %s, %s", most.Name,
			unit.Things(most.Count, "call"), unit.Nanoseconds(most.TimeNS))
		if most.Count > 1 {
			r.Text += " in all"
		}
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/time_ns", index), float64(most.TimeNS)))
	}
	vain := lookupsOf(a.p)
	switch { // what a program tried, and then did otherwise, is no failure
	case most == nil:
	case vain.most():
		r.Text, r.Remedy = vain.text(a), "ask once for what is not there, and remember that; fewer places to look in"
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/errno/%d", vain.index, trace.ErrNoEntry),
			float64(a.p.Calls[vain.index].Errno[trace.ErrNoEntry])))
	case most.Errors >= several && 2*most.Errors > most.Count:
		failing(most, index, &r)
	}
	if d := wording.Busiest(a.p, false); d != nil && 2*a.lookedUp > r.TimeNS {
		fromDevice(d, most, &r, !vain.most())
	}
	emptied(a, &r)
	a.because(r)
}

// fromDevice says that calls on names waited for a device, and what helps if the calls are needed.
// One call that takes long has nothing beside it to be made at the same time.
func fromDevice(d *wording.Disk, c *profile.Call, r *profile.Reason, needed bool) {
	r.Text += fmt.Sprintf("; they waited for %s to read what describes the files, %s", d.Name,
		wording.Each(&d.Flow.Latency))
	r.Evidence = append(r.Evidence, at(d.Pointer+"/latency_ns/p50", float64(d.Flow.Latency.P50)))
	switch few := d.Flow.Depth.MeanBusy < wording.Queued; {
	case !needed:
	case c != nil && c.Count < several:
		r.Remedy = "a drive of lower latency; soon after, it is in memory"
		if c.Op == trace.OpTruncate || c.Op == trace.OpUnlink {
			r.Remedy = "a drive of lower latency, or a file in fewer pieces"
		}
	case few:
		r.Remedy = "look up several at once (threads), or less (fewer files, and files in fewer pieces)"
		r.Evidence = append(r.Evidence, at(d.Pointer+"/depth/mean_busy", d.Flow.Depth.MeanBusy))
	default:
		r.Remedy = "less to look up (fewer files, and files in fewer pieces), or a drive of lower latency"
	}
}

// failing says that most calls of a name did nothing but fail.
func failing(c *profile.Call, index int, r *profile.Reason) {
	r.Text += fmt.Sprintf("; %s of them failed", unit.Number(float64(c.Errors)))
	r.Remedy = "leave out the calls that fail"
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/errors", index), float64(c.Errors)))
	if c.Op == trace.OpClose && 2*c.Errno[trace.ErrNotOpen] > c.Errors {
		r.Text += ", as nothing was open there"
		r.Remedy = "close what is open (close_range, /proc/self/fd), or a lower limit of descriptors (ulimit -n)"
	}
}

// lookingUp is for reads of a device that calls on names and attributes waited for, if they
// are most of them.
func lookingUp(a *account) {
	if a.along() != nil { // each read is known by the call that waited for it
		a.lookedUp = a.takeWithin(trace.Op.Metadata, onReads)
		a.spent[inMeta] += a.lookedUp
		return
	}
	if !a.serial {
		return
	}
	var within int64
	for i := range a.p.Calls {
		if c := &a.p.Calls[i]; c.Op.Metadata() {
			within += c.TimeNS
		}
	}
	waited := within - a.spent[inMeta]
	if waited*2 < a.spent[onReads] {
		return
	}
	a.lookedUp = a.takeUpTo(waited, onReads)
	a.spent[inMeta] += a.lookedUp
}
