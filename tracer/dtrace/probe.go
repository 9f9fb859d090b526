package dtrace

import "github.com/iotrace/iotrace/tracer"

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
	return append([]tracer.Check{c}, providers(able, err)...)
}

// providers are the checks of the three providers.
func providers(able Capability, err error) []tracer.Check {
	calls := tracer.Check{Name: "syscall probes", Required: true, OK: err == nil, Found: "there"}
	if err != nil {
		calls.Found = err.Error()
		calls.Remedy = "see the message; kdebug needs no DTrace"
		return []tracer.Check{calls}
	}
	missing := func(name string, there bool, without string) tracer.Check {
		c := tracer.Check{Name: name + " probes", OK: there, Found: "there"}
		if !there {
			c.Found = "hidden or missing: " + without
			c.Remedy = "System Integrity Protection hides them; kdebug shows the same with protection on"
		}
		return c
	}
	return []tracer.Check{calls, missing("io", able.IO, "no disk requests are recorded"),
		missing("proc", able.Proc, "children are followed from their first call on")}
}
