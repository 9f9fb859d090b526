//go:build linux

package ebpf

import (
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// TestWaits tells apart what a program waits for outside of the recorded calls: descriptors, a time, another thread, a
// child. Each takes as long as is asked for, at least; how much longer is up to the machine. The program goes before
// all others, so that none takes the processor from it between a call and the wait in that.
func TestWaits(t *testing.T) {
	needBPF(t)
	const program = `import os, select, subprocess, threading, time
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
time.sleep(0.1); select.select([], [], [], 0.2)
r, w = os.pipe(); select.select([r], [], [], 0.1)
p = select.poll(); p.register(r); p.poll(200); e = select.epoll(); e.register(r); e.poll(0.3)
l = threading.Lock(); l.acquire(); l.acquire(timeout=0.4)
subprocess.run(["sleep", "0.5"])`
	// A time that a program waits for begins before it leaves the processor: 23 µs were missing of 400 ms.
	least := map[trace.WaitCause]time.Duration{
		trace.WaitSleep: 299 * time.Millisecond, trace.WaitPoll: 99 * time.Millisecond,
		trace.WaitTimeout: 490 * time.Millisecond,
		trace.WaitFutex:   399 * time.Millisecond, trace.WaitChild: 490 * time.Millisecond,
	}
	if legacyProbes {
		least = map[trace.WaitCause]time.Duration{trace.WaitOther: 1790 * time.Millisecond}
	}
	s, c := launch(t, Options{}, "/usr/bin/python3", "-c", program)
	wait(t, c)
	rec := s.end()
	spent := map[trace.WaitCause]time.Duration{}
	for _, w := range rec.Waits {
		if w.PID == uint32(c.PID()) {
			spent[w.Cause] += time.Duration(w.Duration)
		}
	}
	for cause, want := range least {
		if spent[cause] < want {
			t.Errorf("%v in %v, want %v at least; %v in all", spent[cause], cause, want, spent)
		}
	}
}
