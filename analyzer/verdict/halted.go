package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// halt is a way in which somebody else halts a workload.
type halt struct {
	what, code string
	label      use
	text       string // with who let it go on, and the file system
	remedy     string
}

var halts = []halt{
	{"stopped", cause.Stopped, idle, "SIGSTOP or the like, until %s continued it",
		"find out what stops it; a shell does if it reads a terminal from the background"},
	{"traced", cause.Traced, idle, "for %s, which traced it",
		"run it without that; strace --seccomp-bpf -e trace=… stops for these calls alone"},
	{"frozen", cause.Frozen, idle, "until %s thawed its cgroup",
		"thaw it sooner: docker pause, checkpoints and the system's sleep freeze"},
	{"thaw", cause.FrozenFS, inCall, "calls that change files waited until %s thawed %s",
		"a shorter freeze: a snapshot needs one only while it is made"},
}

// halted is for the time in which somebody else had halted the workload, or the file system that it changes.
func halted(a *account) {
	for i := range halts {
		h := &halts[i]
		most, count, all := a.haltedAs(h.what)
		ns := a.takeUpTo(all, h.label, idle, inCall)
		if h.code == cause.Traced {
			ns += a.tracing(most.By)
			all = ns
		}
		if ns <= 0 {
			continue
		}
		text := h.until(a, &most)
		if a.figure("halted_ns", float64(all)); count > 1 {
			a.figure("halts", float64(count))
			text += ": " + unit.Things(count, "time") + ", " + unit.Nanoseconds(all) + " in all"
		} else {
			text += ": " + unit.Nanoseconds(all)
		}
		a.because(profile.Reason{
			Code: h.code, Name: cause.Of(h.code).Short, TimeNS: ns, Certainty: cause.Measured, Remedy: h.remedy,
			Text: text, Evidence: []profile.Evidence{a.sliceAt(labelOf[h.label])},
		})
	}
}

// labelOf are the labels of the time stack that halts fall under.
var labelOf = map[use]string{idle: "waiting", inCall: "lock"}

// until says who let it go on.
func (h *halt) until(a *account, p *profile.PathPlace) string {
	who := []any{"another program"}
	if p.By != "" {
		who[0] = fmt.Sprintf("%s (%d)", p.By, p.ByPID)
	}
	if h.code == cause.FrozenFS {
		who = append(who, a.fileSystem(p.File))
	}
	return fmt.Sprintf(h.text, who...)
}

// haltedAs says how often the path was halted in one way, for how long, and where for most of it.
func (a *account) haltedAs(what string) (most profile.PathPlace, count, ns int64) {
	var longest int64
	for _, x := range a.along() {
		if x.Place.What != what {
			continue
		}
		if count, ns = count+x.Count, ns+x.NS; x.NS > longest {
			most, longest = x.Place, x.NS
		}
	}
	return most, count, ns
}

// tracing takes what the program that traces the workload computed itself, if it is on the path too.
func (a *account) tracing(by string) int64 {
	return a.takeUpTo(a.onPath(func(x *profile.PathPart) bool {
		p := &x.Place
		return by != "" && p.Process == by && p.What == "runs" && labels[p.Label] == running
	}), running)
}

// fileSystem is that of a file, as its mount says.
func (a *account) fileSystem(path string) string {
	if f := fileNamed(a.p, path); f != nil && f.Mount != "" {
		return fmt.Sprintf("%s (%s)", f.Mount, f.FSType)
	}
	return "the file system"
}
