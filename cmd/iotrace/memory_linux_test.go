package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
)

// A recorder takes the buffer that its control group has room for, and says so; with one that is too large for it the
// message names --buffer.
func TestRecordingWithLittleMemory(t *testing.T) {
	testenv.NeedRoot(t)
	program := filepath.Join(t.TempDir(), "iotrace")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	group := memoryGroup(t, 110<<20)
	record := func(flags string) (string, error) {
		line := fmt.Sprintf("echo $$ > %s/cgroup.procs && exec %s record -f -o %s/t.iotrace --backend ebpf %s -- true", group,
			program, t.TempDir(), flags)
		out, err := exec.Command("sh", "-c", line).CombinedOutput()
		return string(out), err
	}
	out, err := record("")
	if err != nil || !strings.Contains(out, "instead of 64 MiB: control group /"+filepath.Base(group)) ||
		!strings.Contains(out, "--buffer") {
		t.Errorf("%v: %s", err, out)
	}
	out, err = record("--buffer 512MiB")
	if err == nil || !strings.Contains(out, "cannot allocate memory") || !strings.Contains(out,
		"smaller buffer than 512 MiB") ||
		!strings.Contains(out, filepath.Base(group)) {
		t.Errorf("%v: %s", err, out)
	}
}

// memoryGroup makes a control group with a limit of memory and returns its directory.
func memoryGroup(t *testing.T, limit int) string {
	t.Helper()
	for _, v := range [][2]string{{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"}} {
		dir := filepath.Join(v[0], "iotrace-memory-"+strconv.Itoa(os.Getpid()))
		if os.Mkdir(dir, 0o755) != nil {
			continue
		}
		t.Cleanup(func() {
			if err := os.Remove(dir); err != nil {
				t.Error(err)
			}
		})
		if os.WriteFile(filepath.Join(dir, v[1]), []byte(strconv.Itoa(limit)), 0o644) == nil {
			return dir
		}
	}
	testenv.Missing(t, "no limit of memory can be set for a control group")
	return ""
}
