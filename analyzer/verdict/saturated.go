package verdict

import (
	"path"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
)

// saturated is for a device that always had the next request to do. If it needs most of its time for each of them, not
// for their bytes, as flash does that writes a whole page again, or a disk that moves its heads, fewer of them help.
// Where larger ones would take longer by as much, or that is not known, they do not.
func saturated(a *account, d *wording.Disk, ns int64, r *profile.Reason) {
	text, fewer := d.Bandwidth(a.p), ""
	if cost, name := d.Cost(); cost != nil && 2*cost.ByteShareHigh < 1 {
		a.figure("request_ns", float64(cost.RequestNS))
		r.Evidence = append(r.Evidence, at(path.Dir(d.Pointer)+"/"+name+"/byte_share_high", cost.ByteShareHigh))
		text, fewer = d.EachTakes(a.p, cost.RequestNS), "fewer, larger requests; "
		if files, _ := smallFiles(a, d); files != "" {
			fewer = "fewer, larger files, such as one archive of them; "
		}
	}
	r.Code, r.Text = cause.DeviceBandwidth, throughSyncs(a, d, ns)+text+rivals(a)
	r.Remedy = less(a, d) + sooner(a, d, ns) + fewer +
		"a faster drive, port or file system; the drive was given enough to do"
}
