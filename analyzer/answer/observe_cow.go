package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// inItsPlace is what to do where a file system writes elsewhere what a program writes over.
const inItsPlace = "switch copy-on-write off for it (chattr +C on its directory, then a new copy)"

// copiedOnWrite is for a file that a program writes over in pieces here and there, where btrfs writes each of them to
// a new place, and more for its trees than that.
func copiedOnWrite(o *observer) {
	for i := range o.p.Files {
		f := &o.p.Files[i]
		if f.FSType != "btrfs" || f.Created || f.DeviceWrite == nil || f.Relocated < fewestAppends ||
			2*f.Relocated < f.DeviceWrite.Count {
			continue
		}
		k, trees := treesOf(o.p, f)
		if trees < amplifiedBytes || trees < f.DeviceWrite.Bytes {
			continue
		}
		at := fmt.Sprintf("/files/%d", i)
		o.say("copied_on_write", at, fmt.Sprintf("btrfs wrote each piece of %s to a new place, with %s of its trees for %s; "+
			"%s.", named(f.Path), unit.Bytes(trees), unit.Bytes(f.DeviceWrite.Bytes), inItsPlace),
			number(at+"/relocated_writes", float64(f.Relocated)), number(at+"/device_write/bytes",
				float64(f.DeviceWrite.Bytes)),
			number(fmt.Sprintf("/amounts/devices/%d/write/device_bytes", k), float64(o.p.Amounts.Devices[k].Write.Device)))
		o.instead(inItsPlace)
		return
	}
}

// treesOf is what a file system wrote to describe files, on the device of the mount that a file is on.
func treesOf(p *profile.Profile, f *profile.File) (device int, bytes int64) {
	m := p.Trace.Mount(f.Mount)
	if m == nil {
		return 0, 0
	}
	for i := range p.Amounts.Devices {
		if d := &p.Amounts.Devices[i]; d.Name == m.Device {
			return i, d.Write.Of(profile.Metadata)
		}
	}
	return 0, 0
}
