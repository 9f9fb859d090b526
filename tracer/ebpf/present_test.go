//go:build linux

package ebpf

import (
	"bufio"
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// TestThreadsThatMakeNoCall: whoever ran before the probes is followed, though no call tells of it. Threads that
// compute take turns on a processor, and those that wait have waited since the recording began.
func TestThreadsThatMakeNoCall(t *testing.T) {
	needBPF(t)
	exe := compile(t, "present", "-pthread")
	c := exec.Command("taskset", "-c", "0", exe) // so that three threads wait for each other wherever this runs
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "there\n" {
		t.Fatalf("the program says %q", line)
	}
	pid := uint32(c.Process.Pid)
	// Each computes by now, where it was the last to make a call.
	time.Sleep(100 * time.Millisecond)
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(c.Process.Pid) + "/task/*")
	if err != nil || len(tasks) != 5 {
		t.Fatalf("%d threads: %v", len(tasks), err)
	}
	s := begin(t, Options{}, tracer.Scope{PIDs: []uint32{pid}})
	began := s.Now()
	time.Sleep(100 * time.Millisecond)
	if err := errors.Join(in.Close(), c.Wait()); err != nil {
		t.Fatal(err)
	}
	ready, since := map[uint32]bool{}, map[uint32]bool{}
	for _, w := range s.end().Waits {
		switch {
		case w.Flags&trace.WaitHelper != 0:
		case w.Cause == trace.WaitReady:
			ready[w.TID] = true
		case w.Start < began:
			since[w.TID] = true
		}
	}
	if delete(ready, pid); len(ready) < 3 || len(since) != 2 || !since[pid] {
		t.Errorf("threads %v took turns, and %v waited since before; want three, and the first and another one", ready, since)
	}
}
