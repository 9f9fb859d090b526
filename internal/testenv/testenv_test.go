package testenv

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

const leaving = "IOTRACE_TEST_LEAVES"

func TestMain(m *testing.M) { os.Exit(Suite{M: m}.Run()) }

// TestLeavesAProcess is a test of the suite that TestSurvivorsFailTheSuite runs.
func TestLeavesAProcess(t *testing.T) {
	command := os.Getenv(leaving)
	if command == "" {
		t.Skip("leaves nothing")
	}
	if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// A suite whose tests pass fails if one of them leaves a process: a child, a grandchild, a daemon with a session
// of its own. It ends them, or the suite that runs this test would find them. One that has ended, or is about to, is no
// fault.
func TestSurvivorsFailTheSuite(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux knows whose descendants orphans are")
	}
	const sleep = "sleep 86399"
	for name, test := range map[string]struct {
		command string
		left    int
	}{
		"a child":                {sleep + " >/dev/null 2>&1 &", 1},
		"a grandchild":           {"(" + sleep + " & " + sleep + " &) >/dev/null 2>&1", 2},
		"a daemon":               {"setsid " + sleep + " >/dev/null 2>&1 &", 1},
		"one that has ended":     {"true & wait", 0},
		"one that ends just now": {"sleep 0.2 >/dev/null 2>&1 &", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(os.Args[0], "-test.run=^TestLeavesAProcess$")
			c.Env = append(os.Environ(), leaving+"="+test.command)
			out, err := c.CombinedOutput()
			if found := strings.Count(string(out), "still running: "); found != test.left || (err != nil) != (test.left > 0) {
				t.Errorf("%d processes found, %v, want %d:\n%s", found, err, test.left, out)
			}
		})
	}
}
