package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// scanned is for calls that wait until a scanner of files, for viruses for instance, lets them: a program that the
// kernel asks about each file (fanotify). The path leads through it then.
func scanned(a *account) {
	for i := range a.p.Trace.Holders {
		if h := &a.p.Trace.Holders[i]; h.What == trace.HeldAccess && h.Command != "" {
			askedAbout(a, h, i)
		}
	}
}

func askedAbout(a *account, h *profile.Holder, index int) {
	var waits, longest int64
	mostly := ""
	ns := a.takeUpTo(a.onPath(func(x *profile.PathPart) bool {
		p := &x.Place
		if !p.Helper || p.Process != h.Command || p.Beyond != "" || labels[p.Label] != inCall {
			return false
		}
		if waits += x.Waits; x.NS > longest {
			longest, mostly = x.NS, p.Call
		}
		return true
	}), inCall)
	if ns == 0 {
		return
	}
	a.figure("waits", float64(waits))
	times := unit.Things(waits, "call")
	if mostly != "" {
		times += " (" + mostly + ")"
	}
	text := fmt.Sprintf("%s waited for %s (%d) to allow them, which the kernel asks about each file (fanotify), as it "+
		"does scanners for viruses", times, h.Command, h.PID)
	if d := serving(a); d != nil && d.name == h.Command {
		text += "; it " + d.spent(a)
	}
	a.because(profile.Reason{
		Code: cause.OtherEnd, Name: h.Command, TimeNS: ns, Certainty: cause.Measured, Text: text,
		Evidence: []profile.Evidence{at(fmt.Sprintf("/trace/holders/%d/pid", index), float64(h.PID))},
		Remedy:   "leave the directories of this work out of what " + h.Command + " scans (its list of exclusions)",
	})
}
