package host

import (
	"os/exec"
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
