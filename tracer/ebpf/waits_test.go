//go:build linux

package ebpf

import (
	"fmt"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// TestWaits tells apart what a program waits for outside of the recorded calls: descriptors, a time, another thread, a
// child. Each takes as long as is asked for, at least; how much longer is up to the machine.
// Only where the kernel's own log shows that the program got a processor from a thread of process 1, so that the end of
// a wait may not have been seen (see byInit), is it tried again.
func TestWaits(t *testing.T) {
	needBPF(t)
	const program = `import os, select, subprocess, threading, time
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
	for try := 1; ; try++ {
		switches := startFtrace(t, `next_comm == "python3"`, "sched/sched_switch")
		rec := recordCommand(t, Options{}, nil, "/usr/bin/python3", "-c", program)
		spent := map[trace.WaitCause]time.Duration{}
		for _, w := range rec.Waits {
			if w.PID == rec.Waits[0].PID {
				spent[w.Cause] += time.Duration(w.Duration)
			}
		}
		var missing []string
		for cause, want := range least {
			if spent[cause] < want {
				missing = append(missing, fmt.Sprintf("%v in %v, want %v at least", spent[cause], cause, want))
			}
		}
		if len(missing) == 0 {
			return
		}
		unseen := switches.byInit()
		if try == 3 || len(unseen) == 0 {
			t.Fatalf("try %d: %v; %v in all; after process 1: %q", try, missing, spent, unseen)
		}
		t.Logf("try %d: %v; %v in all; after process 1: %q", try, missing, spent, unseen)
	}
}
