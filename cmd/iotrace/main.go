//go:build !manual

// Command iotrace records what a workload does to its disk and explains why
// that is slower than a benchmark.
package main

import (
	"os"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

func main() {
	tracer.RunHeld()
	backends.RunSelfTest()
	os.Exit(run(os.Args[1:], cli.Standard(), backends.Here()))
}
