//go:build linux

package ebpf

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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
	taken(t, pid) // each computes, where it was the last to make a call
	s := begin(t, Options{}, tracer.Scope{PIDs: []uint32{pid}})
	began := s.Now()
	taken(t, pid)
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

// taken waits until three of the program's threads have lost their processor to others twice.
func taken(t *testing.T, pid uint32) {
	t.Helper()
	before := lost(t, pid)
	await(t, "two turns of three threads", func() bool {
		n := 0
		for path, times := range lost(t, pid) {
			if times >= before[path]+2 {
				n++
			}
		}
		return n == 3
	})
}

// lost is how often each of the program's threads has lost its processor to others.
func lost(t *testing.T, pid uint32) map[string]int {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(tasks) != 5 {
		t.Fatalf("%d threads: %v", len(tasks), err)
	}
	times := map[string]int{}
	for _, path := range tasks {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, count, _ := strings.Cut(string(text), "nonvoluntary_ctxt_switches:")
		times[path], _ = strconv.Atoi(strings.TrimSpace(count))
	}
	return times
}
