package report

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// copyTable is every copy that was found, with the speed a person saw and the
// speed at which the data became durable.
func (n notes) copyTable(p *profile.Profile) *table {
	t := &table{
		id: "copies", title: "Copies",
		note: "QD is the achieved queue depth: the mean number in flight while there was one. Think is the time between two data calls with none in flight.",
	}
	if p.Omitted.Copies > 0 {
		t.note += " Left out: " + some(p.Omitted.Copies, "further copy") + " with " + unit.Bytes(p.Omitted.CopyBytes) + "."
	}
	rows := p.Copies
	took := alike(times, rows,
		quantity[profile.Copy]{"wall", "first call on the data to the last", 0, func(c profile.Copy) float64 { return float64(c.WallNS) }},
		quantity[profile.Copy]{"durable", "from the start until its data was on the disk", 2, func(c profile.Copy) float64 { return float64(c.DurableNS) }})
	speed := alike(rates, rows,
		quantity[profile.Copy]{"", "bytes over wall time", 0, func(c profile.Copy) float64 { return copyRate(c, c.BytesPerS) }},
		quantity[profile.Copy]{"durable", "bytes over the time until its data was on the disk", 0, func(c profile.Copy) float64 { return copyRate(c, c.DurableBytesPerS) }})
	device := alike(amounts, rows,
		quantity[profile.Copy]{"dev read", "of the source, read from the device", 4, func(c profile.Copy) float64 { return float64(c.DeviceReadBytes) }},
		quantity[profile.Copy]{"dev write", "of the destination, written to the device", 4, func(c profile.Copy) float64 { return float64(c.DeviceWriteBytes) }})
	return t.fill(
		numbers("", "that the destination has of the source", 0, amounts, rows, copyBytes),
		took[0], speed[0], took[1], speed[1],
		words("method", "how the data went from file to file", 0, rows, func(c profile.Copy) string { return printable(c.Method) }),
		numbers("call", "bytes per call: the buffer, or the median of what a call moved", 1, sizes, rows, copyCallSize),
		numbers("QD", "achieved queue depth of its calls: mean while one was in flight", 1, plain, rows, func(c profile.Copy) float64 {
			return max(flowDepth(c.Read), flowDepth(c.Write))
		}),
		numbers("QD dev read", "achieved queue depth of the requests that read the source", 3, plain, rows, func(c profile.Copy) float64 { return flowDepth(c.DeviceRead) }),
		numbers("QD dev write", "achieved queue depth of the requests that wrote the destination", 3, plain, rows, func(c profile.Copy) float64 { return flowDepth(c.DeviceWrite) }),
		numbers("think", "median time between two data calls with none in flight", 3, times, rows, func(c profile.Copy) float64 {
			if c.Think == nil {
				return -1
			}
			return median(*c.Think)
		}),
		numbers("think", "share of the wall time with no data call in flight", 3, shares, rows, func(c profile.Copy) float64 { return c.ThinkShare }),
		device[0], device[1],
		numbers("syncs", "calls that asked for durability", 4, plain, rows, func(c profile.Copy) float64 { return none(c.Syncs) }),
		words("", "", 3, rows, copyTraits),
		n.column(len(rows), func(i int) []string { return rows[i].Marks }),
		labels("source"+arrow+"destination", rows, func(c profile.Copy) string {
			return printable(c.Source) + arrow + printable(c.Destination)
		}),
	)
}

// copyBytes is the size of a copy.
func copyBytes(c profile.Copy) float64 {
	if c.SizeUnknown {
		return -1
	}
	return float64(c.Bytes)
}

// copyRate is the speed of a copy, which means nothing if no data moved.
func copyRate(c profile.Copy, bytesPerS int64) float64 {
	if !moves(c.Method) || c.WallNS <= 0 {
		return -1
	}
	return float64(bytesPerS)
}

func copyCallSize(c profile.Copy) float64 {
	if c.BufferBytes > 0 {
		return float64(c.BufferBytes)
	}
	return max(flowSize(c.Write), flowSize(c.Read))
}

