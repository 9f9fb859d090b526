package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/internal/unit"
)

// wakingUp is for the time from the end of its I/O until it ran, where that was no longer than a processor takes to
// wake up.
func wakingUp(a *account) {
	a.figure("wake_up_ns", timeline.WakeUp)
	a.because(profile.Reason{
		Code: cause.WakeUp, Name: "waking up", TimeNS: a.take(waking), Certainty: cause.Likely,
		Evidence: []profile.Evidence{at("/time_stack/waking_ns", float64(a.p.TimeStack.WakingNS)), a.thread("waking")},
		Text: "its I/O was done, and it took the CPU up to " + unit.Nanoseconds(timeline.WakeUp) + " each time to " +
			"run it again: the interrupt, the way out of an idle state, the switch",
		Remedy: "more requests in flight, so that the next is done by then; polling instead of interrupts; CPUs " +
			"kept out of deep idle states",
	})
}

// unserved is for the time in which it was ready to run and had no processor: a quota forbade it, the host of a virtual
// machine ran others, its own threads had them, or others of this machine.
func unserved(a *account) {
	ns := a.take(ready)
	part, threads, sure := crowd(a, ns)
	ns -= forbidden(a, ns)
	ns -= stolen(a, ns)
	ns -= crowded(a, min(part, ns), threads, sure)
	a.because(profile.Reason{
		Code: cause.CPUContention, Name: "runnable, waiting for a CPU", TimeNS: ns, Certainty: cause.Measured,
		Evidence: processors(a), Text: rivalry(a), Remedy: "fewer programs in parallel, or a higher priority",
	})
}

// forbidden is the part that the quota of its control group took. A group that contains another was held back at the
// same times.
func forbidden(a *account, ns int64) int64 {
	p := a.p.Trace.Processors
	if p == nil || len(p.Held) == 0 {
		return 0
	}
	h := p.Held[0]
	part, sure := min(ns, h.TimeNS), cause.Measured
	if 2*h.TimeNS < ns {
		sure = cause.Likely
	}
	a.because(profile.Reason{
		Code: cause.CPUQuota, Name: "the quota of a cgroup", TimeNS: part, Certainty: sure,
		Evidence: []profile.Evidence{a.thread("ready"), at("/trace/processors/held/0/time_ns", float64(h.TimeNS))},
		Text: fmt.Sprintf("cgroup %q had used up its quota: runnable, but held back for %s", h.Group,
			unit.Nanoseconds(h.TimeNS)),
		Remedy: "a larger quota (cpu.max, cpu.cfs_quota_us; CPUQuota of systemd, --cpus of docker)",
	})
	return part
}

// stolen is the part that the host of a virtual machine gave to others. The machine's whole is known; what hit the
// workload is taken to be as much of it as it had of the processors.
func stolen(a *account, ns int64) int64 {
	p := a.p.Trace.Processors
	if p == nil || p.StolenNS <= 0 {
		return 0
	}
	own, known := a.processorTime()
	if !known || p.BusyNS <= 0 {
		return 0
	}
	part := min(ns, int64(float64(p.StolenNS)*min(1, float64(own)/float64(p.BusyNS))))
	a.because(profile.Reason{
		Code: cause.StolenCPU, Name: "stolen by the host", TimeNS: part, Certainty: cause.Likely,
		Evidence: []profile.Evidence{a.thread("ready"), at("/trace/processors/stolen_ns", float64(p.StolenNS))},
		Text: fmt.Sprintf("runnable, but the host of this virtual machine ran others (steal time of its "+
			"CPUs: %s)", unit.Nanoseconds(p.StolenNS)),
		Remedy: "a machine whose CPUs are not shared, or another time",
	})
	return part
}

// crowded is the part in which its own threads had the processors, as more of them wanted to run than there are.
func crowded(a *account, ns int64, threads float64, sure string) int64 {
	if ns <= 0 {
		return 0
	}
	a.figure("threads_runnable", threads)
	r := profile.Reason{
		Code: cause.OwnCPU, Name: itself, TimeNS: ns, Certainty: sure, Evidence: processors(a),
		Text: fmt.Sprintf("%s of its threads wanted to run on average, on %s", unit.Significant(threads, 2),
			unit.Things(int64(a.p.Trace.CPUs), "CPU")),
		Remedy: lessInAll,
	}
	spentOn(a, &r)
	a.because(r)
	return ns
}

