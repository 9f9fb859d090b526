package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// Charged is the part of what drives did that the command had them do.
func Charged(c *profile.Charge) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("read %s · wrote %s, of all that", unit.Bytes(c.ReadBytes),
		unit.Bytes(c.WrittenBytes))
}

// fewTicks of processor time do not tell whose it was: the kernel parts it between the program and itself by what it
// sees at each tick, of 10 ms at most.
const fewTicks = noticeable

// tells reports whether the account tells the programs' time from the kernel's.
func tells(c *profile.Charge) bool { return c != nil && c.UserNS+c.SystemNS >= fewTicks }

// chargedComputing is what the kernel's account says of computing, where the recording does not tell what threads
// waited for: outside of calls, and in those of others that wait for it, on pipes. The kernel's own time is left out,
// as most of it is the tracer's.
func chargedComputing(a *account) {
	c := a.p.Trace.Charged
	if !tells(c) {
		return
	}
	a.because(profile.Reason{
		Code: cause.OwnCPU, Name: itself, TimeNS: a.takeUpTo(c.UserNS, unknown, inOther), Certainty: cause.Measured,
		Remedy:   compute,
		Text:     fmt.Sprintf("%s of CPU time by the kernel's account", unit.Nanoseconds(c.UserNS)),
		Evidence: []profile.Evidence{at("/trace/charged/user_ns", float64(c.UserNS)), a.sliceAt("outside")},
	})
}

// unseen is for what is left of the time outside of recorded calls, and of that in calls that may have waited.
func unseen(a *account) {
	experiment := Recording(a.p)
	name, text := "outside of calls", "outside of recorded calls; whether the program ran or slept is not recorded"
	switch {
	case tells(a.p.Trace.Charged):
		text = "outside of recorded calls and not computing: asleep, without a CPU, or stopped by the tracer"
	case !a.sees(trace.LimitNoCalls) && a.p.Trace.Events[trace.KindSyscall.String()] == 0:
		name, text = "no request in flight", "no request was in flight, and there are no system calls that would say why"
	}
	a.because(profile.Reason{
		Code: cause.OutsideOfCalls, Name: name, TimeNS: a.take(unknown), Certainty: cause.Open, Text: text,
		Evidence: []profile.Evidence{a.sliceAt("outside")}, Experiment: experiment,
	})
	a.because(profile.Reason{
		Code: cause.OutsideOfCalls, Name: "other calls", TimeNS: a.take(inOther), Certainty: cause.Open,
		Experiment: experiment,
		Evidence:   []profile.Evidence{a.sliceAt("other_call")},
		Text:       "in other calls, on pipes for example; whether they waited is not recorded",
	})
}

// Recording is how to find out what an import does not tell; "" for Windows, where iotrace does not record.
func Recording(p *profile.Profile) string {
	if p.Trace.OS == "windows" {
		return ""
	}
	return "sudo iotrace record -- COMMAND"
}
