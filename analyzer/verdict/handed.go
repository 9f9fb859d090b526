package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/internal/unit"
)

// handed is for small calls of which each is made by another thread, which has to be woken for it: an event loop that
// has a pool of threads, a thread that writes the lines of others.
type handed struct {
	calls int64 // on the path
	by    map[string]bool
	turns int64
}

// handOver is what the path says of so many calls of a kind; nil if they are not handed over.
func handOver(a *account, calls int64, verb string) *handed {
	if a.p.Path == nil || a.p.Path.Turns < calls {
		return nil
	}
	h := &handed{by: map[string]bool{}, turns: a.p.Path.Turns}
	for _, x := range a.along() {
		if p := &x.Place; p.Call == verb && labels[p.Label] == inData {
			h.calls += x.Count
			h.by[p.Process] = true
		}
	}
	if 2*h.calls <= calls {
		return nil
	}
	return h
}

// take takes the time that handing over took: calls by which threads wake each other, and until these ran. That is as
// long as a CPU may take to wake up, each time; a thread that waits for longer waits for somebody else.
func (h *handed) take(a *account, r *profile.Reason) {
	part := func(u use) int64 {
		return a.onPath(func(x *profile.PathPart) bool { return labels[x.Place.Label] == u && h.by[x.Place.Process] })
	}
	r.TimeNS += a.takeUpTo(part(inOther), inOther)
	r.TimeNS += a.takeUpTo(min(part(ready), h.turns*timeline.WakeUp), waking, ready)
	r.Text += fmt.Sprintf(", and a thread is woken for each: %s", unit.Things(h.turns, "hand-over"))
	r.Remedy = "join them before they are handed over, such as in a buffer of 64 KiB; a faster drive changes nothing"
	r.Evidence = append(r.Evidence, at("/path/turns", float64(h.turns)))
}
