package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// queue is what the critical path waited for in the queues of devices.
type queue struct {
	ns, count int64
	device    string // most of it
}

// queueOf adds up what the path waited for in queues, where that matches.
func queueOf(a *account, of func(*profile.PathPlace) bool) (q queue) {
	at := map[string]int64{}
	for _, x := range a.along() {
		if labels[x.Place.Label] != onQueue || !of(&x.Place) {
			continue
		}
		q.ns += x.NS
		q.count += x.Count
		if at[x.Place.Device] += x.NS; q.device == "" || at[x.Place.Device] > at[q.device] {
			q.device = x.Place.Device
		}
	}
	return q
}

// elsewhere reports whether most of the time was spent in queues, and these are known to be other than a device's in
// one direction: what others do on it has not held these requests back.
func elsewhere(a *account, d *wording.Disk, ns int64) bool {
	away := queueOf(a, func(p *profile.PathPlace) bool {
		return p.Device != d.Name || (p.Request == trace.ReqRead.String()) != (d.Verb == "read")
	})
	return 2*away.ns > ns
}

// lateWorkers is for requests that wait in a queue for a moment each, while all processors are busy: a loop device, and
// whatever else may sleep, is given them by a worker of the kernel. Limits hold back for longer.
func lateWorkers(a *account, ns int64) bool {
	p := a.p.Trace.Processors
	q := queueOf(a, func(*profile.PathPlace) bool { return true })
	if p == nil || busyShare(p) < busyAll || q.count == 0 || 2*q.ns <= ns || !Brief(q.ns/q.count) {
		return false
	}
	a.figure("processors_busy_share", busyShare(p))
	a.figure("queued_requests", float64(q.count))
	a.figure("queued_each_ns", float64(q.ns/q.count))
	a.because(profile.Reason{
		Code: cause.CPUContention, Name: "queue of " + q.device, TimeNS: ns, Certainty: cause.Likely,
		Text: fmt.Sprintf("%s waited %s each before %s was given them: the workers of the kernel that do so were without "+
			"a CPU, as these were %s busy", unit.Things(q.count, "request"), unit.Nanoseconds(q.ns/q.count), q.device,
			unit.Share(busyShare(p))),
		Evidence:   []profile.Evidence{a.sliceAt("queued")},
		Remedy:     "fewer programs in parallel",
		Experiment: "perf sched record sleep 1; perf sched timehist | grep kworker",
	})
	return true
}
