package tracer

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/testenv"
)

// launchVariable makes the test binary run its arguments as a workload and exit
// with its status.
const launchVariable = "IOTRACE_TEST_LAUNCH"

func TestMain(m *testing.M) {
	RunHeld()
	if os.Getenv(launchVariable) == "launch" {
		os.Exit(launchAndWait(os.Args[1:]))
	}
	os.Exit(testenv.Suite{M: m}.Run())
}

func launchAndWait(args []string) int {
	user, err := InvokingUser()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 125
	}
	w, err := Launch(Command{Args: args, User: user})
	if err == nil {
		err = w.Release()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return statusOf(err)
	}
	return w.ExitCode()
}

func statusOf(err error) int {
	if e := (*ExecError)(nil); errors.As(err, &e) {
		return e.Status
	}
	return 125
}

// launched is a command that runs args as a workload of a process of its own,
// direct one that runs them without us. Their surroundings are the same.
func launched(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), launchVariable+"=launch")
	return c
}

func direct(args ...string) *exec.Cmd {
	c := exec.Command(args[0], args[1:]...)
	c.Env = append(os.Environ(), launchVariable+"=launch")
	return c
}

// script writes an executable file.
func script(t *testing.T, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

var needRoot = testenv.NeedRoot

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}
