//go:build linux

// Command mendbench checks the standard set of iotrace whatif against what really happened. It records programs,
// fixes each in several ways for real, and compares the prediction from the first recording with the time of the
// fixed program. It needs root.
//
//	mendbench record DIR     recordings, DIR/PROGRAM/MEND-N.iotrace
//	mendbench judge DIR      the table of docs/verification.md
//	mendbench diff DIR       what iotrace diff says changed between a program and its mend
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/bench/slow"
)

func main() {
	slow.Serving()
	var s session
	flag.StringVar(&s.tool, "iotrace", "./iotrace", "the `binary` to check")
	flag.StringVar(&s.temp, "temp", "/var/tmp", "make the devices in `DIR`")
	flag.IntVar(&s.runs, "runs", 3, "recordings of each program, and of each that is mended")
	flag.StringVar(&s.only, "only", "", "these programs (comma-separated)")
	flag.BoolVar(&s.verbose, "v", false, "list each mend")
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := s.run(flag.Arg(0), flag.Arg(1)); err != nil {
		fmt.Fprintln(os.Stderr, "mendbench:", err)
		os.Exit(1)
	}
}

func (s *session) run(verb, dir string) error {
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

// chosen reports whether a name is in a list, or the list is empty.
func chosen(list, name string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), name)
}
