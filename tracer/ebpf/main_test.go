//go:build linux

package ebpf

import (
	"errors"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/tracer"
)

func TestMain(m *testing.M) {
	tracer.RunHeld()
	workload.Main()
	os.Exit(testenv.Suite{M: m}.Run())
}

// strict makes a test fail for what it would otherwise be skipped for.
func strict() bool { return os.Getenv("IOTRACE_REQUIRE_BPF") == "1" }

// missing ends a test that needs something this machine lacks.
func missing(t testing.TB, format string, args ...any) {
	t.Helper()
	if strict() {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// needBPF ends a test if probes cannot be loaded here.
func needBPF(t testing.TB) {
	t.Helper()
	if os.Geteuid() != 0 {
		missing(t, "recording needs root")
	}
	if _, err := os.Stat("/sys/kernel/btf/vmlinux"); errors.Is(err, unix.ENOENT) {
		missing(t, "this kernel has no type information (BTF)")
	}
}

// needTools ends a test if a program is not installed.
func needTools(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err != nil {
			missing(t, "%s is not installed", name)
		}
	}
}

// workDir is a directory on a file system with a block device: /tmp may be a
// tmpfs, /var/tmp never is.
func workDir(t testing.TB) string {
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

// run executes a command that has to succeed and returns its output.
func run(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}
