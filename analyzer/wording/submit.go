package wording

import "github.com/iotrace/iotrace/analyzer/profile"

// SubmitWait is why io_submit, which is to begin operations, waits for a device.
type SubmitWait int

// The reasons.
const (
	ThroughCache SubmitWait = iota // files that are opened without O_DIRECT are read and written within the call
	IntoHoles                      // writes past the cache to where a file has no blocks yet, or beyond its end
	DirtyInCache                   // what is dirty in memory of a file is written before it is read past the cache
	FullQueue                      // the device has as many requests as its queue holds
	WithinDirect                   // reads past the cache, for another reason
)

// WhySubmit is why it waited for a device.
func WhySubmit(p *profile.Profile, d *Disk) SubmitWait {
	past := d.PastCache(p)
	switch {
	case d.Verb == "wrote" && readsAlone(p):
		return DirtyInCache
	case past && d.QueueDepth > 0 && (d.Full(p) || int64(d.Device.Depth.Max) >= d.QueueDepth):
		return FullQueue
	case past && d.Verb == "wrote":
		return IntoHoles
	case past:
		return WithinDirect
	}
	return ThroughCache
}

// readsAlone reports whether the operations that were submitted were reads, past the page cache.
func readsAlone(p *profile.Profile) bool {
	reads := false
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Async && c.Name == "libaio" && c.Bytes > 0 {
			if !c.Op.Reads() {
				return false
			}
			reads = true
		}
	}
	return reads && p.Pattern.Modes != nil && p.Pattern.Modes.DirectRead > 0
}
