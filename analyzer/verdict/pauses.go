package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/internal/unit"
)

// timed are the waits on the path that lasted until their time was over: sleeps, and waits with a timeout for what did
// not happen. Nobody else had a part in these.
type timed struct {
	ns, count, longest int64
	by                 string // whose most of them were
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
		if times[p.Process] += x.NS; times[p.Process] > times[t.by] {
			t.by = p.Process
		}
	}
	return t
}

// words tell of such waits. They are told where programs neither slept in calls nor waited for a descriptor: a wait
// with a timeout for another thread is neither, and not told apart from the next by calls.
func (t *timed) words(a *account) string {
	a.figure("timed_waits", float64(t.count))
	a.figure("timed_wait_ns", float64(t.ns/t.count))
	a.figure("timed_wait_longest_ns", float64(t.longest))
	return fmt.Sprintf("%s slept, or waited with a timeout, %s: %s each on average, %s at most", t.by,
		unit.Things(t.count, "time"), unit.Nanoseconds(t.ns/t.count), unit.Nanoseconds(t.longest))
}
