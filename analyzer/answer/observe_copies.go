package answer

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// largeCopy is the size below which a copy gets no sentence of its own.
const largeCopy = 1 << 20

// observeCopies words the largest copies.
func observeCopies(o *observer) {
	var order []int
	for i, c := range o.p.Copies {
		if c.Bytes >= largeCopy || c.SizeUnknown {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(o.p.Copies[b].Bytes>>20) - int(o.p.Copies[a].Bytes>>20) })
	for _, i := range order[:min(len(order), maxObserved)] {
		c := &o.p.Copies[i]
		at := fmt.Sprintf("/copies/%d", i)
		if c.Certainty == "same_size" {
			o.say("same_size", at, fmt.Sprintf("%s has as many bytes as %s, which was read before it was written. Only sizes "+
				"speak for a copy; the contents were not compared.",
				named(c.Destination), named(c.Source)), number(at+"/bytes", float64(c.Bytes)))
			continue
		}
		sayMethod(o, c, at)
		if !c.Method.Moves() {
			continue
		}
		sayCached(o, c, at)
		sayDeferred(o, c, at)
		sayBound(o, c, at)
		sayRewritten(o, c, at)
	}
}

// sayMethod says how a file was copied and what that means for its speed.
func sayMethod(o *observer, c *profile.Copy, at string) {
	name := named(c.Destination)
	evidence := []profile.Evidence{number(at+"/bytes", float64(c.Bytes))}
	if c.WallNS >= 0 {
		evidence = append(evidence, number(at+"/wall_ns", float64(c.WallNS)))
	}
	switch c.Method {
	case profile.ByRename:
		o.say("renamed", at, name+" got another name: no data moved.", evidence...)
		return
	case profile.ByHardLink:
		o.say("linked", at, name+" is a further name of the same file: no data moved.", evidence...)
		return
	case profile.ByReflink, profile.ByClonefile:
		if c.SizeUnknown {
			o.say("cloned", at, fmt.Sprintf("%s shares the data of its source (%s); its size is unknown, as nothing in the "+
				"recording tells it.", name, c.Method),
				number(at+"/wall_ns", float64(c.WallNS)))
			return
		}
		o.say("cloned", at, fmt.Sprintf("%s shares the data of its source (%s): %s were not copied at all, so this says "+
			"nothing about the drive.",
			name, c.Method, unit.Bytes(c.Bytes)),
			append(evidence, number(at+"/device_write_bytes", float64(c.DeviceWriteBytes)))...)
		return
	}
	if c.Think == nil || c.Read == nil || c.Write == nil || c.Read.Count < 2 {
		sayInKernel(o, c, at, name, evidence)
		return
	}
	depth := max(c.Read.Depth.Max, c.Write.Depth.Max)
	inFlight := "one at a time"
	switch {
	case depth > 1:
		inFlight = fmt.Sprintf("up to %d in flight", depth)
	case c.OverlapShare >= .01:
		inFlight = fmt.Sprintf("one of each at a time, both at once %s of the time", unit.Share(c.OverlapShare))
		evidence = append(evidence, number(at+"/overlap_share", c.OverlapShare))
	}
	text := fmt.Sprintf("%s: %s calls of %s, %s", name, worded(c.Method), unit.BlockSize(c.BufferBytes), inFlight)
	evidence = append(evidence, number(at+"/buffer_bytes", float64(c.BufferBytes)),
		number(at+"/read/depth/max", float64(c.Read.Depth.Max)),
		number(at+"/write/depth/max", float64(c.Write.Depth.Max)))
	if c.Think.Count > 0 && c.ThinkShare >= .02 {
		text += fmt.Sprintf(", %s (%s of the time)", wording.Gaps(c.Gaps, c.Think), unit.Share(c.ThinkShare))
		evidence = append(evidence, number(at+"/think_ns/p50", float64(c.Think.P50)), number(at+"/think_share", c.ThinkShare))
	}
	text += fmt.Sprintf("; %s of the time reading, %s writing", unit.Share(c.ReadShare), unit.Share(c.WriteShare))
	evidence = append(evidence, number(at+"/read_share", c.ReadShare), number(at+"/write_share", c.WriteShare))
	if c.OverlapShare < .01 {
		text += ", never both"
		evidence = append(evidence, number(at+"/overlap_share", c.OverlapShare))
	}
	o.say("copy_loop", at, text+".", evidence...)
}

// worded is a method as a sentence has it: calls that have no other name keep
// that of the system.
func worded(method profile.Method) string {
	switch method {
	case profile.ByReadWrite:
		return "read and write"
	case profile.ByPositioned:
		return "pread and pwrite"
	}
	return string(method)
}

