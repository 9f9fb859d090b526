//go:build linux

// Command whatifbench checks iotrace whatif against the truth. It records
// workloads on devices that differ in one way, predicts from each recording
// what the workload takes on the others, and compares. It needs root.
//
//	whatifbench record DIR     recordings, DIR/DEVICE/WORKLOAD-N.iotrace
//	whatifbench judge DIR      the table of docs/verification.md
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/iotrace/iotrace/internal/bench/slow"
)

func main() {
	slow.Serving()
	var s session
	flag.StringVar(&s.tool, "iotrace", "./iotrace", "the `binary` to check")
	flag.StringVar(&s.temp, "temp", "/var/tmp", "make the devices in `DIR`")
	flag.IntVar(&s.runs, "runs", 3, "recordings of each workload on each device")
	flag.StringVar(&s.only, "only", "", "these workloads (comma-separated)")
	flag.StringVar(&s.places, "places", "", "these devices (comma-separated)")
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := s.run(flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, "whatifbench:", err)
		os.Exit(1)
	}
}
