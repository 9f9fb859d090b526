//go:build linux

package corpus

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
)

var (
	binary string // the iotrace under test
	tools  string // directory of the copiers that were compiled
)

func TestMain(m *testing.M) {
	testenv.Serving()
	serveIOCopy()
	code, err := build(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// build compiles the binary, runs the tests and cleans up.
func build(m *testing.M) (code int, err error) {
	tools, err = os.MkdirTemp("/var/tmp", "iotrace-corpus-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(tools)
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(tools, ioCopy))
	}
	if err != nil {
		return 1, err
	}
	// Java would leave a directory for those who want to watch it.
	if err := os.Setenv("JAVA_TOOL_OPTIONS", "-XX:-UsePerfData"); err != nil {
		return 1, err
	}
	binary = filepath.Join(tools, "iotrace")
	if os.Geteuid() == 0 {
		if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/iotrace").CombinedOutput(); err != nil {
			return 1, fmt.Errorf("building iotrace: %w\n%s", err, out)
		}
	}
	return testenv.Suite{M: m}.Run(), nil
}

// What a test asks of the machine that it runs on.
var (
	needPrivilege = testenv.NeedBPF
	needPrograms  = testenv.NeedTools
	workDir       = testenv.WorkDir
	groups        = testenv.Controller
)

// cannot is how a test ends that the machine does not allow.
func cannot(t testing.TB) func(format string, args ...any) {
	return func(format string, args ...any) {
		t.Helper()
		testenv.Missing(t, format, args...)
	}
}

// present reports whether all of some programs are installed.
func present(names string) bool {
	for _, name := range strings.Fields(names) {
		if _, err := exec.LookPath(name); err != nil {
			return false
		}
	}
	return true
}

// run executes a command that has to succeed and returns its output.
func run(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s%s", args, err, out, room(out))
	}
	return strings.TrimSpace(string(out))
}

// room says how much room there is on all file systems, to a command that had none.
func room(out []byte) []byte {
	if !bytes.Contains(bytes.ToLower(out), []byte(unix.ENOSPC.Error())) {
		return nil
	}
	left, _ := exec.Command("df").CombinedOutput()
	return left
}

// in is a shell command line in a directory.
func in(dir, script string) []string {
	return []string{"sh", "-c", "cd " + dir + " && " + script}
}
