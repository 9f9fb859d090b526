package dtrace

import (
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Probe finds out, by asking dtrace, what can be recorded here.
func Probe() []tracer.Check {
	c := tracer.Check{Name: "dtrace", Required: true, Remedy: "macOS has it; on Linux install the package dtrace"}
	s, err := New(Options{})
	if err != nil {
		c.Found = err.Error()
		return []tracer.Check{c}
	}
	c.OK, c.Found = true, s.options.Program
	able, err := s.capability()
	checks := append([]tracer.Check{c}, providers(s.platform, able, err)...)
	if err != nil {
		return checks
	}
	s.able = able
	return append(checks, tracer.NotSeen(s.Limits(), remedies(s.platform))...)
}

// remedies say what would show what is not seen.
func remedies(p Platform) map[trace.LimitCode]string {
	if p == Linux {
		const better = "--backend ebpf shows it"
		return map[trace.LimitCode]string{trace.LimitNoFaults: better, trace.LimitNoWaits: better, trace.LimitNoFill: better,
			trace.LimitNoAsync: better, trace.LimitNoQueue: better}
	}
	return map[trace.LimitCode]string{trace.LimitNoRequests: "--backend kdebug shows them",
		trace.LimitNoProcesses: "--backend kdebug knows them"}
}

// providers are the checks of the three providers.
func providers(p Platform, able Capability, err error) []tracer.Check {
	calls := tracer.Check{Name: "syscall probes", Required: true, OK: err == nil, Found: "there"}
	if err != nil {
		calls.Found = err.Error()
		if calls.Remedy = "see the message; kdebug needs no DTrace"; p == Linux {
			calls.Remedy = "see the message; the ebpf backend needs no DTrace"
		}
		return []tracer.Check{calls}
	}
	missing := func(name string, there bool, without string) tracer.Check {
		c := tracer.Check{Name: name + " probes", OK: there, Found: "there"}
		if !there {
			c.Found = "hidden or missing: " + without
			c.Remedy = "System Integrity Protection hides them; kdebug shows the same with protection on"
			if p == Linux {
				c.Remedy = "DTrace 2.0.7 or later has them, unless its translators do not fit this kernel; ebpf shows the same"
			}
		}
		return c
	}
	return []tracer.Check{calls, missing("io", able.IO, "no disk requests are recorded"),
		missing("proc", able.Proc, "children are followed from their first call on")}
}
