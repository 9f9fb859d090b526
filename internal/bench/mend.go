//go:build linux

package main

import (
	"flag"
	"fmt"
)

// benchMends checks the standard set of iotrace whatif against what really happened. It records programs, fixes each in
// several ways for real, and compares the prediction from the first recording with the time of the fixed program.
//
//	mends record DIR     recordings, DIR/PROGRAM/MEND-N.iotrace
//	mends judge DIR      the table of docs/verification.md
//	mends diff DIR       what iotrace diff says changed between a program and its mend
func benchMends() error {
	var s mendSession
	flag.StringVar(&s.tool, "iotrace", "./iotrace", "the `binary` to check")
	flag.StringVar(&s.temp, "temp", "/var/tmp", "make the devices in `DIR`")
	flag.IntVar(&s.runs, "runs", 3, "recordings of each program, and of each that is mended")
	flag.StringVar(&s.only, "only", "", "these programs (comma-separated)")
	flag.BoolVar(&s.verbose, "v", false, "list each mend")
	flag.Parse()
	if flag.NArg() != 2 {
		return errUsage
	}
	return s.run(flag.Arg(0), flag.Arg(1))
}

func (s *mendSession) run(verb, dir string) error {
	switch verb {
	case "record":
		return s.record(dir)
	case "judge":
		return s.judge(dir)
	case "diff":
		return s.diff(dir)
	}
	return fmt.Errorf("%q: neither record, judge nor diff", verb)
}
