package tracer

import (
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

// A program that computes while it is not recorded is named with the time that it ran; one that is recorded, or does
// nothing, is not.
func TestRunners(t *testing.T) {
	before := newRunners()
	start := func(script string) uint32 {
		c := exec.Command("sh", "-c", script)
		if err := c.Start(); err != nil {
			testenv.Missing(t, "%v", err)
		}
		t.Cleanup(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		})
		return uint32(c.Process.Pid)
	}
	const loop = "while :; do :; done"
	other, own, idle := start(loop), start(loop), start("read x")
	find := func(pid uint32) *trace.Runner {
		list := before.most(func(pid uint32) bool { return pid == own })
		if i := slices.IndexFunc(list, func(r trace.Runner) bool { return r.PID == pid }); i >= 0 {
			return &list[i]
		}
		return nil
	}
	for range 1000 {
		if r := find(other); r != nil {
			if r.Command != "sh" || r.Time < leastRun || find(own) != nil || find(idle) != nil {
				t.Errorf("%+v", r)
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("it was not found")
}
