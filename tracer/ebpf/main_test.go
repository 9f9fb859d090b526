//go:build linux

package ebpf

import (
	"os"
	"os/exec"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/tracer"
)

func TestMain(m *testing.M) {
	tracer.RunHeld()
	workload.Main()
	// With this the C library, which workloads in this binary are linked to, does not count the processors once enough
	// threads happen to ask it for memory: a call in one run of a program and not in the other.
	if err := os.Setenv("MALLOC_ARENA_MAX", "1"); err != nil {
		panic(err)
	}
	os.Exit(testenv.Suite{M: m}.Run())
}

// What a test asks of the machine that it runs on.
var (
	missing    = testenv.Missing
	controller = testenv.Controller
	needBPF    = testenv.NeedBPF
	needTools  = testenv.NeedTools
	workDir    = testenv.WorkDir
)

// run executes a command that has to succeed and returns its output.
func run(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}
