package measure

import "github.com/iotrace/iotrace/analyzer/profile"

// CacheOf says how much of what was read through the page cache came from
// memory: how many bytes were read, how many were added to the cache meanwhile,
// and how many the device read. A source is warm if less than a twentieth of it
// came from the device, cold if more than nine tenths did. Where the recording
// does not tell what came from memory, that nothing came from the device says nothing.
func CacheOf(read, filled, device int64, told bool) *profile.Cache {
	c := &profile.Cache{ReadBytes: read, FilledBytes: filled, DeviceBytes: device}
	if c.ReadBytes <= 0 || !told && filled == 0 && device == 0 {
		c.State = "unknown"
		return c
	}
	missed := float64(max(c.DeviceBytes, min(c.FilledBytes, c.ReadBytes))) / float64(c.ReadBytes)
	c.HitShare = max(1-missed, 0)
	switch {
	case missed > .9:
		c.State = "cold"
	case missed < .05:
		c.State = "warm"
	default:
		c.State = "mixed"
	}
	return c
}
