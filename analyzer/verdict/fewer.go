package verdict

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// saturated is for a device that always had the next request to do.
func saturated(a *account, d *wording.Disk, ns int64, r *profile.Reason) {
	r.Code, r.Text = cause.DeviceBandwidth, throughSyncs(a, d, ns)+d.Bandwidth()
	r.Remedy = less(a, d) + sooner(a, d, ns) + fewer(a, d, ns, r) +
		"a faster drive, port or file system; the drive was given enough to do"
	r.Text += rivals(a)
}

// fewer is for one that needs most of its time for each request, not for its bytes, as flash does that writes a whole
// page again, or a disk that moves its heads: then fewer requests help. Where larger ones would take longer by as much,
// or that is not known, it is "".
func fewer(a *account, d *wording.Disk, ns int64, r *profile.Reason) string {
	cost, pointer := d.ReadCost, strings.TrimSuffix(d.Pointer, "/read")+"/read_cost"
	if d.Verb == "wrote" {
		cost, pointer = d.WriteCost, strings.TrimSuffix(d.Pointer, "/write")+"/write_cost"
	}
	if cost == nil || 2*cost.ByteShareHigh >= 1 {
		return ""
	}
	a.figure("request_ns", float64(cost.RequestNS))
	r.Evidence = append(r.Evidence, at(pointer+"/byte_share_high", cost.ByteShareHigh))
	r.Text = throughSyncs(a, d, ns) + fmt.Sprintf("%s took %s for each request whatever its size: %s in requests of %s, "+
		"the next one always waiting (%s in flight)", d.Name, unit.Nanoseconds(cost.RequestNS),
		unit.Speed(wording.DiskRate(d.Flow)), wording.Sizes(&d.Flow.Size), unit.Significant(d.Flow.Depth.MeanBusy, 2))
	if files, _ := smallFiles(a, d); files != "" {
		return "fewer, larger files, such as one archive of them; "
	}
	return "fewer, larger requests; "
}