// sayInKernel words copies whose blocks the program did not choose.
func sayInKernel(o *observer, c *profile.Copy, at, name string, evidence []profile.Evidence) {
	text := fmt.Sprintf("%s: by %s", name, worded(c.Method))
	if c.Write != nil {
		text = fmt.Sprintf("%s: %s", name, unit.Things(c.Write.Count, worded(c.Method)+" call"))
		evidence = append(evidence, number(at+"/write/count", float64(c.Write.Count)))
	}
	if c.Via != "" {
		text += " through a " + c.Via
	}
	if d := c.DeviceRead; d != nil && d.Bytes*2 > c.Bytes {
		text += fmt.Sprintf("; the kernel read it in requests of %s, %s in flight", wording.Sizes(&d.Size),
			unit.Significant(d.Depth.MeanBusy, 2))
		evidence = append(evidence, number(at+"/device_read/size_bytes/p50", float64(d.Size.P50)),
			number(at+"/device_read/depth/mean_busy", d.Depth.MeanBusy))
	}
	if d := c.DeviceWrite; d != nil && d.Bytes*2 > c.Bytes {
		text += fmt.Sprintf("; written in requests of %s, %s in flight", wording.Sizes(&d.Size),
			unit.Significant(d.Depth.MeanBusy, 2))
		evidence = append(evidence, number(at+"/device_write/size_bytes/p50", float64(d.Size.P50)),
			number(at+"/device_write/depth/mean_busy", d.Depth.MeanBusy))
	}
	o.say("copy_kernel", at, text+".", evidence...)
}

func sayCached(o *observer, c *profile.Copy, at string) {
	if c.CacheHitShare < .5 || 2*holesOf(o.p, c.Source) > c.Bytes {
		return
	}
	o.say("source_cached", at, fmt.Sprintf("%s of %s came from memory, not from the drive: with cold caches this takes "+
		"longer.",
		unit.Share(c.CacheHitShare), named(c.Source)), number(at+"/cache_hit_share", c.CacheHitShare),
		number(at+"/device_read_bytes", float64(c.DeviceReadBytes)))
}

func sayDeferred(o *observer, c *profile.Copy, at string) {
	if c.DurableNS == profile.Unknown || c.DurableNS*10 < c.WallNS*11 {
		return
	}
	o.say("deferred", at, fmt.Sprintf("%s until the last call, %s until the data was on the device.",
		unit.Speed(c.BytesPerS), unit.Speed(c.DurableBytesPerS)),
		number(at+"/bytes_per_s", float64(c.BytesPerS)), number(at+"/durable_bytes_per_s", float64(c.DurableBytesPerS)))
}

// sayBound says which model already explains the speed.
func sayBound(o *observer, c *profile.Copy, at string) {
	for i, b := range c.Bounds {
		if b.Reached < .85 || b.Reached > 1.15 {
			continue
		}
		o.say("bound", at, fmt.Sprintf("%s; %s allows %s at best: %s.", unit.Speed(b.Measured), boundNames[b.Code],
			unit.Speed(b.Rate), b.Text),
			number(fmt.Sprintf("%s/bounds/%d/bytes_per_s", at, i), float64(b.Rate)),
			number(fmt.Sprintf("%s/bounds/%d/measured_bytes_per_s", at, i), float64(b.Measured)))
		return
	}
}

var boundNames = map[string]string{
	"serial": "reading and writing in turn", "overlapped": "the slower of reading and writing",
	"little":   "one call after the other",
	"per_file": "the cost of each file",
}

func sayRewritten(o *observer, c *profile.Copy, at string) {
	if c.WriteAmplification > 1.2 {
		o.say("amplified", at, fmt.Sprintf("The device wrote %s for %s of data.", unit.Bytes(c.DeviceWriteBytes),
			unit.Bytes(c.Bytes)),
			number(at+"/device_write_bytes", float64(c.DeviceWriteBytes)),
			number(at+"/write_amplification", c.WriteAmplification))
	}
}

// groups words directory copies.
func groups(o *observer) {
	for i, g := range o.p.CopyGroups[:min(len(o.p.CopyGroups), maxObserved)] {
		if g.Files < 3 || g.Sizes.Count == 0 || g.WallNS < 0 { // each clone of unknown size says so itself
			continue
		}
		at := fmt.Sprintf("/copy_groups/%d", i)
		text := fmt.Sprintf("%s, %s, to %s in %s by %s: %s, %s files/s", unit.Things(int64(g.Files), "file"),
			unit.Bytes(g.Bytes),
			g.DestinationRoot, unit.Nanoseconds(g.WallNS), worded(g.Method), unit.Speed(g.BytesPerS),
			unit.Number(g.FilesPerS))
		if g.BytesPerS == 0 { // names only
			text = fmt.Sprintf("%s, to %s in %s by %s: %s files/s", unit.Things(int64(g.Files), "file"),
				g.DestinationRoot, unit.Nanoseconds(g.WallNS), worded(g.Method), unit.Number(g.FilesPerS))
		}
		evidence := []profile.Evidence{number(at+"/files", float64(g.Files)), number(at+"/bytes", float64(g.Bytes)),
			number(at+"/wall_ns", float64(g.WallNS)),
			number(at+"/files_per_s", g.FilesPerS)}
		if data := g.PerFile.Sum; g.WallNS > 0 && data*2 < g.WallNS {
			text += fmt.Sprintf("; only %s of the time in calls on the data, the rest goes to %s calls on names and "+
				"attributes a file and what lies between",
				unit.Share(float64(data)/float64(g.WallNS)), unit.Significant(float64(g.MetadataCalls)/float64(g.Files), 2))
			evidence = append(evidence, number(at+"/file_wall_ns/sum", float64(data)),
				number(at+"/metadata_calls", float64(g.MetadataCalls)))
		}
		o.say("copy_group", at, text+".", evidence...)
	}
}