// crowd is for how long of a time threads that were ready waited for each other, and how many wanted to run then.
// The path tells that of each instant, but for parts of it that are not listed. Of what its own threads did not have,
// the recorder had some. Where much of it was had by nobody, they waited for none.
func crowd(a *account, all int64) (ns int64, threads float64, sure string) {
	if a.along() == nil {
		return onAverage(a, all)
	}
	var listed, runnable, lacked int64
	for _, x := range a.along() {
		ns, runnable, lacked = ns+x.CrowdedNS, runnable+x.RunnableNS, lacked+x.LackedNS
		if labels[x.Place.Label] == ready {
			listed += x.NS
		}
	}
	free, known := a.hadByNobody(lacked)
	if ns <= 0 || known && float64(free) > (1-busyAll)*float64(listed)*float64(a.p.Trace.CPUs) {
		return 0, 0, "" // what is idle could have been had, but for a quota or an affinity
	}
	more := max(1, float64(all)/float64(listed))
	machine := float64(a.p.Trace.DurationNS) * float64(a.p.Trace.CPUs)
	if recorder := float64(max(a.p.Recorder.ReaderCPUNS, 0)); recorder < machine {
		more *= machine / (machine - recorder)
	}
	return int64(float64(ns) * more), float64(runnable) / float64(ns), cause.Measured
}

// hadByNobody is how much of the processor time that the workload lacked is more than all that others had.
func (a *account) hadByNobody(lacked int64) (ns int64, known bool) {
	p := a.p.Trace.Processors
	own, known := a.processorTime()
	if p == nil || !known || a.p.Trace.DurationNS < countable {
		return 0, false
	}
	return lacked - max(p.BusyNS-own, 0) - p.StolenNS, true
}

// onAverage is for recordings that do not tell who woke whom. If more threads were ready or ran, on average, than there
// are processors, their own part is as much as they had of what all programs had.
func onAverage(a *account, ns int64) (part int64, threads float64, sure string) {
	p, t := a.p.Trace.Processors, a.p.TimeStack.ThreadNS["ready"]
	own, known := a.processorTime()
	if p == nil || !known || a.p.Trace.CPUs <= 0 || a.p.Trace.DurationNS < countable {
		return 0, 0, ""
	}
	threads = float64(own+t) / float64(a.p.Trace.DurationNS)
	had := float64(p.BusyNS - max(a.p.Recorder.ReaderCPUNS, 0))
	if threads <= float64(a.p.Trace.CPUs) || had <= 0 || busyShare(p) < busyAll {
		return 0, 0, "" // what is idle could have been had, but for a quota or an affinity
	}
	share, sure := min(1, float64(own)/had), cause.Likely
	if share > nearlyAll {
		sure = cause.Measured // nobody else had them
	}
	return int64(float64(ns) * share), threads, sure
}

// countable is how long a recording has to be to tell what others had of the processors: the kernel counts that in
// steps of 10 ms.
const countable = 10 * noticeable // ns

// busyAll is the share of their time that processors are busy where one that is free is the exception.
const busyAll = nearlyAll

// nobody is how many processors others have where none is worth naming.
const nobody = tenth

// busyShare is the share of the time of all processors in which they were busy.
func busyShare(p *profile.Processors) float64 {
	return float64(p.BusyNS) / float64(max(p.BusyNS+p.IdleNS, 1))
}

// rivalry says who had the processors instead, as far as the recording tells.
func rivalry(a *account) string {
	const ready, quota = "runnable, but ", ", or a quota forbade it"
	p := a.p.Trace.Processors
	if p == nil || a.p.Trace.CPUs <= 0 || p.BusyNS+p.IdleNS < countable/2 {
		return ready + "others had the CPUs" + quota
	}
	busy := busyShare(p)
	a.figure("processors_busy_share", busy)
	names := runners(p.Others)
	if own, known := a.processorTime(); known && a.p.Trace.DurationNS >= countable {
		others := float64(max(p.BusyNS-own-max(a.p.Recorder.ReaderCPUNS, 0), 0)) / float64(a.p.Trace.DurationNS)
		a.figure("processors_of_others", others)
		if others < nobody {
			names = "" // what they had is not worth telling
		}
		switch {
		case others >= nobody:
			return fmt.Sprintf(ready+"others had %s of %s on average%s", unit.Significant(others, 2),
				unit.Things(int64(a.p.Trace.CPUs), "CPU"), names)
		case busy < busyAll:
			return "runnable, but it did not run, though no other program had the CPUs: a quota, too few CPUs " +
				"allowed (taskset, cpuset), or a busy host of this machine"
		}
	}
	switch {
	case busy >= busyAll:
		return fmt.Sprintf(ready+"the CPUs were %s busy%s", unit.Share(busy), names)
	default: // and yet it did not run on the others
		return fmt.Sprintf(ready+"others had the CPUs%s; they were %s busy", quota, unit.Share(busy))
	}
}

// runners names the programs that were not recorded and ran longest.
func runners(list []profile.Runner) string {
	return leading(list, func(r *profile.Runner) (string, int64) { return r.Command, r.TimeNS })
}

// processorTime is what the workload had of the processors, if the recording tells it of every process.
func (a *account) processorTime() (ns int64, known bool) {
	for i := range a.p.Processes {
		if a.p.Processes[i].CPUNS < 0 || a.p.Omitted.Processes > 0 {
			return 0, false
		}
		ns += a.p.Processes[i].CPUNS
	}
	return ns, ns > 0
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
