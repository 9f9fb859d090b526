package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// stalls are the few requests that took more time than all others together, each long enough to be noticed.
type stalls struct {
	count, ns int64
	next      int64 // all others took less, in ns
}

// stallsOf finds them in the latencies of requests; none if these are many, or if no few of them explain the time.
func stallsOf(d *profile.Dist) (s stalls, found bool) {
	for i := len(d.Bins) - 1; i >= 0 && d.Bins[i].To > noticeable; i-- {
		b := &d.Bins[i]
		s.count, s.next = s.count+b.Count, b.From
		if s.ns += b.Count * (min(b.To, d.Max)/2 + b.From/2); s.ns > d.Sum-s.ns {
			return s, several*s.count <= d.Count
		}
	}
	return s, false
}

// halting is for a device that did not answer for a while, now and then: neither larger requests nor more at a time
// change that.
func halting(a *account, d *wording.Disk, r *profile.Reason) bool {
	s, found := stallsOf(&d.Flow.Latency)
	if !found {
		return false
	}
	a.figure("stalls", float64(s.count))
	a.figure("stall_shortest_ns", float64(s.next))
	r.Code, r.Name = cause.SlowingDown, d.Name+" halting"
	r.Text = fmt.Sprintf("%s did not answer for a while: %s of %s took %s, more than all others together; "+
		"half of all took %s at most", d.Name, unit.Number(float64(s.count)), unit.Things(d.Flow.Count, "request"),
		lastingFor(&s, d),
		unit.Nanoseconds(d.Flow.Latency.P50))
	r.Remedy = "find out why it halts: its log (dmesg), its state (smartctl -a), its heat, or what the host does; " +
		"larger requests, or more at a time, do not change that"
	return true
}

// lastingFor says for how long the stalls lasted.
func lastingFor(s *stalls, d *wording.Disk) string {
	if s.count == 1 {
		return unit.Nanoseconds(d.Flow.Latency.Max)
	}
	return unit.Nanoseconds(s.next) + " to " + unit.Nanoseconds(d.Flow.Latency.Max)
}
