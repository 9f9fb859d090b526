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

// computing is for the time on a processor, and for that in which there was none.
func computing(a *account) {
	if !a.sees(trace.LimitNoWaits) {
		chargedComputing(a)
		return
	}
	text, remedy := mostOf(a)
	if within, advice := itsCall(a); within != "" {
		text, remedy = within, advice
	} else if made, advice := outOf(a); made != "" {
		text, remedy = made, advice
	}
	r := profile.Reason{
		Code: cause.OwnCPU, Name: itself, TimeNS: a.take(running, inOther), Certainty: cause.Measured, Remedy: remedy,
		Text: text, Evidence: []profile.Evidence{a.thread("running")},
	}
	spentOn(a, &r)
	a.because(r)
	wakingUp(a)
	unserved(a)
}

// blocked is for calls that waited for something that is no device.
func blocked(a *account) {
	ns := a.take(inCall)
	served, within := fileServer(a)
	f, index, spent := stream(a)
	if r := events(a, ns); r != nil {
		a.because(*r)
		return
	}
	if served != nil && within >= spent {
		served.TimeNS = ns
		a.because(*served)
		return
	}
	if r := unheard(a, ns); r != nil && f != nil && spent*2 > ns {
		a.because(*r)
		return
	}
	if f != nil && spent*2 > ns {
		if r := underWay(a, f, index, ns); r != nil {
			a.because(*r)
			return
		}
		if len(f.Processes) > 1 && a.starved() {
			// Whoever is at its other end is one of the workload, and wants to run too.
			late := min(ns, a.p.TimeStack.ThreadNS["ready"])
			a.give(ready, late)
			ns -= late
		}
		kind, remedy := otherEnd(f)
		a.because(profile.Reason{
			Code: cause.OtherEnd, Name: "the other end of " + kind, TimeNS: ns, Certainty: cause.Likely,
			Remedy: remedy, Experiment: withOtherEnd(a.p, f),
			Text: "waiting for the other end of " + kind + between(a, f) + a.askedOften(f) + meanwhile(a, f, ns) +
				a.itsDevice(f, ns),
			Evidence: []profile.Evidence{
				a.thread("blocked_in_call"), at(fmt.Sprintf("/files/%d/inode", index), float64(f.Inode)),
			},
		})
		return
	}
	c, index := longest(a, func(*profile.Call) bool { return true })
	if c == nil || c.TimeNS*2 < ns {
		a.because(profile.Reason{
			Code: cause.BlockedInCall, Name: "blocked in calls", TimeNS: ns, Certainty: cause.Open,
			Evidence:   []profile.Evidence{a.thread("blocked_in_call")},
			Text:       "blocked in calls, by a lock or by the file system's journal",
			Experiment: "iotrace events FILE --kind wait",
		})
		return
	}
	a.because(blockedIn(a, c, index, ns))
}

// otherEnd is what is waited for at the other end of a stream, and what helps: that somebody opens it, where the time
// went by in opening a named pipe.
func otherEnd(f *profile.File) (kind, remedy string) {
	kind, remedy = "a "+f.Type.String(), "speed up the program at the other end"
	if f.Type != trace.FilePipe || !path.IsAbs(f.Path) {
		return kind, remedy
	}
	kind = "the named pipe " + wording.FileName(f.Path)
	if 2*timeIn(f, func(o trace.Op) bool { return o == trace.OpOpen }) > timeOn(f) {
		kind += ", to be opened,"
		remedy = "leave out what is no regular file (O_NONBLOCK), or open the pipe's other end"
	}
	return kind, remedy
}

// blockedIn is the cause if most of the time blocked was in calls of one name.
func blockedIn(a *account, c *profile.Call, index int, ns int64) profile.Reason {
	f := servedMost(a, c.Op)
	where := ""
	if f != nil {
		where = " on " + wording.FileName(f.Path)
	}
	calls := fmt.Sprintf("%s%s, %s at most", unit.Things(c.Count, c.Name+" call"), where,
		unit.Nanoseconds(c.Latency.Max))
	r := profile.Reason{
		Code: cause.BlockedInCall, Name: "blocked in " + c.Name, TimeNS: ns,
		Evidence: []profile.Evidence{a.thread("blocked_in_call"), at(fmt.Sprintf("/calls/%d/time_ns", index),
			float64(c.TimeNS))},
	}
	if c.Op == trace.OpLock || c.Op == trace.OpFcntl {
		r.Name, r.Certainty, r.Text = "a lock on a file", cause.Measured, holder(a, f)+" held a lock on a file: "+calls
		r.Remedy = "a shorter time under the lock; /proc/locks names it"
		return r
	}
	if d := below(a, f); d != nil {
		busy := d.Whole(a.p).BusyNS
		if others := foreign(a, d); others > 0 && (busy == 0 || 2*busy > ns) {
			r.Code, r.Name, r.Certainty = cause.OtherUsers, usersOf(d), cause.Likely
			a.figure("others_bytes", float64(others))
			r.Text = fmt.Sprintf("blocked in the file system (%s) while others used %s below it: %s", calls, d.Name,
				unit.Bytes(others))
			r.Remedy, r.Experiment = "run it while nothing else uses "+d.Name, "iotrace record --all --duration 10s"
			return r
		}
	}
	r.Certainty, r.Experiment = cause.Open, "iotrace events FILE --kind wait"
	r.Text = fmt.Sprintf("blocked in %s, by a lock or by the file system's journal", calls)
	if c.Errno[trace.ErrNoSpace] > 0 {
		r.Text = fmt.Sprintf("blocked in %s, as the file system ran full and wrote what it held first", calls)
	}
	return r
}

