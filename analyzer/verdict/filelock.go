package verdict

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// fileLocked says that calls waited for others on the same file in most of the time at a device: whoever writes to a
// file holds its lock, alone if the file grows or the write goes through the page cache.
func fileLocked(a *account, d *wording.Disk, r *profile.Reason) {
	var most *profile.PathPart
	parts := a.along()
	ns := a.onPath(func(x *profile.PathPart) bool { return x.Place.Behind != "" && x.Place.Device == d.Name })
	for i := range parts {
		if x := &parts[i]; x.Place.Behind != "" && x.Place.Device == d.Name && (most == nil || x.NS > most.NS) {
			most = x
		}
	}
	if most == nil || 2*ns <= r.TimeNS {
		return
	}
	file := "a file"
	if most.Place.File != "" {
		file = path.Base(most.Place.File)
	}
	a.figure("behind_ns", float64(ns))
	r.Text = fmt.Sprintf("%s waited for a lock on %s that %s held, %s in all: %s", most.Place.Behind, file,
		most.Place.Call, unit.Nanoseconds(ns), r.Text)
	r.Remedy = "smaller writes, a file for each thread, or one that has its length and its blocks already; " + r.Remedy
}
