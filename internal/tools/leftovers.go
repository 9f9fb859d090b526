//go:build linux

package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

func init() { tasks["leftovers"] = leftovers }

// leftovers finds what tests leave on a machine: processes, mounts, loop devices, control groups, BPF programs and
// files.
//
//	leftovers            list what there is now
//	leftovers -since F   list what there is now and F, a list of before, does not have; status 1 if there is any
//
// With -root DIR, only processes that have IOTRACE_FRESH=DIR in their environment, mounts in it, loop devices whose
// image is no file of others, and no files. Others may use the machine meanwhile. With -inside, what only a process
// with mounts of its own can see.
//
// What is on its way out, or belongs to somebody else who comes and goes, is no leftover: it has to stay for a minute.
func leftovers() {
	since := flag.String("since", "", "a list of `FILE` to compare with")
	root := flag.String("root", "", "look for what was left by work in this `DIR`")
	inside := flag.Bool("inside", false, "list only mounts and files: this process is in that directory")
	patience := flag.Duration("patience", time.Minute, "how long something has to stay")
	flag.Parse()
	left, err := run(*since, machine{*root, *inside}, *patience)
	if err != nil {
		fmt.Fprintln(os.Stderr, "leftovers:", err)
		os.Exit(2)
	}
	for _, thing := range left {
		fmt.Println(thing)
	}
	if *since != "" && len(left) > 0 {
		os.Exit(1)
	}
}

func run(since string, m machine, patience time.Duration) ([]string, error) {
	found, err := m.list()
	if err != nil || since == "" {
		return slices.Sorted(maps.Keys(found)), err
	}
	before, err := os.ReadFile(since)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(before)) {
		delete(found, strings.TrimSuffix(line, "\n"))
	}
	for end := time.Now().Add(patience); len(found) > 0 && time.Now().Before(end); {
		time.Sleep(min(patience/10, time.Second))
		now, err := m.list()
		if err != nil {
			return nil, err
		}
		maps.DeleteFunc(found, func(thing string, _ bool) bool { return !now[thing] })
	}
	return slices.Sorted(maps.Keys(found)), nil
}
