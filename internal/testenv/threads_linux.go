package testenv

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
)

// NoNewThreads locks the test to its thread and lets that start no further one
// until the test ends, as a limit of processes does.
func NoNewThreads(t testing.TB) {
	t.Helper()
	NeedRoot(t)
	root := Controller(t, "pids")
	dir, err := os.MkdirTemp(root, "iotrace-test-")
	if err != nil {
		Missing(t, "limiting threads: %v", err)
	}
	runtime.LockOSThread()
	thread := []byte(strconv.Itoa(unix.Gettid()))
	t.Cleanup(func() {
		defer runtime.UnlockOSThread()
		if err := os.WriteFile(filepath.Join(root, "tasks"), thread, 0); err != nil {
			t.Error(err)
		}
		if err := os.Remove(dir); err != nil {
			t.Error(err)
		}
	})
	for _, file := range []struct {
		name    string
		content []byte
	}{{"pids.max", []byte("1")}, {"tasks", thread}} {
		if err := os.WriteFile(filepath.Join(dir, file.name), file.content, 0); err != nil {
			t.Fatal(err)
		}
	}
}
