package usage

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// changed is what a file system wrote of its own on a device, by who had changed it.
type changed struct {
	own, others int64
	both        int64 // requests with changes of both: how they are divided is an estimate
}

func (c *changed) add(e *world.Request) {
	switch {
	case e.Op != trace.ReqWrite || e.Flags&trace.ReqMeta == 0 || e.Flags&trace.ReqRecorder != 0:
	case !e.Ours:
		c.others += e.Bytes
	default:
		c.own += e.Own()
		if c.others += e.Others; e.Others > 0 {
			c.both += e.Bytes
		}
	}
}

// shared is how much of what a file system wrote of its own was divided by an estimate. A block of btrfs is that of who
// took room for it: others may have changed it since, of which nothing tells.
func (c *Amounts) shared(d *world.Device, by *changed) int64 {
	btrfs := slices.ContainsFunc(c.end.Mounts, func(m trace.Mount) bool {
		return m.FSType == "btrfs" && m.Disk != 0 && c.devices.Serving(m.Disk) == d
	})
	if btrfs && by.own > 0 && by.others > 0 {
		return by.own + by.others
	}
	return by.both
}
