package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
)

// reachedFrom is how much of a limit is used where it holds a program back: the kernel lets bytes through in portions
// (block/blk-throttle.c), and while the next one is saved up, what the program computes counts against it.
const reachedFrom = .7

// namedFrom is how much of it is used where it is likely to: on old kernels some of what a limit holds back counts as
// that of others (docs/kernels.md), and a program may do other things as well.
const namedFrom = .2

// heldFrom is for how much of the time a limit has to hold: a program may join its group when it has begun.
const heldFrom = .75

// groupLimit is a limit of a control group, and how much of it the workload used while it was held back, or the device
// was busy with its requests.
type groupLimit struct {
	used     float64
	text     string
	evidence profile.Evidence
}

// behindLimit gives time in which writes did not get through to aboveDevice, if it was a limit of a control group that
// held their data back: a sync then waits for that, and who writes more for as much to be gone.
func behindLimit(a *account, d *disk, ns int64) bool {
	if !reaches(a, d, ns) {
		return false
	}
	a.spent[onNothing] += ns
	return true
}

// reaches reports whether writes came up to a limit, if this time was spent waiting for them too.
func reaches(a *account, d *disk, ns int64) bool {
	return limitOn(a, d, ns+a.spent[onQueue]+a.spent[onNothing]+a.spent[onThrottle]).used >= reachedFrom
}

// limitOn is the limit that the workload used most of at a device, in one direction. held is for how long it waited
// with nothing at the device.
func limitOn(a *account, d *disk, held int64) (most groupLimit) {
	seconds := float64(held+d.flow.Depth.BusyNS) / 1e9
	verb := map[string]string{"read": "read", "wrote": "write"}[d.verb]
	for i := range a.p.Trace.IOLimits {
		l := &a.p.Trace.IOLimits[i]
		if l.Device != d.Name || seconds <= 0 {
			continue
		}
		for _, of := range wording.IOLimits() {
			if of.Verb != verb {
				continue
			}
			did := d.flow.Count
			if of.Bytes() {
				did = d.flow.Bytes
			}
			allowed := allowance(a, l, of.Of)
			if used := float64(did) / seconds / allowed.mean; allowed.mean > 0 && used > most.used {
				most = groupLimit{used: used, evidence: at(allowed.pointer+of.Pointer, float64(allowed.low)),
					text: fmt.Sprintf("its control group %s lets it %s %s at %s, and while it waited it %s %s", l.Group, verb,
						allowed.words(of.Text), d.Name, d.verb, of.Text(int64(float64(did)/seconds)))}
			}
		}
	}
	return most
}

// allowed is what a limit came to during the workload, a second.
type allowed struct {
	mean      float64 // while there was one; 0 if that was for too little of the time
	low, high int64
	pointer   string // to the lowest
}

// allowance follows a limit of a group through its changes.
func allowance(a *account, of *profile.IOLimit, rate func(*profile.IOLimit) int64) (s allowed) {
	begin, end := a.p.StartNS, a.p.StartNS+a.total
	since, last := begin, int64(0)
	var sum float64
	var held int64
	until := func(at int64) {
		if at = max(at, begin); last > 0 {
			sum += float64(last) * float64(at-since)
			held += at - since
		}
		since = at
	}
	for i := range a.p.Trace.IOLimits {
		l := &a.p.Trace.IOLimits[i]
		if l.Group != of.Group || l.Device != of.Device || l.FromNS >= end {
			continue
		}
		until(l.FromNS)
		if last = rate(l); last == 0 {
			continue
		}
		if held == 0 || last < s.low {
			s.low, s.pointer = last, fmt.Sprintf("/trace/io_limits/%d", i)
		}
		if held == 0 || last > s.high {
			s.high = last
		}
	}
	if until(end); held > 0 && float64(held) >= heldFrom*float64(end-begin) {
		s.mean = sum / float64(held)
	}
	return s
}

func (s allowed) words(unit func(int64) string) string {
	if s.low == s.high {
		return unit(s.low)
	}
	return unit(s.low) + " to " + unit(s.high)
}
