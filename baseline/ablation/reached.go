package ablation

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// reached is how much of what runs moved past the page cache a device has seen.
type reached struct {
	moved, device int64 // bytes
	known         bool
}

// leastReached is the share below which the device has not seen it: as in a result of a benchmark that is marked
// INVALID.
const leastReached = 0.05

func (d *reached) add(read, write bool, bytes int64, use *baseline.DeviceUse) {
	if use == nil {
		return
	}
	d.known = true
	for _, way := range []struct {
		moved  bool
		device int64
	}{{read, use.ReadBytes}, {write, use.WriteBytes}} {
		if way.moved {
			d.moved, d.device = d.moved+bytes, d.device+way.device
		}
	}
}

// missed is why runs past the page cache measure no device at a place; "" if they do, or nothing tells.
func (d *reached) missed(place baseline.Place) string {
	switch fs := place.FSType; {
	case fs == "tmpfs" || fs == "ramfs":
		return fmt.Sprintf("%s is in memory (%s): no device is behind it", place.Path, fs)
	case strings.HasPrefix(fs, "fuse") && place.Device == "":
		return fmt.Sprintf("%s is on %s, whose daemon may answer from memory: no device is known below it", place.Path, fs)
	case d.known && float64(d.device) < leastReached*float64(d.moved):
		return fmt.Sprintf("of %s moved past the page cache in %s, %s came to %s: this is the speed of memory",
			unit.Bytes(d.moved), place.Path, unit.Bytes(d.device), place.Device)
	}
	return ""
}
