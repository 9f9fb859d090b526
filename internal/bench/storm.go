//go:build linux

package main

import (
	"flag"
)

// benchStorm accounts for what a recorded system call costs, step by step. It loads programs that do more and more of
// what iotrace's probes do, and then iotrace itself with more and more of its reader. They take turns within one run,
// beside a process that makes calls which cost next to nothing.
func benchStorm() error {
	var s stormSession
	flag.IntVar(&s.rounds, "rounds", 15, "interleaved `rounds`")
	flag.IntVar(&s.pairs, "pairs", 1<<20, "reads and writes in each run")
	out := flag.String("o", "", "replace the account of this kind of machine in `FILE` (default: print it)")
	flag.Parse()
	return s.run(*out)
}
