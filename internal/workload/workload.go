// Package workload holds programs whose I/O is known in advance, for tests of
// the tracers. A test binary carries them all: its TestMain calls Main, and a
// test runs one with the arguments that Args returns. It is a package of its
// own because tests of several packages run its programs.
package workload

import (
	"fmt"
	"os"
	"strings"
)

// prefix marks the first argument of a process that is to be a workload.
const prefix = "workload:"

// programs are the workloads by name. Each gets its arguments and reports what
// went wrong.
var programs = map[string]func(args []string) error{}

// Main runs a workload and exits, if this process was started with Args.
// Otherwise it does nothing.
func Main() {
	if len(os.Args) < 2 || !strings.HasPrefix(os.Args[1], prefix) {
		return
	}
	name := strings.TrimPrefix(os.Args[1], prefix)
	run, ok := programs[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "no workload %q\n", name)
		os.Exit(2)
	}
	if err := run(os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "workload %s: %v\n", name, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Args is the command line that runs a workload in a process of its own.
func Args(name string, args ...string) []string {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return append([]string{self, prefix + name}, args...)
}
