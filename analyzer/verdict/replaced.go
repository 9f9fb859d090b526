package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// replaces are the calls that take away what a file holds, which waits for what of it is being written. Closing it has
// ext4, XFS and btrfs begin with that if it was truncated before.
func replaces(op trace.Op) bool {
	switch op {
	case trace.OpOpen, trace.OpTruncate, trace.OpRename, trace.OpUnlink, trace.OpClose:
		return true
	}
	return false
}

// replaced says that writes were waited for in calls that replace files. No program asked for these to be written: the
// file system does so as one is closed that was truncated, or renamed over another, so that a crash leaves one of both.
func replaced(a *account, d *wording.Disk, r *profile.Reason) {
	in := func(x *profile.PathPart) bool {
		return x.Place.Device == d.Name && labels[x.Place.Label] == onWrites && x.Place.What == "service" &&
			replaces(trace.OpNamed(x.Place.Call))
	}
	ns := a.onPath(in)
	if d.Verb != "wrote" || float64(ns) < third*float64(r.TimeNS) {
		return
	}
	call, most := "", int64(0)
	for _, x := range a.along() {
		if in(&x) && x.NS > most {
			call, most = x.Place.Call, x.NS
		}
	}
	c, index := longest(a, func(c *profile.Call) bool { return c.Op == trace.OpNamed(call) })
	if c == nil {
		return
	}
	if f := servedMost(a, c.Op); f != nil && f.Type == trace.FileBlock { // the last to close a disk writes what it has
		return
	}
	a.figure("replaced_ns", float64(ns))
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/time_ns", index), float64(c.TimeNS)))
	r.Text = fmt.Sprintf("%s waited until files that it replaced were written, %s in all: %s", c.Name,
		unit.Nanoseconds(ns), r.Text)
	r.Remedy = anew(c.Op)
	if on := writtenTo(a.p, d); on != nil && on.FSType == "ext4" {
		r.Remedy += "; or mount with noauto_da_alloc, if a crash may leave them empty"
	}
}

// anew is what to do in place of replacing a file by a call. One that was cut to nothing is written on its close; a new
// file has nothing to replace.
func anew(op trace.Op) string {
	if op == trace.OpRename || op == trace.OpUnlink {
		return "replace files less often, or write to them in place (no O_TRUNC, no rename)"
	}
	return "remove the old file first (cp --remove-destination), or write to a new name"
}

// writtenTo is the file on a device that most was written to.
func writtenTo(p *profile.Profile, d *wording.Disk) *profile.File {
	f, _ := most(p.Files, func(f *profile.File) int64 {
		if f.Device != d.ID || f.Write == nil {
			return none
		}
		return f.Write.Bytes + none
	})
	return f
}
