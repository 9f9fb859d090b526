package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// devicesOf adds what the devices did for the copy, and when it was durable.
func (a *analysis) devicesOf(f *found, c *profile.Copy) {
	if !a.seesRequests() {
		return
	}
	var in, out *measure.Flow
	if s := f.source.stats; s != nil {
		in = s.devRead
	}
	if s := f.dest.stats; s != nil {
		out = s.devWrite
	}
	c.DeviceRead, c.DeviceWrite = in.Profile(c.WallNS), out.Profile(c.WallNS)
	if in != nil {
		c.DeviceReadBytes = in.Bytes
	}
	if out != nil {
		c.DeviceWriteBytes = out.Bytes
	}
	if c.Bytes > 0 {
		c.CacheHitShare = max(1-float64(c.DeviceReadBytes)/float64(c.Bytes), 0)
		c.ReadAmplification = float64(c.DeviceReadBytes) / float64(c.Bytes)
		c.WriteAmplification = float64(c.DeviceWriteBytes) / float64(c.Bytes)
	}
	a.durable(f, c, out)
}

// durable finds when the last byte of the destination was on the device: at
// the end of its last write request, if everything was written back.
func (a *analysis) durable(f *found, c *profile.Copy, out *measure.Flow) {
	drained := a.whole && a.end.Durable >= 0
	end := c.StartNS + c.WallNS
	switch {
	case f.unsized, inMemory[f.dest.fsType], !drained && (out == nil || out.Bytes < c.Bytes-c.HoleBytes):
		return
	case out != nil:
		end = max(end, out.Last)
	case c.Bytes > 0:
		end = max(end, a.end.Durable) // shared, inline, or in metadata: not seen by itself
	}
	c.DurableNS = end - c.StartNS
	c.DurableBytesPerS = measure.Rate(c.Bytes, c.DurableNS)
}

// shareSources corrects copies of one source: what the device read for the
// first one was in memory for the others.
func (a *analysis) shareSources(list []profile.Copy) {
	first := map[string]int{}
	for i := range list {
		c := &list[i]
		if c.DeviceRead == nil {
			continue
		}
		j, again := first[c.Source]
		if !again {
			first[c.Source] = i
			continue
		}
		o := &list[j]
		if c.StartNS >= o.StartNS+o.WallNS && c.DeviceRead.LastNS < c.StartNS {
			c.DeviceRead, c.DeviceReadBytes, c.ReadAmplification, c.CacheHitShare = nil, 0, 0, 1
			continue
		}
		for _, x := range []*profile.Copy{c, o} {
			x.Marks = measure.Union(x.Marks, []string{"shared_source"})
		}
	}
}
