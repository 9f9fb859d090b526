//go:build linux

package main

import (
	"flag"
)

// benchWhatif checks iotrace whatif against the truth. It records workloads on devices that differ in one way, predicts
// from each recording what the workload takes on the others, and compares.
//
//	whatif record DIR     recordings, DIR/DEVICE/WORKLOAD-N.iotrace
//	whatif judge DIR      the table of docs/verification.md
func benchWhatif() error {
	var s whatifSession
	flag.StringVar(&s.tool, "iotrace", "./iotrace", "the `binary` to check")
	flag.StringVar(&s.temp, "temp", "/var/tmp", "make the devices in `DIR`")
	flag.IntVar(&s.runs, "runs", 3, "recordings of each workload on each device")
	flag.StringVar(&s.only, "only", "", "these workloads (comma-separated)")
	flag.StringVar(&s.places, "places", "", "these devices (comma-separated)")
	flag.Parse()
	if flag.NArg() != 2 {
		return errUsage
	}
	return s.run(flag.Arg(0), flag.Arg(1))
}
