package survey

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A thread of the kernel is told from a program, no matter who told of it: its helper record or the users of drives.
func TestOutsider(t *testing.T) {
	s := New(trace.Header{})
	s.help(&trace.Process{TID: 5, PID: 5, Parent: 2, Command: "jbd2/sda1-8"})
	s.help(&trace.Process{TID: 6, PID: 6, Parent: 1, Command: "fuse"})
	s.End.Users = []trace.User{{PID: 5, Command: "jbd2/sda1-8"}, {PID: 7, Command: "md0_resync", Kernel: true},
		{PID: 8, Command: "md0_resync"}}
	for _, c := range []struct {
		pid     uint32
		command string
		kernel  bool
	}{{5, "jbd2/sda1-8", true}, {6, "fuse", false}, {7, "md0_resync", true}, {8, "md0_resync", false}, {9, "", false}} {
		if command, kernel := s.Outsider(c.pid); command != c.command || kernel != c.kernel {
			t.Errorf("%d: %q, %t", c.pid, command, kernel)
		}
	}
}
