package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// account is the time until the data was durable, by what it was spent on. Rules take
// from it; what is left has no cause.
type account struct {
	p     *profile.Profile
	total int64
	// watched is the same, but for operations: these may overlap, and the time between them is nobody's.
	watched int64
	// serial: never more than one thread did anything, so that the times of threads are
	// times of the clock, and say more than the labels of the time stack do: a thread may
	// compute while a request it does not wait for is at the device.
	serial  bool
	spent   [numUses]int64
	origins [numUses]origin // of what is spent
	hand    origin          // of what the rule at work has taken, and not given to a cause
	reasons []profile.Reason
	made    []origin // of the reasons
	// lookedUp is what calls on names waited for reads of a device.
	lookedUp int64
	large    largeSyncs
	figures  map[string]float64 // of the text of the next cause
}

// largeSyncs is time in syncs that is the device's, as each made much data safe.
type largeSyncs struct {
	ns   int64
	call *profile.Call
}

// use is what time is spent on.
type use int

const (
	onReads   use = iota // waiting while the device reads
	onWrites             // or writes
	onFlush              // or empties its cache
	onQueue              // requests wait in the block layer, none is at a device
	onNothing            // waiting for I/O, with no request to be seen
	inSync
	onThrottle
	inData
	inMeta
	inOther
	running
	waking // its I/O is done, and the processor is about to run it
	ready
	inCall // blocked in a call
	idle   // every thread blocked outside of calls
	unknown
	after // the command has returned
	numUses
)

// labels are the uses behind the labels of the time stack. Time with reads and writes
// at the device is divided between them.
var labels = map[string]use{
	"device_read": onReads, "device_write": onWrites, "device_other": onFlush, "queued": onQueue, "io_wait": onNothing,
	"sync": inSync, "throttled": onThrottle, "page_cache": inData, "metadata": inMeta, "other_call": inOther,
	"cpu": running, "ready": ready, "lock": inCall, "waiting": idle, "outside": unknown, "draining": after,
}

func open(p *profile.Profile) *account {
	if p.Operations != nil && p.Operations.TotalNS > 0 {
		return ofOperations(p)
	}
	t := &p.TimeStack
	a := &account{p: p, total: t.TotalNS, watched: t.TotalNS}
	for _, s := range t.Slices {
		switch u, ok := labels[s.Label]; {
		case ok:
			a.spent[u] += s.NS
		case s.Label == "device_both":
			a.spent[onReads] += s.NS / 2
			a.spent[onWrites] += s.NS - s.NS/2
		}
	}
	a.begin(t.Parts)
	a.give(waking, a.takeUpTo(t.WakingNS, ready))
	if p.Path != nil { // the labels are those of the chain: each instant is of one thread
		a.serial = true
		return a
	}
	active := t.ThreadNS["waiting_io"] + t.ThreadNS["async_calls"] + t.ThreadNS["waiting_async"]
	for name := range states {
		active += t.ThreadNS[name]
	}
	// While every thread waited outside of calls none was active: there is that much less time for one after the other.
	a.serial = active > 0 && float64(active+a.spent[idle]) <= slack*float64(t.WallNS) &&
		t.ThreadNS["waiting_async"] == 0 && a.sees(trace.LimitNoWaits)
	if a.serial {
		a.byThreads(t, active)
		a.contended()
	} else {
		a.crowded(t)
	}
	return a
}

// sees reports whether the recording has no such limit.
func (a *account) sees(code trace.LimitCode) bool { return a.p.Trace.Sees(string(code)) }

// take moves time from uses to a cause; it returns how much there was.
func (a *account) take(uses ...use) int64 {
	var ns int64
	for _, u := range uses {
		ns += a.spent[u]
		a.spent[u] = 0
		a.hand.add(&a.origins[u])
		a.origins[u] = origin{}
	}
	return ns
}

// takeUpTo moves at most so much.
func (a *account) takeUpTo(most int64, uses ...use) (ns int64) {
	return a.takeOf(anyKind, most, uses...)
}

// takeOf moves at most so much, first of all that of some kinds.
func (a *account) takeOf(first func(timeline.Kind) bool, most int64, uses ...use) (ns int64) {
	for _, u := range uses {
		part := max(0, min(a.spent[u], most-ns))
		a.spent[u] -= part
		ns += part
		of := a.origins[u].prefer(float64(part), first)
		a.hand.add(&of)
	}
	return ns
}

// because adds a cause, or its time to what is there of it: the larger part is told of.
func (a *account) because(r profile.Reason) {
	if a.figures != nil {
		r.Figures, a.figures = a.figures, nil
	}
	if r.TimeNS <= 0 {
		return
	}
	of := a.hand.take(float64(r.TimeNS), anyKind)
	x, i := a.find(r.Code, r.Name)
	if x == nil {
		a.reasons, a.made = append(a.reasons, r), append(a.made, of)
		return
	}
	a.made[i].add(&of)
	all := x.TimeNS + r.TimeNS
	if r.TimeNS > x.TimeNS {
		*x = r
	}
	x.TimeNS = all
}

// figure keeps a number of the text of the next cause that stands nowhere else in the profile.
func (a *account) figure(name string, v float64) {
	if a.figures == nil {
		a.figures = map[string]float64{}
	}
	a.figures[name] = v
}

// reason is the cause of a name, nil if there is none so far.
func (a *account) reason(code, name string) *profile.Reason {
	x, _ := a.find(code, name)
	return x
}

func (a *account) find(code, name string) (*profile.Reason, int) {
	for i := range a.reasons {
		if x := &a.reasons[i]; x.Code == code && x.Name == name {
			return x, i
		}
	}
	return nil, 0
}

// sliceAt is the evidence for the time under a label.
func (a *account) sliceAt(label string) profile.Evidence {
	for i, s := range a.p.TimeStack.Slices {
		if s.Label == label {
			return at(fmt.Sprintf("/time_stack/slices/%d/ns", i), float64(s.NS))
		}
	}
	return at("/time_stack/total_ns", float64(a.total))
}

func (a *account) thread(name string) profile.Evidence {
	return at("/time_stack/thread_ns/"+name, float64(a.p.TimeStack.ThreadNS[name]))
}

func at(pointer string, value float64) profile.Evidence {
	return profile.Evidence{Pointer: pointer, Value: value}
}
