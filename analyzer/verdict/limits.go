package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/trace"
)

// aboveDevice is for the time in which requests, or whoever waits for them, were held
// back before they reached a device.
func aboveDevice(a *account) {
	if !a.sees(trace.LimitNoRequests) {
		return
	}
	ns := a.take(onQueue, onNothing)
	if ofServer(a, ns) {
		return
	}
	r := profile.Reason{
		Code: cause.LimitAbove, Name: "throttled", TimeNS: ns, Certainty: cause.Likely,
		Evidence: []profile.Evidence{a.sliceAt("io_wait"), a.sliceAt("queued")},
		Remedy:   "raise or remove the limit; a faster drive changes nothing",
	}
	name, tightest := "the device", groupLimit{}
	for _, write := range []bool{false, true} {
		if d := wording.Busiest(a.p, write); d != nil {
			name = d.Name
			if l := limitOn(a, d, ns); l.used > tightest.used {
				tightest = l
			}
			if others := foreign(a, d); others > 0 && !elsewhere(a, d, ns) && 2*occupiedBy(a, d, others) > ns {
				waited(a, d, ns)
				return
			}
		}
	}
	if tightest.used < namedFrom && lateWorkers(a, ns) {
		return
	}
	if tightest.used >= namedFrom {
		a.figure("reached_per_s", tightest.reached)
		if r.Text = tightest.text; tightest.used >= reachedFrom || 2*a.timed() > ns {
			r.Certainty = cause.Measured
		}
		r.Evidence = append(r.Evidence, tightest.evidence)
		r.Remedy = "raise or remove the limit (io.max; IOWriteBandwidthMax and its like of systemd, --device-write-bps of " +
			"docker); a faster drive changes nothing"
	} else {
		r.Text = fmt.Sprintf("it waited while nothing of it was at %s, as with a limit of a cgroup or of the machine's host",
			name)
		r.Experiment = "cat /sys/fs/cgroup/*/io.max; lsblk"
	}
	a.because(r)
}
