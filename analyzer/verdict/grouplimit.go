package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
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

// limitOn is the limit that the workload used most of at a device, in one direction. held is for how long it waited
// with nothing at the device.
func limitOn(a *account, d *disk, held int64) (most groupLimit) {
	seconds := float64(held+d.flow.Depth.BusyNS) / 1e9
	for i := range a.p.Trace.IOLimits {
		l := &a.p.Trace.IOLimits[i]
		if l.Device != d.Name || seconds <= 0 {
			continue
		}
		for _, of := range d.limits() {
			allowed := allowance(a, l, of.rate)
			if used := float64(of.did) / seconds / allowed.mean; allowed.mean > 0 && used > most.used {
				most = groupLimit{used: used, evidence: at(allowed.pointer+of.name, float64(allowed.low)),
					text: fmt.Sprintf("its control group %s lets it %s %s %s, and while it waited it %s %s", l.Group,
						map[string]string{"read": "read", "wrote": "write"}[d.verb], allowed.words(of.unit), d.Name, d.verb,
						of.unit(int64(float64(of.did)/seconds)))}
			}
		}
	}
	return most
}

// limited is what a limit can be of, and what was done of it.
type limited struct {
	name string // of its number in the profile
	did  int64
	rate func(*profile.IOLimit) int64
	unit func(int64) string
}

// limits are those that a control group can have for the direction of a disk.
func (d *disk) limits() []limited {
	requests := func(n int64) string { return unit.Things(n, "request") + " a second" }
	if d.verb == "read" {
		return []limited{
			{"/read_bytes_per_s", d.flow.Bytes, func(l *profile.IOLimit) int64 { return l.ReadBytes }, unit.Speed},
			{"/reads_per_s", d.flow.Count, func(l *profile.IOLimit) int64 { return l.Reads }, requests},
		}
	}
	return []limited{
		{"/write_bytes_per_s", d.flow.Bytes, func(l *profile.IOLimit) int64 { return l.WriteBytes }, unit.Speed},
		{"/writes_per_s", d.flow.Count, func(l *profile.IOLimit) int64 { return l.Writes }, requests},
	}
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
		return unit(s.low) + " at"
	}
	return unit(s.low) + " to " + unit(s.high) + " at"
}
