package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// reopenedAll is for many files that were opened anew for each piece, none of them most of what was opened: more than a
// program keeps open at a time.
func reopenedAll(o *observer) {
	if o.said("reopened") {
		return
	}
	var opens, listed, again int64
	var evidence []profile.Evidence
	var reads, writes *profile.Call
	for i := range o.p.Calls {
		switch c := &o.p.Calls[i]; {
		case c.Op == trace.OpOpen:
			opens += c.Count - c.Errors
			evidence = append(evidence, number(fmt.Sprintf("/calls/%d/count", i), float64(c.Count)))
		case c.Op == trace.OpRead && (reads == nil || c.Count > reads.Count):
			reads = c
		case c.Op == trace.OpWrite && (writes == nil || c.Count > writes.Count):
			writes = c
		}
	}
	var of int64
	for i := range o.p.Files {
		n := opensOf(&o.p.Files[i])
		if listed += n; n >= fewestAgain*o.users(&o.p.Files[i]) {
			again, of = again+n, of+1
		}
	}
	did, what := writes, "write"
	if did == nil || reads != nil && reads.Count > did.Count {
		did, what = reads, "read"
	}
	if opens < fewestOpens || of < fewestCopies || 2*again <= listed || did == nil || did.Count > 2*opens {
		return
	}
	more := ""
	if o.p.Omitted.Files > 0 {
		more = "more than "
	}
	o.say("reopened_all", "/files", fmt.Sprintf("files were opened %s, for %s of %s: %s%d of them again and again.",
		unit.Things(opens, "time"), unit.Things(did.Count, what), wording.Sizes(&did.Size), more, of), evidence...)
	o.instead(keepOpenAll)
	o.list[len(o.list)-1].Figures = map[string]float64{"files": float64(of), "opens": float64(opens)}
}

// fewestAgain is how often a process opens a file that it opens again and again.
const fewestAgain = 4

// listedUsers is how many of the processes that used a file the profile names.
const listedUsers = 16

// users is how many processes used a file, at most: each opens it for itself.
func (o *observer) users(f *profile.File) int64 {
	if n := len(f.Processes); n < listedUsers {
		return max(int64(n), 1)
	}
	return int64(len(o.p.Processes)) + o.p.Omitted.Processes
}

// opensOf is how often a regular file was opened.
func opensOf(f *profile.File) int64 {
	k := slices.IndexFunc(f.Ops, func(c profile.OpCount) bool { return c.Op == trace.OpOpen })
	if k < 0 || f.Type != trace.FileRegular {
		return 0
	}
	return f.Ops[k].Count - f.Ops[k].Errors
}