func flowDepth(f *profile.Flow) float64 {
	return flow(f, func(f *profile.Flow) float64 { return f.Depth.MeanBusy })
}

// copyTraits names what sets a copy apart.
func copyTraits(c profile.Copy) string {
	var traits []string
	for _, t := range []struct {
		has  bool
		name string
	}{
		{c.SizeUnknown, "size unknown"},
		{c.DirectSource && c.DirectDestination, "direct"},
		{c.DirectSource && !c.DirectDestination, "direct source"},
		{c.DirectDestination && !c.DirectSource, "direct destination"},
		{c.Sparse, "sparse"}, {c.Preallocated, "preallocated"}, {c.Renamed, "renamed"}, {c.SourceRemoved, "source removed"},
		{c.Via != "", "via " + printable(c.Via)},
	} {
		if t.has {
			traits = append(traits, t.name)
		}
	}
	return strings.Join(traits, ", ")
}

// groupTable is the trees, or sets of files, that were copied in one go.
func (n notes) groupTable(p *profile.Profile) *table {
	t := &table{id: "groups", title: "Trees copied", note: "Between is the time from the end of one file's data to the start of the next."}
	rows := p.CopyGroups
	took := alike(times, rows,
		quantity[profile.CopyGroup]{"wall", "start of the first copy to the end of the last", 0, func(g profile.CopyGroup) float64 { return float64(g.WallNS) }},
		quantity[profile.CopyGroup]{"durable", "until all its data was on the disk", 1, func(g profile.CopyGroup) float64 { return float64(g.DurableNS) }})
	return t.fill(
		numbers("files", "", 0, plain, rows, func(g profile.CopyGroup) float64 { return float64(g.Files) }),
		numbers("", "of all files", 0, amounts, rows, func(g profile.CopyGroup) float64 { return sized(g, g.Bytes) }),
		took[0], took[1],
		numbers("", "bytes over wall time", 0, rates, rows, func(g profile.CopyGroup) float64 { return sized(g, g.BytesPerS) }),
		numbers("files/s", "", 1, plain, rows, func(g profile.CopyGroup) float64 { return g.FilesPerS }),
		words("method", "of most files", 0, rows, func(g profile.CopyGroup) string { return printable(g.Method) }),
		numbers("file size", "median", 2, sizes, rows, func(g profile.CopyGroup) float64 { return median(g.Sizes) }),
		numbers("per file", "median wall time of one copy", 2, times, rows, func(g profile.CopyGroup) float64 { return median(g.PerFile) }),
		numbers("between", "median", 3, times, rows, func(g profile.CopyGroup) float64 { return median(g.Between) }),
		n.column(len(rows), func(i int) []string { return rows[i].Marks }),
		labels("source"+arrow+"destination", rows, func(g profile.CopyGroup) string {
			return printable(g.SourceRoot) + arrow + printable(g.DestinationRoot)
		}),
	)
}

// sized is a number of a group of copies that means nothing if no size is known.
func sized(g profile.CopyGroup, n int64) float64 {
	if g.Sizes.Count == 0 && g.Bytes == 0 {
		return -1
	}
	return float64(n)
}

// phaseTable is the stretches of bytes that moved at one speed. It is empty
// unless some series has two.
func (n notes) phaseTable(p *profile.Profile) *table {
	t := &table{id: "phases", title: "Phases", note: "Stretches of constant speed over the bytes moved. A step is reported only where a test confirms it."}
	if len(p.ChangePoints) == 0 {
		return t
	}
	rows := p.Phases
	bytes := alike(amounts, rows,
		quantity[profile.Phase]{"from", "bytes moved before it", 0, func(f profile.Phase) float64 { return float64(f.FromBytes) }},
		quantity[profile.Phase]{"to", "bytes moved at its end", 0, func(f profile.Phase) float64 { return float64(f.ToBytes) }})
	when := alike(times, rows,
		quantity[profile.Phase]{"from", "since the recording began", 2, func(f profile.Phase) float64 { return float64(f.FromNS) }},
		quantity[profile.Phase]{"to", "since the recording began", 2, func(f profile.Phase) float64 { return float64(f.ToNS) }})
	return t.fill(
		words("series", "", 0, rows, func(f profile.Phase) string { return seriesName(f.Series, f.Device) }),
		bytes[0], bytes[1], when[0], when[1],
		numbers("", "median over chunks of equal size", 0, rates, rows, func(f profile.Phase) float64 { return float64(f.BytesPerS) }),
		numbers("busy", "over the time with an operation in flight", 1, rates, rows, func(f profile.Phase) float64 { return float64(f.BusyRate) }),
		phrases("speeds", "if chunks of several speeds alternate: median and share of each", 1, rows, func(f profile.Phase) string {
			return modes(f.Modes, func(v int64) string { return perSecond(v) })
		}),
		n.column(len(rows), func(int) []string { return n.touching("/phases", "/change_points") }),
	)
}

