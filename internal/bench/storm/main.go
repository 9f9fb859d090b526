//go:build linux

// Command storm accounts for what a recorded system call costs, step by step. It loads programs that do more and more
// of what iotrace's probes do, and then iotrace itself with more and more of its reader. They take turns within one
// run, beside a process that makes calls which cost next to nothing. It writes the part of this kind of machine in
// docs/performance-storm.md. It needs root and clang-19, and to be run at the top of the tree.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == makeCalls {
		if err := calls(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "storm:", err)
			os.Exit(1)
		}
		return
	}
	var s session
	flag.IntVar(&s.rounds, "rounds", 15, "interleaved `rounds`")
	flag.IntVar(&s.pairs, "pairs", 1<<20, "reads and writes in each run")
	out := flag.String("o", "", "replace the account of this kind of machine in `FILE` (default: print it)")
	flag.Parse()
	if err := s.run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "storm:", err)
		os.Exit(1)
	}
}
