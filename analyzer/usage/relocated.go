package usage

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// relocations counts writes of a file's data that lie elsewhere in the file than behind the one before, and yet behind
// it on the device: the file system did not write over what was there.
type relocations struct {
	at, place int64 // where the one before ended, in the file and on the device
	device    trace.DeviceID
	count     int64
	any       bool
}

// add takes a piece of a request that was written to a place of a device.
func (r *relocations) add(device trace.DeviceID, place, at, bytes int64) {
	if r.any && device == r.device && place == r.place && at != r.at {
		r.count++
	}
	r.any, r.device, r.at, r.place = true, device, at+bytes, place+bytes
}

// relocate goes through the pieces of a write, which follow one another on the device.
func (c *Files) relocate(e *world.Request) {
	if e.Op != trace.ReqWrite || e.Error != 0 {
		return
	}
	place := int64(e.Sector) * 512
	for i := range e.Pieces {
		p := &e.Pieces[i]
		if s := c.of(p.File); !s.light {
			s.relocated.add(e.Request.Device, place, p.At, p.Bytes)
		}
		place += p.Bytes
	}
}