func seriesName(series, device string) string {
	if device == "" {
		return printable(series)
	}
	return printable(device) + " " + printable(strings.TrimPrefix(series, "device "))
}

// modes prints the clusters of a distribution: "120 MB/s (63 %), 480 MB/s (37 %)".
func modes(ms []profile.Mode, value func(int64) string) string {
	parts := make([]string, len(ms))
	for i, m := range ms {
		parts[i] = value(m.Median) + " (" + percent(m.Weight) + ")"
	}
	return strings.Join(parts, ", ")
}

// step tells a change of speed in a sentence; the causes are listed apart.
func step(s profile.Step) string {
	return fmt.Sprintf("After %s (at %s) %s went from %s to %s.",
		unit.Bytes(s.AtBytes), duration(s.AtNS), seriesName(s.Series, s.Device), perSecond(s.Before), perSecond(s.After))
}

// launchTable is the program starts: how long, and how much of it a faster
// drive could save.
func (n notes) launchTable(p *profile.Profile) *table {
	t := &table{id: "launches", title: "Program starts", note: "Saving is what an infinitely fast drive would save at most."}
	rows := p.Launches
	return t.fill(
		numbers("pid", "", 0, plain, rows, func(l profile.Launch) float64 { return float64(l.PID) }),
		numbers("wall", "until it ended or fell quiet", 0, times, rows, func(l profile.Launch) float64 { return float64(l.WallNS) }),
		numbers("disk", "blocked on the disk with none of the workload running", 0, times, rows, func(l profile.Launch) float64 { return float64(l.DiskNS) }),
		numbers("CPU", "", 0, times, rows, func(l profile.Launch) float64 { return float64(l.CPUNS) }),
		numbers("saving", "what an infinitely fast drive would save at most", 0, times, rows, func(l profile.Launch) float64 { return float64(l.SavingNS) }),
		numbers("read", "by system calls", 1, amounts, rows, func(l profile.Launch) float64 { return float64(l.ReadBytes) }),
		numbers("faults", "page faults that waited for a file", 1, plain, rows, func(l profile.Launch) float64 { return float64(l.Faults) }),
		numbers("faulted", "read by page faults", 2, amounts, rows, func(l profile.Launch) float64 { return float64(l.FaultBytes) }),
		numbers("dev read", "read from the device", 0, amounts, rows, func(l profile.Launch) float64 { return flowBytes(l.Device) }),
		words("state", "cold: from the disk; warm: from memory", 0, rows, func(l profile.Launch) string { return printable(l.State) }),
		n.column(len(rows), func(i int) []string { return rows[i].Marks }),
		labels("program", rows, func(l profile.Launch) string { return printable(l.Exe) }),
	)
}

