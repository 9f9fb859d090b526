//go:build linux

package ebpf

import (
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// TestWaits tells apart what a program waits for outside of the recorded calls: descriptors, a time, another thread, a
// child. Each takes as long as is asked for, at least; how much longer is up to the machine.
func TestWaits(t *testing.T) {
	needBPF(t)
	const program = `import os, select, subprocess, threading, time
time.sleep(0.1); select.select([], [], [], 0.2)
r, w = os.pipe(); select.select([r], [], [], 0.1)
p = select.poll(); p.register(r); p.poll(200); e = select.epoll(); e.register(r); e.poll(0.3)
l = threading.Lock(); l.acquire(); l.acquire(timeout=0.4)
subprocess.run(["sleep", "0.5"])`
	rec := recordCommand(t, Options{}, nil, "/usr/bin/python3", "-c", program)
	asked := map[trace.WaitCause]time.Duration{
		trace.WaitSleep: 300 * time.Millisecond, trace.WaitPoll: 100 * time.Millisecond,
		trace.WaitTimeout: 500 * time.Millisecond,
		trace.WaitFutex:   400 * time.Millisecond, trace.WaitChild: 500 * time.Millisecond,
	}
	if legacyProbes {
		asked = map[trace.WaitCause]time.Duration{trace.WaitOther: 1800 * time.Millisecond}
	}
	spent := map[trace.WaitCause]time.Duration{}
	for _, w := range rec.Waits {
		if w.PID == rec.Waits[0].PID {
			spent[w.Cause] += time.Duration(w.Duration)
		}
	}
	for cause, want := range asked {
		// A time that a program waits for begins before it leaves the processor, which it may also lose before that.
		if spent[cause]+spent[trace.WaitReady] < want-10*time.Millisecond {
			t.Errorf("%v in %v, want %v; %v in all", spent[cause], cause, want, spent)
		}
	}
}
