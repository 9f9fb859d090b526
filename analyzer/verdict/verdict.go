// Package verdict answers the question that a recording is made for: what held the
// workload back? It reads a finished profile and nothing else.
//
// The time until the data was safe is parted among causes of a fixed taxonomy
// (docs/verdict.md), so that shares can be compared and add up to one at most. What
// the recording does not tell stays without a cause.
package verdict

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// The codes of the causes.
const (
	DeviceBandwidth = "device_bandwidth" // requests always waited at the device
	DeviceLatency   = "device_latency"   // one wait for the device after another
	ProgramStart    = "program_start"    // the program and its libraries had to be read
	Settling        = "settling"         // after the last write: the file system's journal, the drive's cache
	MappedReads     = "mapped_reads"     // likewise, in page faults of mapped files
	LimitAbove      = "limit_above"      // held back above the device
	OtherUsers      = "other_users"      // others used the device
	Sync            = "sync"             // waiting for data to be safe, again and again
	DirtyLimit      = "dirty_limit"      // held back because too much data waited to be written
	PageCache       = "page_cache"       // copying to and from memory
	Names           = "names"            // calls on names, attributes and allocation
	OwnCPU          = "own_cpu"          // the program computed
	CPUContention   = "cpu_contention"   // ready to run, but others had the processors
	UserSpaceFS     = "user_space_fs"    // a file system that is a process
	NetworkFS       = "network_fs"       // a file system on another machine
	OtherEnd        = "other_end"        // the other end of a pipe or a socket
	BlockedInCall   = "blocked_in_call"  // a lock, the file system's journal
	ThinkTime       = "think_time"       // nobody did anything
	OutsideOfCalls  = "outside_of_calls" // outside of recorded calls; no more is recorded
)

// How sure a cause is.
const (
	Proved     = "proved"
	Fits       = "fits"
	Experiment = "experiment"
)

// worthTelling is the share from which on a cause is listed.
const worthTelling = 0.02

// rules are what may have held a workload back. Each takes its part of the time.
var rules = []func(*account){
	(*account).sync, (*account).device, (*account).aboveDevice, (*account).throttled,
	(*account).copying, (*account).names, (*account).computing, (*account).blocked, (*account).idle,
}

// Judge says what held the workload of a profile back.
func Judge(p *profile.Profile) profile.Verdict {
	v := profile.Verdict{Lines: []string{}, Causes: []profile.Reason{}}
	a := open(p)
	if a.total <= 0 {
		return v
	}
	for _, rule := range rules {
		rule(a)
	}
	for _, r := range a.reasons {
		if r.Share = float64(r.TimeNS) / float64(a.total); r.Share >= worthTelling {
			v.Causes = append(v.Causes, r)
		}
	}
	slices.SortStableFunc(v.Causes, func(x, y profile.Reason) int { return cmp.Compare(y.TimeNS, x.TimeNS) })
	v.Lines = a.lines(v.Causes)
	return v
}
