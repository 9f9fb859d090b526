//go:build linux

package strace

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// If strace ends while it records, its own last word is in the error, whatever it said of processes before.
func TestWordsOfStrace(t *testing.T) {
	dir := t.TempDir()
	const fails = `#!/bin/sh
[ "$1" != -V ] || { echo strace -- version 6.1; exit; }
for last; do :; done
echo "strace: Process $last attached" >&2
for n in $(seq 3000); do echo "strace: Process $n attached" >&2; done
echo "strace: no room" >&2
echo "strace: Process $last detached" >&2
exit 1
`
	if err := os.WriteFile(filepath.Join(dir, "strace"), []byte(fails), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	traced := exec.Command("sleep", "60")
	if err := traced.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = traced.Process.Kill(), traced.Wait() }()
	s, err := New()
	if err == nil {
		err = s.Attach(tracer.Scope{PIDs: []uint32{uint32(traced.Process.Pid)}})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Record(t.Context(), &trace.Log{}); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("%v", err)
	}
}
