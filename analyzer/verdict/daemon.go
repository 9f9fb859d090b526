package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// daemon is the process that serves a file system: what it did while the workload waited in calls there.
type daemon struct {
	name     string
	threads  int64 // that served, as far as the path led through them
	computed int64
	devices  map[string]int64 // waited for each
	slept    int64
}

// serving is the daemon that the path led through for longest, in calls and page faults; nil if it led through none.
func serving(a *account) (d *daemon) {
	all, time := map[string]*daemon{}, map[string]int64{}
	for _, x := range a.along() {
		p := &x.Place
		if !p.Helper || p.Process == "" || p.Beyond != "" || labels[p.Label] != inCall {
			continue
		}
		if all[p.Process] == nil {
			all[p.Process] = &daemon{name: p.Process, devices: map[string]int64{}}
		}
		of := all[p.Process]
		of.threads = max(of.threads, x.Threads)
		switch p.What {
		case "runs", "ready":
			of.computed += x.NS
		case "service", "queued":
			of.devices[p.Device] += x.NS
		case "sleeps", "timeout":
			of.slept += x.NS
		}
		if time[p.Process] += x.NS; d == nil || time[p.Process] > time[d.name] {
			d = of
		}
	}
	return d
}

// waited is how long the daemon did nothing itself.
func (d *daemon) waited() (ns int64) {
	for _, at := range d.devices {
		ns += at
	}
	return ns + d.slept
}

// spent says what the daemon did itself for most of that time.
func (d *daemon) spent(a *account) string {
	device := ""
	for name, ns := range d.devices {
		if ns > d.devices[device] || ns == d.devices[device] && name < device {
			device = name
		}
	}
	most := max(d.devices[device], d.computed, d.slept)
	a.figure("daemon_ns", float64(most))
	switch most {
	case d.devices[device]:
		return fmt.Sprintf("spent %s waiting for %s", unit.Nanoseconds(most), device)
	case d.computed:
		return fmt.Sprintf("spent %s on a CPU, or ready for one", unit.Nanoseconds(most))
	}
	return fmt.Sprintf("slept for %s", unit.Nanoseconds(most))
}

// oneByOneAt reports whether one thread of the daemon serves all, while several calls wait for it; and says so. In is
// the time in calls there, of all threads: it is more than that of the clock by the calls that wait beside another.
func oneByOneAt(a *account, r *profile.Reason, in int64, mount string) bool {
	d := serving(a)
	callers := float64(in) / float64(max(a.total, 1))
	if d == nil || d.threads > 1 || callers < wording.Queued {
		return false
	}
	a.figure("callers", callers)
	r.Text = fmt.Sprintf("%s serves %s one request at a time, to %s callers, and %s", d.name, mount,
		unit.Significant(callers, 2), d.spent(a))
	r.Remedy = "let it serve several in parallel (sshfs without -s, bindfs --multithreaded); a file system of the kernel"
	return true
}
