package host

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A process runs for as long as any of its threads does.
func TestRunning(t *testing.T) {
	python, err := exec.LookPath("/usr/bin/python3")
	if err != nil {
		t.Skip("python3 is not installed: ends the main thread alone")
	}
	c := exec.Command(python, "-c", `import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
print("alone", flush=True)
ctypes.CDLL(None).pthread_exit(None)`)
	in, err1 := c.StdinPipe()
	out, err2 := c.StdoutPipe()
	if err := c.Start(); err != nil || err1 != nil || err2 != nil {
		t.Fatal(err, err1, err2)
	}
	pid := uint32(c.Process.Pid)
	if _, err := out.Read(make([]byte, 16)); err != nil {
		t.Fatal(err)
	}
	for state, _ := processState(pid); state != 'Z'; state, _ = processState(pid) {
		time.Sleep(time.Millisecond)
	}
	if !Running(pid) {
		t.Error("a process whose main thread has ended does not run")
	}
	in.Close()
	for state, threads := processState(pid); state != 'Z' || threads > 1; state, threads = processState(pid) {
		time.Sleep(time.Millisecond)
	}
	if Running(pid) {
		t.Error("a process that waits to be reaped runs")
	}
	_ = c.Wait()
	if Running(pid) {
		t.Error("a process that was reaped runs")
	}
}

// The kernel's threads are told from programs by their parent.
func TestOfKernel(t *testing.T) {
	if OfKernel(uint32(os.Getpid())) || OfKernel(1) || OfKernel(1<<31) {
		t.Error("a program, or nothing, is a thread of the kernel")
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.ParseUint(e.Name(), 10, 32)
		comm, _ := os.ReadFile("/proc/" + e.Name() + "/comm")
		if err == nil && strings.HasPrefix(string(comm), "ksoftirqd/") {
			if !OfKernel(uint32(pid)) {
				t.Errorf("%d is none: %s", pid, comm)
			}
			return
		}
	}
	t.Log("no thread of the kernel is to be seen here, as in a container")
}
