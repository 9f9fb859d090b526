package answer

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// usualRequest is the largest request that the kernel makes of its own accord, if a device takes that (Linux 4.4 to
// 6.15; later ones make larger ones). One that is made to take less was told so.
const usualRequest = 1280 << 10

// cutSmall is for requests that are as large as a setting of the device's queue lets them be, where the device takes
// larger ones.
func cutSmall(o *observer) {
	for _, write := range []bool{false, true} {
		d := wording.Busiest(o.p, write)
		if d == nil || d.Flow.Size.P50 < d.MaxRequest || d.MaxRequest >= min(d.HardwareRequest, usualRequest) ||
			2*d.Flow.Depth.BusyNS <= o.p.WallNS {
			continue
		}
		at := path.Dir(d.Pointer)
		instead := fmt.Sprintf("larger requests: max_sectors_kb of %s may be %d (/sys/block/%s/queue), and is %d", d.Name,
			d.HardwareRequest>>10, d.Name, d.MaxRequest>>10)
		o.say("cut_small", at, fmt.Sprintf("Requests to %s are cut at %s, %s; it takes such of %s.", d.Name,
			unit.BlockSize(d.MaxRequest), unit.Things(d.Flow.Count, "request"), unit.BlockSize(d.HardwareRequest)),
			number(at+"/max_request_bytes", float64(d.MaxRequest)),
			number(at+"/hardware_request_bytes", float64(d.HardwareRequest)))
		o.instead(instead)
		return
	}
}

// shifted is for a file system whose blocks lie across those of its drive, as its partition begins within one. To write
// a part of a block a drive has to read it first.
func shifted(o *observer) {
	d := wording.Busiest(o.p, true)
	if d == nil || d.Shifted == 0 {
		return
	}
	for i := range o.p.Files {
		if f := &o.p.Files[i]; f.Type == trace.FileBlock && f.Write != nil { // whoever writes there chooses the place
			return
		}
	}
	at := path.Dir(d.Pointer)
	o.say("shifted", at, fmt.Sprintf("Requests to %s begin %s behind a multiple of 4 KiB, as on a partition that begins "+
		"at sector 63: a drive with blocks of 4 KiB has to read their ends before it writes.", d.Name,
		unit.Bytes(d.Shifted)),
		number(at+"/shifted_bytes", float64(d.Shifted)))
	o.instead("a partition that begins at a multiple of 1 MiB")
}
