package verdict

import (
	"cmp"
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// timed are the waits on the path that lasted until their time was over: sleeps, and waits with a timeout for what did
// not happen. Nobody else had a part in these.
type timed struct {
	ns, count, longest int64
	by                 string // whose most of them were
	sleeps             int64  // of ns: nothing else would have ended them
}

// timedWaits finds them.
func (a *account) timedWaits() (t timed) {
	times := map[string]int64{}
	parts := a.along()
	for i := range parts {
		x := &parts[i]
		p := &x.Place
		if labels[p.Label] != idle || p.What != "sleeps" && p.What != "timeout" {
			continue
		}
		t.ns, t.count, t.longest = t.ns+x.NS, t.count+x.Count, max(t.longest, x.LongestNS)
		if p.What == "sleeps" {
			t.sleeps += x.NS
		}
		who := cmp.Or(x.Title, p.Process)
		if times[who] += x.NS; times[who] > times[t.by] {
			t.by = who
		}
	}
	return t
}

// words tell of such waits. They are told where there are many, and where programs neither slept in calls nor waited
// for a descriptor: a wait with a timeout for another thread is neither, and not told apart from the next by calls.
func (t *timed) words(a *account) string {
	a.figure("timed_waits", float64(t.count))
	a.figure("timed_wait_ns", float64(t.ns/t.count))
	a.figure("timed_wait_longest_ns", float64(t.longest))
	did := "slept"
	if t.sleeps < t.ns {
		did += ", or waited with a timeout,"
	}
	return fmt.Sprintf("%s %s %s: %s each on average, %s at most", t.by, did,
		unit.Things(t.count, "time"), unit.Nanoseconds(t.ns/t.count), unit.Nanoseconds(t.longest))
}

// forAnother is the cause of the time in which nothing ran, if threads waited in most of it for another program to wake
// them, in no call that is recorded: at a message queue, a semaphore, a signal. The path then leads through that one.
// nil if they did not.
func (a *account) forAnother(ns int64) *profile.Reason {
	var all, asleep int64
	times := map[string]int64{}
	by := ""
	for _, x := range a.along() {
		p := &x.Place
		if labels[p.Label] != idle || !p.Helper || p.Process == "" {
			continue
		}
		if all += x.NS; p.What == "sleeps" || p.What == "timeout" {
			asleep += x.NS
		}
		if times[p.Process] += x.NS; times[p.Process] > times[by] {
			by = p.Process
		}
	}
	if 2*all <= ns {
		return nil
	}
	text := ""
	if 2*asleep > all {
		text = ", which slept most of that time"
	}
	return &profile.Reason{
		Code: cause.OtherEnd, Name: "another program", TimeNS: ns, Certainty: cause.Likely,
		Text: "waiting for another program, " + by + text + ", to wake it: at a message queue, a semaphore, a signal or " +
			"the like",
		Remedy:     "speed up the program that it waits for",
		Experiment: "iotrace record --all --duration 10s",
		Evidence:   []profile.Evidence{a.sliceAt("waiting")},
	}
}
