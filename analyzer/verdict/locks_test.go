package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// Threads that wait for one another do not sleep: that is a lock between them. One thread alone has nobody to wait for.
func TestThreadLock(t *testing.T) {
	for _, test := range []struct {
		name      string
		processes []profile.Process
		code      string
		text      string
	}{
		{"two threads", []profile.Process{{PID: 1, Command: "node", Threads: 2, WaitNS: profile.Waits{Futex: second}}},
			cause.ThreadLock, "threads of node (1) waited for one another, and none ran"},
		{"one of two processes", []profile.Process{
			{PID: 1, Command: "a", Threads: 3, WaitNS: profile.Waits{Futex: second * 3 / 5}},
			{PID: 2, Command: "b", Threads: 9, WaitNS: profile.Waits{Futex: second * 4 / 5}},
		}, cause.ThreadLock, "threads of b (2)"},
		{"one thread", []profile.Process{{PID: 1, Command: "node", Threads: 1, WaitNS: profile.Waits{Futex: second}}},
			cause.ThinkTime, "none of its threads ran"},
		{"half of the time", []profile.Process{{PID: 1, Command: "node", Threads: 2,
			WaitNS: profile.Waits{Futex: second / 2}}}, cause.ThinkTime, "none of its threads ran"},
		{"another thread sleeps, perhaps under the lock", []profile.Process{{PID: 1, Command: "node", Threads: 2,
			WaitNS: profile.Waits{Futex: second, Sleep: second}}}, cause.ThinkTime, "node (1) slept"},
		{"a server that waits to be asked", []profile.Process{{PID: 1, Command: "node", Threads: 2, AskedNS: second,
			WaitNS: profile.Waits{Futex: second}}}, cause.ThinkTime, "waited to be asked"},
		{"who is recorded beside", []profile.Process{{PID: 1, Command: "node", Threads: 2, Beside: true,
			WaitNS: profile.Waits{Futex: second}}}, cause.ThinkTime, "none of its threads ran"},
	} {
		p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
		p.Processes = test.processes
		c := verdict.Judge(p).Causes[0]
		if c.Code != test.code || !strings.Contains(c.Text, test.text) {
			t.Errorf("%s: %s %q, want %s %q", test.name, c.Code, c.Text, test.code, test.text)
		}
	}
}
