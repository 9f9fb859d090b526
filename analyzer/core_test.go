package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// ended is a program that a signal ends; status is that of its exit. Something is written that no call wrote.
func ended(t *testing.T, status int32) *scene {
	s := newScene(t, "worker")
	s.think(200 * ms)
	core := s.file("/var/crash/core.100", 0)
	s.request(trace.ReqWrite, core, 0, 64*MiB, s.now, s.now+500*ms)
	s.think(600 * ms)
	s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessExit, PID: s.pid, TID: s.pid, Status: status,
		CPU: 200 * ms})
	s.end.CommandEnd, s.end.Duration, s.end.Durable = s.now, s.now, s.now
	return s
}

// TestCoreDump: what the kernel writes of the memory of a program that a signal ended is told of as such; where the
// signal leaves nothing, it is not.
func TestCoreDump(t *testing.T) {
	named(t, ended(t, 6|0x80), "core_dump",
		"Signal 6 ended worker, and the kernel wrote its memory to core.100: 67.1 MB reached the drive")
	named(t, ended(t, 9), "")
}
