package tracer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A process is told of when it does something: whose child it is and what it runs, before that; and never one that did
// nothing, or that has the number of one that has ended.
func TestQuiet(t *testing.T) {
	const launched, busy, idle = 1, 2, 3
	l := &trace.Log{}
	q := newQuiet(l, []uint32{launched})
	process := func(pid uint32, action trace.ProcessAction, command string) {
		t.Helper()
		if err := q.Process(&trace.Process{PID: pid, TID: pid, Action: action, Command: command}); err != nil {
			t.Fatal(err)
		}
	}
	process(launched, trace.ProcessExec, "sh")
	for _, pid := range []uint32{busy, idle} {
		process(pid, trace.ProcessFork, "sh")
		for range 2 * mostHeld {
			process(pid, trace.ProcessFork, "thread")
		}
		process(pid, trace.ProcessExec, "cp")
	}
	if len(l.Processes) != 1 {
		t.Errorf("told of %+v before they did anything", l.Processes[1:])
	}
	if err := q.Syscall(&trace.Syscall{PID: busy}); err != nil {
		t.Fatal(err)
	}
	if n := len(l.Processes); n != 1+mostHeld || l.Processes[1].Command != "sh" || l.Processes[n-1].Command != "cp" {
		t.Errorf("told of %+v", l.Processes)
	}
	l.Processes = nil
	process(busy, trace.ProcessExit, "")
	process(idle, trace.ProcessExit, "")
	process(busy, trace.ProcessFork, "again")
	if len(l.Processes) != 1 || len(q.held) != 1 || len(q.told) != 1 {
		t.Errorf("told of %+v, holds %v", l.Processes, q.held)
	}
	for what, do := range map[string]func() error{
		"a request":    func() error { return q.Request(&trace.Request{Owner: busy}) },
		"a fault":      func() error { return q.Fault(&trace.Fault{PID: busy}) },
		"an operation": func() error { return q.AsyncOp(&trace.AsyncOp{PID: busy}) },
		"a wait":       func() error { return q.Wait(&trace.Wait{PID: busy}) },
	} {
		q = newQuiet(&trace.Log{}, nil)
		process(busy, trace.ProcessPresent, "server")
		if err := do(); err != nil || !q.told[busy] {
			t.Errorf("%s does not tell of its process (%v)", what, err)
		}
	}
}
