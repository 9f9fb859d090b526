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

// Calls are small where one costs more than what it moves, and they are the work where so many
// follow each other this closely.
const (
	smallCall = 512
	manyCalls = 10_000
	closely   = 10_000 // ns
)

// inPieces is the cause of calls of a few bytes, without its time.
func inPieces(f *profile.Flow, verb, of, pointer string) profile.Reason {
	return profile.Reason{
		Code: cause.SmallCalls, Name: "small calls", Certainty: cause.Likely,
		Text: unit.Things(f.Count, verb) + " of " + wording.Sizes(&f.Size) + of +
			"; each costs more than what it moves",
		Evidence: []profile.Evidence{
			at(pointer+"/count", float64(f.Count)), at(pointer+"/size_bytes/p50", float64(f.Size.P50)),
		},
		Remedy: "a larger block size, such as a buffer of 64 KiB; a faster drive changes nothing",
	}
}

// choppedUp is for data that goes through calls in tiny pieces: the calls and what the program
// does between them would be fewer with larger ones.
func choppedUp(a *account) {
	inStream(a)
	l, think := a.p.AtCalls(), &a.p.Pattern.Think
	if l == nil {
		return
	}
	f, verb, pointer := l.Read, "read", "/layers/0/read"
	if f == nil || l.Write != nil && l.Write.Count > f.Count {
		f, verb, pointer = l.Write, "write", "/layers/0/write"
	}
	if f == nil || f.Count < manyCalls || f.Size.P50 > smallCall || think.Count == 0 {
		return
	}
	over := handOver(a, f.Count, verb)
	if over == nil && think.P50 > closely {
		return
	}
	r := inPieces(f, verb, mostCalls(a, f.Count, verb), pointer)
	r.Evidence = append(r.Evidence, at("/pattern/think_ns/sum", float64(think.Sum)))
	opens, index := longest(a, func(c *profile.Call) bool { return c.Op == trace.OpOpen })
	if opens != nil && 2*opens.Count > f.Count {
		file := servedMost(a, trace.OpOpen)
		if file == nil || 2*opened(file) <= opens.Count {
			return // the pieces are as small as their files
		}
		r.TimeNS = a.take(inMeta)
		r.Text = fmt.Sprintf("%s was opened %s, for %s", path.Base(file.Path),
			unit.Things(opened(file), "time"), r.Text)
		r.Remedy = "keep it open, and buffer to a larger block size; a faster drive changes nothing"
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/count", index), float64(opens.Count)))
	}
	between := think.Sum
	if a.along() != nil {
		between = min(between, a.calling(func(*profile.PathPlace) bool { return true }))
	}
	r.TimeNS += a.take(inData) + a.takeUpTo(between, running)
	if over != nil {
		over.take(a, &r)
	}
	a.because(r)
}

// mostCalls names the file that most of so many calls were of; "" if there is none.
func mostCalls(a *account, all int64, verb string) string {
	calls := func(f *profile.File) int64 {
		flow := f.Read
		if verb == "write" {
			flow = f.Write
		}
		if flow == nil || f.Type != trace.FileRegular && f.Type != trace.FileBlock {
			return none // an event, a pipe: they hold no data
		}
		return flow.Count
	}
	file, _ := most(a.p.Files, calls)
	if file == nil || 2*calls(file) <= all {
		return ""
	}
	return " of " + path.Base(file.Path)
}

// inStream is for what goes through a pipe or a socket in tiny pieces, as far as nobody waited there. Where the path
// does not say of which file calls were, they are of it: others that move data are no "other calls".
func inStream(a *account) {
	var r profile.Reason
	var worst *profile.File
	var calls int64
	op := ""
	for i := range a.p.Files {
		f := &a.p.Files[i]
		if !f.Stream() {
			continue
		}
		verb, flow := "read", f.Read
		if flow == nil || f.Write != nil && f.Write.Count > flow.Count {
			verb, flow = "write", f.Write
		}
		if flow != nil && flow.Count >= manyCalls && flow.Count > calls && flow.Size.P50 <= smallCall {
			r = inPieces(flow, verb, " of a "+f.Type.String(), fmt.Sprintf("/files/%d/%s", i, verb))
			worst, calls, op = f, flow.Count, verb
			if verb == "read" && flow.Size.P50 == 1 {
				r.Remedy = "a program that reads blocks (awk), or a file in place of it: a shell's read takes a byte at a time " +
					"where it cannot go back; a faster drive changes nothing"
			}
		}
	}
	if worst == nil {
		return
	}
	inIt := func(x *profile.PathPlace) bool {
		return x.What == "runs" && x.Call == op && (x.File == "" || x.File == worst.Path) && labels[x.Label] == inOther
	}
	within := a.onPath(func(x *profile.PathPart) bool { return inIt(&x.Place) })
	r.TimeNS = a.takeUpTo(within, inOther) + a.takeUpTo(a.calling(inIt), running)
	if r.TimeNS > 0 {
		a.because(r)
	}
}

// calling is how long those processes were on a processor, along the path and outside of calls, that made such calls
// there and whose calls follow each other closely. Who computes for longer between two calls does so between larger
// ones as well.
func (a *account) calling(of func(*profile.PathPlace) bool) (ns int64) {
	type work struct {
		ns, times int64
		makes     bool
	}
	all := map[string]work{}
	for i := range a.along() {
		x := &a.along()[i]
		w := all[x.Place.Process]
		if labels[x.Place.Label] == running {
			w.ns, w.times = w.ns+x.NS, w.times+x.Count
		}
		w.makes = w.makes || of(&x.Place)
		all[x.Place.Process] = w
	}
	for _, w := range all {
		if w.makes && w.ns <= closely*w.times {
			ns += w.ns
		}
	}
	return ns
}
