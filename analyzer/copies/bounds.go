package copies

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// mostOf says how much of the data has to be moved by a device before its speed
// bounds a copy.
const mostOf = .5

// surpassed is how far a bound may be exceeded before its model does not hold.
const surpassed = 1.1

// listBounds works out, from what was measured, the best that simple models
// allow: for every copy, and for the whole if it is mainly one copy.
func listBounds(p *profile.Profile) {
	p.Bounds = []profile.Bound{}
	largest, all := -1, int64(0)
	for i := range p.Copies {
		c := &p.Copies[i]
		c.Bounds = CopyBounds(c)
		all += c.Bytes
		if largest < 0 || c.Bytes > p.Copies[largest].Bytes {
			largest = i
		}
	}
	if largest >= 0 && p.Copies[largest].Bytes*2 > all {
		p.Bounds = append(p.Bounds, p.Copies[largest].Bounds...)
	}
	if f := p.SizeTime; f != nil && f.What == "copy" && f.TheilSen.Rate > 0 && len(p.CopyGroups) > 0 {
		if b := perFile(f, &p.CopyGroups[0]); b.Reached <= surpassed { // otherwise files were copied several at a time
			p.Bounds = append(p.Bounds, b)
		}
	}
}

// CopyBounds are the bounds of one copy: by the speeds of the devices while
// they were busy, and by its calls.
func CopyBounds(c *profile.Copy) []profile.Bound {
	var list []profile.Bound
	measured := c.BytesPerS
	if w := c.DeviceWrite; w != nil && (c.DurableNS >= 0 || w.Bytes >= c.Bytes-c.HoleBytes) &&
		w.LastNS > c.StartNS+c.WallNS {
		measured = measure.Rate(c.Bytes, w.LastNS-c.StartNS) // most was written after the last call: count that, too
	}
	r, w := busyRate(c.DeviceRead, c.Bytes), busyRate(c.DeviceWrite, c.Bytes)
	if r > 0 && w > 0 {
		serial := 1 / (1/float64(r) + 1/float64(w))
		list = append(list, newBound("serial", c.Bytes, serial, measured, fmt.Sprintf("1/(1/R + 1/W), R = %s, W = %s",
			unit.Speed(r), unit.Speed(w)),
			"each block is read, then written, nothing overlaps"))
		list = append(list, newBound("overlapped", c.Bytes, float64(min(r, w)), measured,
			fmt.Sprintf("min(R, W), R = %s, W = %s", unit.Speed(r), unit.Speed(w)),
			"reading and writing overlap perfectly and do not slow each other down"))
	}
	if c.Read != nil && c.Write != nil && c.Think != nil && c.Read.Count > 1 && c.OverlapShare < .01 {
		if t := c.Read.Latency.Sum + c.Write.Latency.Sum; t > 0 {
			list = append(list, newBound("little", c.Bytes, float64(c.Bytes)/float64(t)*1e9, c.BytesPerS,
				fmt.Sprintf("L·b/W, L = 1 call in flight, b = %s, W = %s to read and write a block", unit.BlockSize(c.BufferBytes),
					unit.Nanoseconds(int64(c.Read.Latency.Mean()+c.Write.Latency.Mean()))),
				"the calls themselves take this long; there is no more to gain from the time between them"))
		}
	}
	return list
}

// busyRate is the speed of a device while it was busy with the copy; 0 unless
// it moved most of the bytes.
func busyRate(f *profile.Flow, bytes int64) int64 {
	if f == nil || float64(f.Bytes) < mostOf*float64(bytes) {
		return 0
	}
	return measure.Rate(f.Bytes, f.Depth.BusyNS)
}

func newBound(code string, bytes int64, limit float64, measured int64, formula, text string) profile.Bound {
	b := profile.Bound{Code: code, Text: text, Rate: measure.Whole(limit), Measured: measured, Formula: formula}
	if limit > 0 {
		b.TimeNS = measure.Whole(float64(bytes) / limit * 1e9)
		b.Reached = float64(measured) / limit
	}
	return b
}

// perFile is the bound of many files: a fixed time for each and a time per byte.
func perFile(f *profile.SizeTime, g *profile.CopyGroup) profile.Bound {
	t := float64(g.Files)*float64(max(f.PerFileCost, 0)) + float64(g.Bytes)/float64(f.TheilSen.Rate)*1e9
	b := profile.Bound{
		Code: "per_file", Text: "every file takes a fixed time and a time per byte, nothing comes between the files",
		Measured: g.BytesPerS, TimeNS: measure.Whole(t),
		Formula: fmt.Sprintf("a·n + bytes/b, a = %s, n = %d, b = %s", unit.Nanoseconds(f.PerFileCost), g.Files,
			unit.Speed(f.TheilSen.Rate)),
	}
	if t > 0 {
		b.Rate = measure.Whole(float64(g.Bytes) / t * 1e9)
		b.Reached = t / float64(max(g.WallNS, 1))
	}
	return b
}