// scrubTable is the series of jumps through a large file.
func (n notes) scrubTable(p *profile.Profile) *table {
	t := &table{id: "scrubs", title: "Scrubbing", note: "Jumps through one file, and how long its first bytes took after a jump."}
	rows := p.Scrubs
	return t.fill(
		numbers("jumps", "", 0, plain, rows, func(s profile.Scrub) float64 { return float64(s.Jumps) }),
		numbers("wall", "", 0, times, rows, func(s profile.Scrub) float64 { return float64(s.WallNS) }),
		numbers("first p50", "first read after a jump: "+helpP50, 0, times, rows, func(s profile.Scrub) float64 { return median(s.FirstByte) }),
		numbers("p99", "first read after a jump: "+helpP99, 0, times, rows, func(s profile.Scrub) float64 { return quantile(s.FirstByte, s.FirstByte.P99) }),
		numbers("per jump", "median read after a jump", 0, amounts, rows, func(s profile.Scrub) float64 { return median(s.PerJump) }),
		numbers("distance", "median length of a jump", 1, amounts, rows, func(s profile.Scrub) float64 { return median(s.Distance) }),
		numbers("call", helpSize, 1, sizes, rows, func(s profile.Scrub) float64 { return median(s.Calls) }),
		numbers("dev read", "read from the device", 1, amounts, rows, func(s profile.Scrub) float64 { return float64(s.DeviceBytes) }),
		words("state", "cold: from the disk; warm: from memory", 0, rows, func(s profile.Scrub) string { return printable(s.State) }),
		n.column(len(rows), func(i int) []string { return rows[i].Marks }),
		labels("file", rows, func(s profile.Scrub) string { return printable(s.Path) }),
	)
}

// boundTable is what simple models say was possible at best.
func (n notes) boundTable(p *profile.Profile) *table {
	t := &table{id: "bounds", title: "What was possible", note: "Bounds from simple models. One that is nearly reached is what limited the workload."}
	rows := p.Bounds
	speed := alike(rates, rows,
		quantity[profile.Bound]{"bound", "the best the model allows", 0, func(b profile.Bound) float64 { return none(b.Rate) }},
		quantity[profile.Bound]{"measured", "", 0, func(b profile.Bound) float64 { return none(b.Measured) }})
	model := labels("", rows, func(b profile.Bound) string { return printable(b.Text) })
	model.prose = true
	return t.fill(
		speed[0], speed[1],
		numbers("reached", "measured / bound", 0, shares, rows, func(b profile.Bound) float64 { return b.Reached }),
		phrases("formula", "", 3, rows, func(b profile.Bound) string { return printable(b.Formula) }),
		model,
	)
}

// An estimate is one fit of the time per file on its size.
type estimate struct {
	name string
	line profile.Line
}

// sizeTable is the speed and the cost per file that many files give together.
func (n notes) sizeTable(p *profile.Profile) *table {
	t := &table{id: "sizes", title: "Time by file size"}
	if p.SizeTime == nil {
		return t
	}
	s := p.SizeTime
	if s.TheilSen.RateLow <= 0 || s.TheilSen.RateHigh > 10*s.TheilSen.RateLow {
		return t // time does not depend on size in a way that a line tells
	}
	t.note = fmt.Sprintf("Time to %s a file = cost per file + size / speed, fitted over %s. Medians and trimmed means are of each file's own speed.", printable(s.What), some(int64(s.Files), "file"))
	rows := []estimate{
		{"Theil–Sen", s.TheilSen}, {"least squares", s.OLS},
		{"20 % trimmed mean", profile.Line{Rate: s.TrimmedRate, RateLow: s.TrimmedLow, RateHigh: s.TrimmedHigh, InterceptNS: -1}},
		{"median", profile.Line{Rate: s.MedianRate, RateLow: -1, RateHigh: -1, InterceptNS: -1}},
	}
	speed := alike(rates, rows,
		quantity[estimate]{"", "", 0, func(e estimate) float64 { return float64(e.line.Rate) }},
		quantity[estimate]{"low", "95 % interval", 0, func(e estimate) float64 { return float64(e.line.RateLow) }},
		quantity[estimate]{"high", "95 % interval", 0, func(e estimate) float64 { return float64(e.line.RateHigh) }})
	return t.fill(
		words("estimate", "", 0, rows, func(e estimate) string { return e.name }),
		speed[0], speed[1], speed[2],
		numbers("per file", "cost that does not depend on the size", 0, times, rows, func(e estimate) float64 { return float64(e.line.InterceptNS) }),
	)
}
