package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestRealDTraceScript runs the product with the dtrace that `make test-dtrace`
// names.
func TestRealDTraceScript(t *testing.T) {
	program := os.Getenv("IOTRACE_DTRACE")
	if program == "" {
		t.Skip("IOTRACE_DTRACE does not name a dtrace; run `make test-dtrace`")
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/dtrace",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			bin := filepath.Join(e.WorkDir, "bin")
			if err := os.Mkdir(bin, 0o755); err != nil {
				return err
			}
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			return os.Symlink(program, filepath.Join(bin, "dtrace"))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}
