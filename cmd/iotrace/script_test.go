package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

func TestMain(m *testing.M) {
	handOver()
	tracer.RunHeld()
	backends.RunSelfTest()
	os.Setenv("LC_ALL", "C.UTF-8") // goldens have bars
	testscript.Main(testenv.Suite{M: m}, map[string]func(){"iotrace": func() {
		tracer.RunHeld()
		backends.RunSelfTest()
		b := backends.Here()
		if os.Getenv("IOTRACE_TEST_FAKE") != "" {
			b = backends.List{fakeBackend}
		}
		os.Exit(run(os.Args[1:], cli.Standard(), b))
	}})
}

// TestScript runs the command lines in testdata/script.
func TestScript(t *testing.T) {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts:", err)
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("IOTRACE_REQUIRE_BPF", os.Getenv("IOTRACE_REQUIRE_BPF"))
			recordings, err := filepath.Abs("../../testdata")
			e.Setenv("RECORDINGS", recordings)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "bpf": // false where recording cannot be tried, unless that is not allowed
				return os.Getenv("IOTRACE_REQUIRE_BPF") == "1" || runtime.GOOS == "linux" && os.Geteuid() == 0, nil
			}
			return false, nil
		},
	})
}

// status runs a command and checks its exit status: "status 2 iotrace record".
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [arg]...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit := (*exec.ExitError)(nil)
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("status %d, want %d", got, want)
	}
}
