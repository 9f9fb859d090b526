package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// keepTimes is what to do in place of files that are written anew though nothing has changed in them.
const keepTimes = "keep times with what is copied (rsync -t or -a, cp -pu), so that the rest can be left out"

// writtenAnew is for files that were written in place of ones which were as large, if these are most of what was
// written. Some may have changed in place; that nearly all kept their size by chance is not likely.
func writtenAnew(o *observer) {
	x := o.p.Replaced
	_, all := o.p.ByCalls()
	if x == nil || o.said("replaced") || o.said("saved") || x.Same < fewestTries || x.SameBytes < amplifiedBytes ||
		2*x.SameBytes <= all || float64(x.Same) < nearly*float64(x.Files) {
		return
	}
	o.say("written_anew", "/replaced", fmt.Sprintf("%s (%s) were written in place of ones of the same size, so perhaps "+
		"the same again; %s.", unit.Things(x.Same, "file"), unit.Bytes(x.SameBytes), keepTimes),
		number("/replaced/same_size_files", float64(x.Same)), number("/replaced/same_size_bytes", float64(x.SameBytes)))
	o.instead(keepTimes)
}

// changeOnly is what to do in place of a tree that is removed and made anew.
const changeOnly = "keep what is there and change only what differs (npm install for npm ci, git pull for a new " +
	"clone, rsync --delete for rm and cp)"

// madeAnew is for files that were removed and made anew under the same names, if these are most of what was removed.
func madeAnew(o *observer) {
	x := o.p.Replaced
	if x == nil || x.Anew < fewestLookups {
		return
	}
	var removed, ns int64
	for i := range o.p.Calls {
		if c := &o.p.Calls[i]; c.Op == trace.OpUnlink {
			removed, ns = removed+c.Count-c.Errors, ns+c.TimeNS
		}
	}
	if 2*x.Anew <= removed {
		return
	}
	o.say("removed_first", "/replaced", fmt.Sprintf("%s were removed and then made anew under the same names; calls that "+
		"removed took %s; %s.", unit.Things(x.Anew, "file"), unit.Nanoseconds(ns), changeOnly),
		number("/replaced/made_anew", float64(x.Anew)))
	o.instead(changeOnly)
}
