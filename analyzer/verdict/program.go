package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/trace"
)

// naming is for calls on names, attributes and allocation.
func naming(a *account) {
	most, index := longest(a, func(c *profile.Call) bool { return trace.OpNamed(c.Op).Metadata() })
	r := profile.Reason{
		Code: Names, Name: "names and attributes", TimeNS: a.take(inMeta), Certainty: Proved, Text: "in calls on names and attributes", Evidence: []profile.Evidence{a.thread("metadata_calls")},
		Remedy: "fewer and larger files, or an archive of them",
	}
	if most != nil {
		r.Text = fmt.Sprintf("in calls on names and attributes, most of it in %s (%s, %s in all)", most.Name,
			wording.Plural(most.Count, "call", "calls"), wording.Duration(most.TimeNS))
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/time_ns", index), float64(most.TimeNS)))
	}
	a.because(r)
}

// longest is the call of a kind that took most time.
func longest(a *account, of func(*profile.Call) bool) (most *profile.Call, index int) {
	for i := range a.p.Calls {
		if c := &a.p.Calls[i]; of(c) && (most == nil || c.TimeNS > most.TimeNS) {
			most, index = c, i
		}
	}
	return most, index
}

// computing is for the time on a processor, and for that in which there was none.
func computing(a *account) {
	own := a.take(running, inOther)
	a.because(profile.Reason{
		Code: OwnCPU, Name: "the program itself", TimeNS: own, Certainty: Proved, Text: "the program's own computing", Evidence: []profile.Evidence{a.thread("running")},
		Remedy: "a faster processor, or a program that does less or works in parallel",
	})
	a.because(profile.Reason{
		Code: CPUContention, Name: "ready without a processor", TimeNS: a.take(ready), Certainty: Proved, Evidence: processors(a),
		Text:   "ready to run, but others had the processors (or a quota forbade it)",
		Remedy: "fewer programs at once, a higher priority, no CPU quota",
	})
}

// processors is the evidence for what the processors did for the workload.
func processors(a *account) []profile.Evidence {
	e := []profile.Evidence{a.thread("ready"), a.thread("running")}
	for i := range a.p.Processes {
		if p := &a.p.Processes[i]; p.CPUNS > 0 && len(e) < 8 {
			e = append(e, at(fmt.Sprintf("/processes/%d/cpu_ns", i), float64(p.CPUNS)))
		}
	}
	return e
}

// blocked is for calls that waited for something that is no device.
func blocked(a *account) {
	ns := a.take(inCall)
	if served := fileServer(a); served != nil {
		served.TimeNS = ns
		a.because(*served)
		return
	}
	if f, index, spent := stream(a); f != nil && spent*2 > ns {
		kind := "pipe"
		if f.Type == "socket" {
			kind = "socket"
		}
		a.because(profile.Reason{
			Code: OtherEnd, Name: "the other end of a " + kind, TimeNS: ns, Certainty: Fits, Text: "waiting for the other end of a " + kind, Remedy: "speed up the program at the other end",
			Evidence: []profile.Evidence{
				a.thread("blocked_in_call"),
				at(fmt.Sprintf("/files/%d/inode", index), float64(f.Inode)),
			},
		})
		return
	}
	r := profile.Reason{
		Code: BlockedInCall, Name: "blocked in calls", TimeNS: ns, Certainty: Experiment, Evidence: []profile.Evidence{a.thread("blocked_in_call")},
		Text: "blocked in calls, by a lock or by the file system's journal", Experiment: "iotrace events FILE --kind wait",
	}
	c, index := longest(a, func(*profile.Call) bool { return true })
	switch {
	case c == nil || c.TimeNS*2 < ns:
	case c.Name == "flock":
		r.Certainty, r.Experiment, r.Text = Proved, "", fmt.Sprintf(
			"another process held a lock on a file: %s, %s at most",
			wording.Plural(c.Count, "flock call", "flock calls"),
			wording.Duration(c.Latency.Max),
		)
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/time_ns", index), float64(c.TimeNS)))
	default:
		r.Text = fmt.Sprintf(
			"blocked in %s (%s, %s at most), by a lock or by the file system's journal",
			c.Name,
			wording.Plural(c.Count, "call", "calls"),
			wording.Duration(c.Latency.Max),
		)
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/time_ns", index), float64(c.TimeNS)))
	}
	a.because(r)
}

// stream is the pipe or socket in whose calls most time was spent.
func stream(a *account) (most *profile.File, index int, spent int64) {
	for i := range a.p.Files {
		f := &a.p.Files[i]
		if f.Type != "pipe" && f.Type != "socket" {
			continue
		}
		if t := timeOn(f); t > spent {
			most, index, spent = f, i, t
		}
	}
	return most, index, spent
}

// pausing is for the time in which nothing of the workload ran or waited for I/O.
func pausing(a *account) {
	think := &a.p.Pattern.Think
	ns := a.take(idle)
	r := profile.Reason{
		Code: ThinkTime, Name: "pauses", TimeNS: ns, Certainty: Proved, Text: "nothing of it ran: it slept, or waited for something that is not recorded",
		Evidence: []profile.Evidence{a.sliceAt("waiting")},
	}
	if think.Sum*2 > ns && think.Count > 1 {
		r.Text = fmt.Sprintf(
			"pauses of the program between its calls: %s, %s each",
			wording.Plural(think.Count, "pause", "pauses"),
			wording.Times(think),
		)
		r.Remedy = "a program that does not wait between pieces"
		r.Evidence = append(
			r.Evidence,
			at("/pattern/think_ns/count", float64(think.Count)),
			at("/pattern/think_ns/sum", float64(think.Sum)),
		)
	}
	a.because(r)
	a.because(profile.Reason{
		Code: OutsideOfCalls, Name: "outside of calls", TimeNS: a.take(unknown), Certainty: Experiment, Evidence: []profile.Evidence{a.sliceAt("outside")},
		Text: "outside of recorded calls; this recording does not tell whether the program ran or slept", Experiment: "sudo iotrace record -- COMMAND",
	})
}