// servedMost is the file on which calls of an operation took most time.
func servedMost(a *account, op trace.Op) *profile.File {
	f, _ := most(a.p.Files, func(f *profile.File) int64 {
		return timeIn(f, func(o trace.Op) bool { return o == op }) + none // it has to be some
	})
	return f
}

// stream is the pipe or socket in whose calls most time was spent.
func stream(a *account) (f *profile.File, index int, spent int64) {
	within := func(f *profile.File) int64 { return timeOn(f) - f.AskedNS }
	f, index = most(a.p.Files, func(f *profile.File) int64 {
		if !f.Stream() {
			return none
		}
		return within(f) + none
	})
	if f != nil {
		spent = within(f)
	}
	return f, index, spent
}

// longPauses words those pauses that make up most of the time in all of them, the longest first: short ones are many
// and cost nothing.
func (a *account) longPauses(d *profile.Dist) string {
	var count, sum, shortest int64
	for i := len(d.Bins) - 1; i >= 0 && float64(sum) < nearlyAll*float64(d.Sum); i-- {
		b := &d.Bins[i]
		count, sum, shortest = count+b.Count, sum+b.Count*(b.From/2+b.To/2), max(b.From, d.Min)
	}
	switch {
	case count == 1:
		return "one of " + unit.Nanoseconds(d.Max)
	case count == 0 || float64(count) > nearlyAll*float64(d.Count):
		return fmt.Sprintf("%s, %s", unit.Things(d.Count, "pause"), wording.Each(d))
	}
	a.figure("pauses", float64(count))
	return fmt.Sprintf("%d of %s to %s", count, unit.Nanoseconds(shortest), unit.Nanoseconds(d.Max))
}

// pausing is for the time in which nothing of the workload ran or waited for I/O.
func pausing(a *account) {
	think := &a.p.Pattern.Think
	ns := a.take(idle)
	if r := unheard(a, ns); r != nil {
		a.because(*r)
		unseen(a)
		return
	}
	if r := polling(a, ns); r != nil {
		a.because(*r)
		unseen(a)
		return
	}
	if r := a.forAnother(ns); r != nil {
		a.because(*r)
		unseen(a)
		return
	}
	r := profile.Reason{
		Code: cause.ThinkTime, Name: "pauses", TimeNS: ns, Certainty: cause.Measured,
		Text:     "none of its threads ran" + slept(a, ns),
		Evidence: []profile.Evidence{a.sliceAt("waiting")},
	}
	asleep := a.timedWaits()
	if a.starved() && 2*asleep.ns <= ns { // a thread that is woken from a sleep is ready before it runs; that is not seen
		r.Certainty = cause.Likely
	}
	if think.Count > 1 && float64(think.Sum) > twoThirds*float64(ns) && float64(ns) > twoThirds*float64(think.Sum) {
		r.Text = "pauses of the program between its calls: " + a.longPauses(think)
		r.Remedy = "a program that does not wait between blocks"
		r.Evidence = append(r.Evidence, at("/pattern/think_ns/count", float64(think.Count)),
			at("/pattern/think_ns/sum", float64(think.Sum)))
	}
	if 2*asleep.ns > ns && asleep.by != "" && (2*a.rested() <= ns || r.Remedy == "" && asleep.count >= several) {
		r.Text, r.Remedy = asleep.words(a), "shorter pauses, or a wait for what they are for"
	}
	if f, index := retried(a); f != nil && 2*f.RetriesNS > ns {
		r.Text, r.Remedy = refused(a, f)
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/files/%d/lock_retries_ns", index), float64(f.RetriesNS)))
	}
	if text, evidence := heldUp(a, ns); text != "" {
		r.Text, r.Remedy = text, "a program that takes and gives data without sleeping in between"
		r.Evidence = append(r.Evidence, evidence)
	}
	if p, index := locked(a, ns); p != nil && 2*asleep.ns <= ns {
		r.Code, r.Name = cause.ThreadLock, "a lock between threads"
		r.Text = fmt.Sprintf("threads of %s waited for one another, and none ran", p.Called())
		r.Remedy = "a shorter time under the lock, or work that needs none"
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/processes/%d/wait_ns/futex", index), float64(p.WaitNS.Futex)))
	}
	held, evidence := tried(a, &asleep)
	if text, refusals := turnedAway(a, &asleep); text != "" {
		held, evidence = text, refusals
		r.Remedy = "start what is to listen there first, and wait until it does"
	}
	r.Text += held
	r.Evidence = append(r.Evidence, evidence...)
	a.because(r)
	unseen(a)
}
