//go:build linux

package strace

import (
	"fmt"
	"os/exec"
	"strings"

	"github.com/iotrace/iotrace/tracer"
)

// Probe finds out what can be recorded with strace here.
func Probe() []tracer.Check {
	c := tracer.Check{Name: "strace", Required: true, Remedy: install}
	s, err := New()
	if err != nil {
		c.Found = "not installed"
		return []tracer.Check{c}
	}
	v, err := versionOf(s.program)
	if err != nil {
		c.Found = err.Error()
		return []tracer.Check{c}
	}
	c.OK, c.Found, c.Remedy = true, s.program+", version "+v.String(), ""
	may := tracer.Check{Name: "tracing", Required: true, OK: true, Found: "allowed"}
	out, err := exec.Command(s.program, "-f", "-o", "/dev/null", "-e", "trace=close", "true").CombinedOutput()
	if err != nil {
		may.OK, may.Found = false, strings.TrimSpace(fmt.Sprintf("%s (%v)", out[:min(len(out), 200)], err))
		may.Remedy = "/proc/sys/kernel/yama/ptrace_scope below 2; a container needs a seccomp profile that allows ptrace"
	}
	return []tracer.Check{c, may}
}
