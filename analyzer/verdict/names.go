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

// naming is for calls on names, attributes and allocation.
func naming(a *account) {
	most, index := longest(a, func(c *profile.Call) bool { return c.Op.Metadata() })
	r := profile.Reason{
		Code: cause.Names, Name: "names and attributes", TimeNS: a.take(inMeta), Certainty: cause.Measured,
		Text: "open, stat, readdir and their like", Evidence: []profile.Evidence{a.thread("metadata_calls")},
		Remedy: "fewer, larger files, or an archive of them",
	}
	if most != nil {
		r.Text = fmt.Sprintf("most of it in %s: %s%s, %s", most.Name, unit.Things(most.Count, "call"),
			wording.On(a.p.FilesOf(most.Op)), unit.Nanoseconds(most.TimeNS))
		if most.Count > 1 {
			r.Text += " in all"
		}
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/time_ns", index), float64(most.TimeNS)))
	}
	if mostlyOne(a) {
		r.Remedy = "fewer files in one directory"
	}
	vain := lookupsOf(a.p)
	switch { // what a program tried, and then did otherwise, is no failure
	case most == nil:
	case vain.most():
		r.Text, r.Remedy = vain.text(a), "ask once for what is not there, and remember that; fewer places to look in"
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/errno/%d", vain.index, trace.ErrNoEntry),
			float64(a.p.Calls[vain.index].Errno[trace.ErrNoEntry])))
	case most.Errors >= several && 2*most.Errors > most.Count:
		failing(a, most, index, &r)
	}
	if d := wording.Busiest(a.p, false); d != nil && 2*a.lookedUp > r.TimeNS {
		fromDevice(a, d, most, &r, !vain.most())
	}
	changing(a, &r)
	emptied(a, &r)
	a.because(r)
}

// mostlyOne reports whether most of the time of such calls went to one directory that was listed.
func mostlyOne(a *account) bool {
	f := servedMost(a, trace.OpReaddir)
	return f != nil && 2*timeIn(f, trace.Op.Metadata) > withinMeta(a.p)
}

// withinMeta is the time in calls on names and attributes, added over threads.
func withinMeta(p *profile.Profile) (ns int64) {
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Op.Metadata() {
			ns += c.TimeNS
		}
	}
	return ns
}

// fromDevice says that calls on names waited for a device, and what helps if the calls are needed.
// One call that takes long has nothing beside it to be made at the same time.
func fromDevice(a *account, d *wording.Disk, c *profile.Call, r *profile.Reason, needed bool) {
	large, what := largeDirectory(a, c), "what describes the files"
	if large != nil {
		what = "the directory " + path.Base(large.Path)
	}
	r.Text += fmt.Sprintf("; they waited for %s to read %s, %s", d.Name, what, wording.Each(&d.Flow.Latency))
	r.Evidence = append(r.Evidence, at(d.Pointer+"/latency_ns/p50", float64(d.Flow.Latency.P50)))
	switch few := d.Flow.Depth.MeanBusy < wording.Queued; {
	case !needed:
	case c != nil && c.Count < several:
		r.Remedy = "a drive of lower latency; soon after, it is in memory"
		if c.Op == trace.OpTruncate || c.Op == trace.OpUnlink {
			r.Remedy = "a drive of lower latency, or a file that is less fragmented"
			listed(a, c, r)
		}
	case large != nil: // it is read from its beginning to its end, by one call after another
		r.Remedy = "fewer files in one directory; a drive of lower latency"
	case few:
		r.Remedy = "look up several in parallel (threads), or less (fewer files, and less fragmented files)"
		r.Evidence = append(r.Evidence, at(d.Pointer+"/depth/mean_busy", d.Flow.Depth.MeanBusy))
	default:
		r.Remedy = "less to look up (fewer files, and less fragmented files), or a drive of lower latency"
	}
}

// listsBlocks are the file systems that keep the place of each block of a file, and not where it begins and how long it
// is: the lists of a large file are many, and lie here and there.
var listsBlocks = map[string]bool{"ext2": true, "ext3": true}

// listed says that a file was taken away, whose blocks are listed one by one.
func listed(a *account, c *profile.Call, r *profile.Reason) {
	f := servedMost(a, c.Op)
	if f == nil || !listsBlocks[f.FSType] {
		return
	}
	r.Text = fmt.Sprintf("%s lists each block of %s, and these lists were read one after another: ", f.FSType,
		path.Base(f.Path)) + r.Text
	r.Remedy = "a file system that keeps files in extents (ext4, XFS); smaller files; a drive of lower latency"
}

// largeDirectory is the one in whose listing most of the time of such calls was spent, if there is one.
func largeDirectory(a *account, c *profile.Call) *profile.File {
	if c == nil || c.Op != trace.OpReaddir {
		return nil
	}
	f := servedMost(a, trace.OpReaddir)
	if f == nil || 2*timeIn(f, func(o trace.Op) bool { return o == trace.OpReaddir }) <= c.TimeNS {
		return nil
	}
	return f
}

// failing says that most calls of a name did nothing but fail. Where many follow each other closely, what the program
// computed between them is theirs too.
func failing(a *account, c *profile.Call, index int, r *profile.Reason) {
	if c.Count >= manyCalls && a.spent[running] <= c.Count*closely {
		r.TimeNS += a.take(running)
	}
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
		a.give(inMeta, a.lookedUp)
		return
	}
	if !a.serial {
		return
	}
	waited := withinMeta(a.p) - a.spent[inMeta]
	if waited*2 < a.spent[onReads] {
		return
	}
	a.lookedUp = a.takeUpTo(waited, onReads)
	a.give(inMeta, a.lookedUp)
}
