package verdict

import (
	"fmt"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// image says of a loop device what its file lies on, and how much of the time that was what took so long.
func image(a *account, d *wording.Disk, r *profile.Reason) {
	busy, pointer := beneath(a.p, d)
	if busy == 0 {
		return
	}
	share := min(float64(busy)/float64(max(d.Flow.Depth.BusyNS, 1)), 1)
	a.figure("beneath_busy_share", share)
	r.Evidence = append(r.Evidence, at(pointer, float64(busy)))
	r.Text += fmt.Sprintf("; it is the file %s on %s, which was busy with that for %s of the time", path.Base(d.Backing),
		d.Parents[0], unit.Share(share))
	const faster = "put the file on a faster drive"
	switch {
	case r.Code != cause.DeviceBandwidth: // it was given too little to do
	case d.BackingDirect:
		r.Remedy = faster
	case share > twoThirds:
		r.Remedy = direct + ", or " + faster
	default:
		r.Remedy = direct
	}
}

// direct has a loop device do several pieces of work at once: through the page cache it does one after another.
const direct = "have the loop device read and write its file past the page cache (losetup --direct-io=on)"

// beneath is for how long the drive beneath a loop device was busy for it; 0 if that moved less. A kernel thread reads
// and writes the file: through the page cache that looks like somebody else's work, past it the data is the workload's.
func beneath(p *profile.Profile, d *wording.Disk) (busy int64, pointer string) {
	if d.Backing == "" || len(d.Parents) != 1 {
		return 0, ""
	}
	i := slices.IndexFunc(p.Devices, func(x profile.Device) bool { return x.Name == d.Parents[0] })
	if i < 0 {
		return 0, ""
	}
	x, least := &p.Devices[i], int64(nearlyAll*float64(d.Flow.Bytes))
	flow, name, others := x.Read, "read", x.Foreign.Read
	if d.Verb == "wrote" {
		flow, name, others = x.Write, "write", x.Foreign.Write
	}
	switch {
	case flow != nil && flow.Bytes >= least:
		return flow.Depth.BusyNS, fmt.Sprintf("/devices/%d/%s/depth/busy_ns", i, name)
	case others >= least:
		return x.Foreign.BusyNS, fmt.Sprintf("/devices/%d/foreign/busy_ns", i)
	}
	return 0, ""
}
