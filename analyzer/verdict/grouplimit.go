package verdict

import (
	"fmt"
	"math"

	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
)

// reachedFrom is how much of a limit is used where it holds a program back: the kernel lets bytes through in portions
// (block/blk-throttle.c), and while the next one is saved up, what the program computes counts against it.
const reachedFrom = twoThirds

// namedFrom is how much of it is used where it is likely to: on old kernels some of what a limit holds back counts as
// that of others (docs/kernels.md), and a program may do other things as well.
const namedFrom = fifth

// groupLimit is a limit of a control group, and how much of it the workload used while it was held back, or the device
// was busy with its requests.
type groupLimit struct {
	used     float64
	reached  float64 // bytes or requests a second
	text     string
	evidence profile.Evidence
}

// behindLimit gives time in which writes did not get through to aboveDevice, if it was a limit of a control group that
// held their data back: a sync then waits for that, and who writes more for as much to be gone.
func behindLimit(a *account, d *wording.Disk, ns int64) bool {
	if !reaches(a, d, ns) {
		return false
	}
	a.give(onNothing, ns)
	return true
}

// letThrough gives time in syncs to aboveDevice, if in most of it no request was to be seen, and a timer of the kernel
// ended the waits: a limit lets through what is due, and has a worker look again when more is.
func (a *account) letThrough(ns int64) bool {
	if 2*a.timed() <= ns {
		return false
	}
	a.give(onNothing, ns)
	return true
}

// timed is for how long syncs waited for workers of the kernel that waited for a timer.
func (a *account) timed() int64 {
	return a.onPath(func(x *profile.PathPart) bool {
		return x.Place.Helper && x.Place.What == "timeout" && labels[x.Place.Label] == inSync
	})
}

// reaches reports whether writes came up to a limit, if this time was spent waiting for them too.
func reaches(a *account, d *wording.Disk, ns int64) bool {
	return limitOn(a, d, ns+a.spent[onQueue]+a.spent[onNothing]+a.spent[onThrottle]).used >= reachedFrom
}

// limitOn is the limit that the workload used most of at a device, in one direction. held is for how long it waited
// with nothing at the device.
func limitOn(a *account, d *wording.Disk, held int64) (most groupLimit) {
	seconds := float64(held+d.Flow.Depth.BusyNS) / 1e9
	verb := map[string]string{"read": "read", "wrote": "write"}[d.Verb]
	limits := a.p.Trace.IOLimits
	for i := range limits {
		l := &limits[i]
		if l.Device != d.Name || seconds <= 0 {
			continue
		}
		for _, of := range wording.IOLimits() {
			if of.Verb != verb {
				continue
			}
			did := d.Flow.Count
			if of.Bytes() {
				did = d.Flow.Bytes
			}
			allowed := allowanceOf(limits, i, of.Of, a.p.StartNS, a.p.StartNS+a.total)
			reached := float64(did) / seconds
			if used := reached / allowed.Mean; allowed.Mean > 0 && used > most.used {
				pointer := fmt.Sprintf("/trace/io_limits/%d%s", allowed.Lowest, of.Pointer)
				most = groupLimit{used: used, reached: reached, evidence: at(pointer, float64(allowed.Low)),
					text: fmt.Sprintf("cgroup %q limits it to %s %s at %s; it %s %s meanwhile", l.Group, verb,
						allowed.Text(of.Text), d.Name, d.Verb, of.Text(int64(math.Round(reached))))}
			}
		}
	}
	return most
}
