package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// sooner says what helps where syncs each had much to write, and the drive had been idle for long before: what they
// waited for could have been written meanwhile. It saves no more than that time; where the program fills memory
// quickly and syncs in the end, the drive was hardly idle, and no order of writes helps. Where they only began writes,
// nothing depends on their return: no data are safe after sync_file_range.
func sooner(a *account, d *wording.Disk, ns int64) string {
	switch {
	case a.p.Path == nil || !large(a, d, ns):
		return ""
	case a.large.call.Op == trace.OpSyncRange:
		return "call sync_file_range in another thread, or leave it out: it waits while the queue of the drive is full, " +
			"and nothing is durable after it; "
	}
	idle := min(a.total-d.Flow.Depth.BusyNS, ns)
	if float64(idle) <= third*float64(ns) {
		return ""
	}
	a.figure("idle_ns", float64(idle))
	return fmt.Sprintf("have it written sooner (sync_file_range, smaller syncs beside the work): %s was idle for %s; ",
		d.Name, unit.Nanoseconds(idle))
}

// large reports whether it was syncs that waited for a device's writes in most of some time, each for much.
func large(a *account, d *wording.Disk, ns int64) bool {
	return d.Verb == "wrote" && a.large.call != nil && 2*a.large.ns >= ns
}
