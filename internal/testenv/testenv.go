// Package testenv gives tests and measurements the machine that they need. It checks what is there, and makes slow
// devices. On one nothing but depth helps, and others follow a model. File systems over files in memory are disturbed
// by no other use of the disk.
package testenv

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// Strict says that nothing may be missing, as in CI: a test that cannot run fails.
func Strict() bool { return os.Getenv("IOTRACE_REQUIRE_BPF") == "1" }

// Missing ends a test that needs something this machine lacks: it is skipped, unless that is not allowed.
func Missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if Strict() {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// NeedRoot ends a test that others than root cannot run.
func NeedRoot(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		Missing(t, "needs root")
	}
}

// NeedBPF ends a test if probes cannot be loaded here.
func NeedBPF(t testing.TB) {
	t.Helper()
	NeedRoot(t)
	if runtime.GOOS != "linux" {
		Missing(t, "needs Linux")
	}
	if _, err := os.Stat("/sys/kernel/btf/vmlinux"); errors.Is(err, fs.ErrNotExist) {
		Missing(t, "this kernel has no type information (BTF)")
	}
}

// NeedTools ends a test for programs that are not installed.
func NeedTools(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			Missing(t, "%s is not installed (scripts/install-test-deps)", name)
		}
	}
}

// WorkDir is a directory on a file system with a block device, as long as the test runs: /tmp may be a tmpfs,
// /var/tmp never is.
func WorkDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "iotrace-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// Listing is the names in a directory.
func Listing(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// Suite is the tests of a package that start processes: os.Exit(testenv.Suite{M: m}.Run()).
type Suite struct{ M interface{ Run() int } }

// Run runs the tests. It fails if a process that they have started is still there afterwards, whoever its parent
// was, and ends it.
func (s Suite) Run() int {
	adoptOrphans()
	code := s.M.Run()
	if endChildren(os.Stderr) && code == 0 {
		code = 1
	}
	return code
}
