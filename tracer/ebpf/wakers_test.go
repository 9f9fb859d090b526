//go:build linux

package ebpf

import (
	"slices"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// longest is the longest wait of a thread, which is the one that a program made on purpose.
func longest(t *testing.T, rec *recording, of func(w *trace.Wait) bool) trace.Wait {
	t.Helper()
	var found trace.Wait
	for i := range rec.Waits {
		if w := &rec.Waits[i]; w.Duration > found.Duration && of(w) {
			found = *w
		}
	}
	if found.Duration == 0 {
		t.Fatalf("no such wait among %+v", rec.Waits)
	}
	return found
}

// Each program waits for 50 ms and more, and what ends that is known.
func TestWhatWakes(t *testing.T) {
	needBPF(t)
	needTools(t, "python3")
	const pause = 50 * time.Millisecond
	for _, test := range []struct {
		name, program string
		by            trace.WakeSource
		from          string // who wakes: parent, child, or another thread of the process
	}{
		{"sleep", "time.sleep(.05)", trace.WokenByTimer, ""},
		{"poll", "p = select.poll(); p.register(os.pipe()[0]); p.poll(60)", trace.WokenByTimer, ""},
		{"pipe", `r, w = os.pipe()
if os.fork() == 0: time.sleep(.05); os.write(w, b"x"); os._exit(0)
os.read(r, 1)`, trace.WokenByThread, "child"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rec := recordCommand(t, Options{}, nil, "/usr/bin/python3", "-c",
				"import os, select, time, threading\n"+test.program)
			main := rec.Processes[0].PID
			w := longest(t, rec, func(w *trace.Wait) bool { return w.TID == main && w.Cause != trace.WaitReady })
			if w.Duration < int64(pause) {
				t.Fatalf("the longest wait is %+v", w)
			}
			if w.By != test.by {
				t.Errorf("woken by %v, want %v: %+v", w.By, test.by, w)
			}
			if test.from == "child" {
				i := slices.IndexFunc(rec.Processes, func(p trace.Process) bool {
					return p.Action == trace.ProcessFork && p.Parent == main
				})
				if i < 0 || rec.Processes[i].TID != w.Waker {
					t.Errorf("woken by %d; processes %+v", w.Waker, rec.Processes)
				}
			}
		})
	}
}
