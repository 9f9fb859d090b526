//go:build linux

package ebpf

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// blockedLine matches a switch away from a thread that waits.
var blockedLine = regexp.MustCompile(`sched_switch: .*prev_pid=(\d+) .*prev_state=[SD]`)

// TestWaitsThatEndAfterProcess1: some kernels run no probe as a thread takes the CPU from process 1. Its wait is
// recorded all the same, when it leaves the CPU again: of 40,000 sleeps some ten end so on such a kernel.
func TestWaitsThatEndAfterProcess1(t *testing.T) {
	needBPF(t)
	needTools(t, "python3")
	log := startFtrace(t, `prev_comm == "python3"`, "sched/sched_switch")
	rec := recordCommand(t, Options{}, nil, "python3", "-c", `import threading, time
def sleep():
    for i in range(20000): time.sleep(1e-5)
threads = [threading.Thread(target=sleep) for i in range(2)]
for t in threads: t.start()
for t in threads: t.join()`)
	blocked, waits := map[string]int{}, map[string]int{}
	for _, line := range log.lines() {
		if m := blockedLine.FindStringSubmatch(line); m != nil {
			blocked[m[1]]++
		}
	}
	late := 0
	for i := range rec.Waits {
		w := &rec.Waits[i]
		if w.Flags&trace.WaitHelper != 0 || w.TID == w.PID || w.Cause == trace.WaitReady {
			continue
		}
		waits[strconv.Itoa(int(w.TID))]++
		if w.Cause == trace.WaitOther {
			late++
		}
	}
	t.Logf("waits %v, %d told late", blocked, late)
	for tid, n := range waits {
		if n != blocked[tid] || n < 19000 {
			t.Errorf("thread %s waited %d times, %d are recorded", tid, blocked[tid], n)
		}
	}
	if len(waits) != 2 {
		t.Errorf("waits of %d threads, want 2", len(waits))
	}
}
