//go:build linux

package main

import (
	"errors"
	"time"
)

// result is what a check in the machine found.
type result struct {
	Check  string   `json:"check"`
	OK     bool     `json:"ok"`
	Found  string   `json:"found"`
	Limits []string `json:"limits,omitempty"`
}

// outcome is what came of one kernel.
type outcome struct {
	kernel  *kernel
	checks  []string // what is to be found
	results []result
	err     error // the machine did not come to its end
	took    time.Duration
}

func (o *outcome) find(check string) result {
	for _, r := range o.results {
		if r.Check == check {
			return r
		}
	}
	return result{Check: check, Found: "not reached"}
}

func (o *outcome) ok() bool {
	for _, name := range o.checks {
		if !o.find(name).OK {
			return false
		}
	}
	return o.err == nil
}

// ended tells whether the machine came to the end of its checks.
func (o *outcome) ended() bool {
	if len(o.results) == 0 {
		return false
	}
	last := o.results[len(o.results)-1]
	return last.Check == o.checks[len(o.checks)-1] || !last.OK
}

var checkNames = []string{"doctor", "self-test", "copy", "direct", "uring", "limit", "fat",
	"biosnoop", "storm", "overflow"}

// errUnavailable is of a kernel that could not be fetched, for the mirror cannot be reached or does not have it, or of
// an emulator that is not installed.
var errUnavailable = errors.New("it is not to be had here")
