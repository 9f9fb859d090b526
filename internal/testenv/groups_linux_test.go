package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

// outcome keeps how a test would end first.
type outcome struct {
	testing.TB
	how string
}

func (o *outcome) Helper()               {}
func (o *outcome) Skipf(string, ...any)  { o.end("skipped") }
func (o *outcome) Fatalf(string, ...any) { o.end("failed") }

func (o *outcome) end(how string) {
	if o.how == "" {
		o.how = how
	}
}

// What is missing fails where nothing may be; what this kind of machine does not have is left out.
func TestController(t *testing.T) {
	t.Setenv("IOTRACE_REQUIRE_BPF", "1")
	first, second, none := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(first, "pids"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(second, "cgroup.controllers"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for root, want := range map[string]string{first: "", second: "skipped", none: "failed"} {
		o := &outcome{TB: t}
		if dir := controller(o, root, "pids"); o.how != want || want == "" && dir != filepath.Join(first, "pids") {
			t.Errorf("%s: %q, a test ends as %q, want %q", root, dir, o.how, want)
		}
	}
}
