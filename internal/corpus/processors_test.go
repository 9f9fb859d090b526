//go:build linux

package corpus

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Where others take the processor in the middle of a recording the speed falls, and that is no step: neither a device
// nor the program changed. The report says so instead.
func TestProcessorsOfOthersMakeNoStep(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "taskset", "dd")
	dir := workDir(t)
	file, half, begun := filepath.Join(dir, "file"), filepath.Join(dir, "half"), filepath.Join(dir, "begun")
	fill(t, file, 512<<20)
	for _, fifo := range []string{half, begun} {
		if err := unix.Mkfifo(fifo, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	taken := make(chan struct{})
	take := func() {
		defer func() { taken <- struct{}{} }()
		if _, err := os.ReadFile(half); err != nil { // until the first half has been read
			t.Error(err)
		}
		for range 4 {
			busy := exec.Command("taskset", "-c", "0", "sh", "-c", "while :; do :; done")
			if err := busy.Start(); err != nil {
				t.Error(err)
				continue
			}
			t.Cleanup(func() { _ = busy.Process.Kill(); _ = busy.Wait() })
		}
		if err := os.WriteFile(begun, []byte("\n"), 0o600); err != nil {
			t.Error(err)
		}
	}
	read := "dd if=" + file + " of=/dev/null bs=4k status=none"
	go take()
	p := attempt(t, "taskset", "-c", "0", "sh", "-c", fmt.Sprintf("%s; echo > %s; read x < %s; %[1]s", read, half, begun))
	<-taken
	for _, s := range p.ChangePoints {
		t.Errorf("%s %s: %.0f → %.0f MB/s after %d bytes", s.Series, s.Device, float64(s.Before)/1e6,
			float64(s.After)/1e6, s.AtBytes)
	}
	warned(t, p, "processors_shared")
}
