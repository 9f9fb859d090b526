package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// holes is for reads of what is stored nowhere, if that is most of what was read: it costs no drive, but memory and the
// processor. Copies that write it as data are told of by themselves.
func holes(o *observer) {
	if slices.ContainsFunc(o.list, func(s profile.Sentence) bool { return s.Code == "holes_copied" }) {
		return
	}
	all, _ := o.p.ByCalls()
	for i := range o.p.Amounts.Files {
		m := &o.p.Amounts.Files[i].Read
		k := slices.IndexFunc(m.Spared, func(s profile.Part) bool { return s.Code == profile.Holes })
		if k < 0 || m.Spared[k].Bytes < amplifiedBytes || 2*m.Spared[k].Bytes <= all {
			continue
		}
		at := fmt.Sprintf("/amounts/files/%d/read", i)
		o.say("holes_read", at, fmt.Sprintf("%s of %s read of %s were holes, where nothing is stored: %s.",
			unit.Bytes(m.Spared[k].Bytes), unit.Bytes(m.Moved), named(o.p.Amounts.Files[i].Name), noHoles),
			number(fmt.Sprintf("%s/spared/%d/bytes", at, k), float64(m.Spared[k].Bytes)),
			number(at+"/moved_bytes", float64(m.Moved)))
		o.instead(noHoles)
	}
}

// perCall is for data that went through calls whose number is their cost.
func perCall(o *observer) {
	x := verdict.SmallCalls(o.p)
	if x == nil || !o.worthTelling(x.NS) || !o.p.Trace.Sees(string(trace.LimitNoWaits)) {
		return
	}
	at := fmt.Sprintf("/files/%d/%s", x.File, x.Verb)
	o.say("per_call", at, x.Text(", mostly of "+named(o.p.Files[x.File].Path))+".",
		number(at+"/count", float64(x.Flow.Count)), number(at+"/size_bytes/p50", float64(x.Flow.Size.P50)),
		number(at+"/latency_ns/p50", float64(x.Flow.Latency.P50)))
	o.instead(wording.LargerCalls)
}

// fewestOpens is how often a process has to open a file, that opening it is work.
const fewestOpens = 1000

// reopened is for a file that was opened anew for each piece, if it is most of what was opened.
func reopened(o *observer) {
	var all int64
	for i := range o.p.Calls {
		if c := &o.p.Calls[i]; c.Op == trace.OpOpen {
			all += c.Count
		}
	}
	for i := range o.p.Files {
		f := &o.p.Files[i]
		k := slices.IndexFunc(f.Ops, func(c profile.OpCount) bool { return c.Op == trace.OpOpen })
		if k < 0 || f.Type != trace.FileRegular {
			continue
		}
		flow, what, side := f.Read, "read", "read"
		if flow == nil || f.Write != nil && f.Write.Count > flow.Count {
			flow, what, side = f.Write, "write", "write"
		}
		opens := f.Ops[k].Count - f.Ops[k].Errors
		if flow == nil || opens < fewestOpens*int64(len(f.Processes)) || 2*opens <= all || flow.Count > 2*opens {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		o.say("reopened", at, fmt.Sprintf("%s was opened %s, for %s of %s.", named(f.Path),
			unit.Things(opens, "time"), unit.Things(flow.Count, what), wording.Sizes(&flow.Size)),
			number(fmt.Sprintf("%s/ops/%d/count", at, k), float64(f.Ops[k].Count)),
			number(at+"/"+side+"/count", float64(flow.Count)))
		o.instead(keepOpen)
		return
	}
}

// replaced is for files that were read as a whole while others were written that took their names, if that is most of
// what was written.
func replaced(o *observer) {
	_, all := o.p.ByCalls()
	old := map[string]int{}
	for i := range o.p.Files {
		if f := &o.p.Files[i]; f.Deleted && !f.Created && f.Read != nil && f.Size > 0 && f.Read.Bytes >= f.Size {
			old[f.Path] = i
		}
	}
	var anew, bytes int64
	var first *profile.File
	var evidence []profile.Evidence
	subject := ""
	for i := range o.p.Files {
		f := &o.p.Files[i]
		before, ok := old[f.Path]
		if !ok || !f.Created || f.Deleted || len(f.Names) == 0 || f.Write == nil {
			continue
		}
		if anew, bytes = anew+1, bytes+f.Write.Bytes; anew > maxObserved {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		if first == nil {
			first, subject = f, at
		}
		evidence = append(evidence, number(at+"/write/bytes", float64(f.Write.Bytes)),
			number(fmt.Sprintf("/files/%d/read/bytes", before), float64(o.p.Files[before].Read.Bytes)))
	}
	if bytes < amplifiedBytes || 2*bytes <= all {
		return
	}
	what, by, instead := named(first.Path)+" was", "that", inPlace
	if anew > 1 {
		what, by, instead = unit.Things(anew, "file")+" were", "these", inPlaces
	}
	o.say("replaced", subject, fmt.Sprintf("%s read and written anew as a whole, %s, and replaced by %s: %s.",
		what, unit.Bytes(bytes), by, instead), evidence...)
	o.instead(instead)
}
