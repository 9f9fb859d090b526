package content

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
	"github.com/iotrace/iotrace/trace"
)

// Copies is every copy that was found, with the speed a person saw and the
// speed at which the data became durable.
func Copies(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	var notes []string
	if p.Trace.TellsDepth(false) {
		notes = append(notes, "QD is the achieved queue depth: the mean number in flight while there was one. Think is the "+
			"time between two data calls with none in flight.")
	}
	if p.Omitted.Copies > 0 {
		notes = append(notes, "Left out: "+unit.Things(p.Omitted.Copies, "further copy")+" with "+
			unit.Bytes(p.Omitted.CopyBytes)+".")
	}
	t := &table.Table{ID: "copies", Title: "Copies", Note: strings.Join(notes, " ")}
	rows := p.Copies
	took := table.Alike(table.Times, rows,
		table.Of("wall", "first call on the data to the last", 0, func(c profile.Copy) float64 { return float64(c.WallNS) }),
		table.Of("durable", "from the start until its data was on the disk", 2,
			func(c profile.Copy) float64 { return float64(c.DurableNS) }))
	speed := table.Alike(table.Rates, rows,
		table.Of("", "bytes over wall time", 0, func(c profile.Copy) float64 { return copyRate(c, c.BytesPerS) }),
		table.Of("durable", "bytes over the time until its data was on the disk", 0,
			func(c profile.Copy) float64 { return copyRate(c, c.DurableBytesPerS) }))
	device := table.Alike(table.Amounts, rows,
		table.Of("dev read", "of the source, read from the device", 4,
			func(c profile.Copy) float64 { return onDevice(p, c.DeviceReadBytes) }),
		table.Of("dev write", "of the destination, written to the device", 4,
			func(c profile.Copy) float64 { return onDevice(p, c.DeviceWriteBytes) }))
	return t.Fill(
		table.Numbers("", "that the destination has of the source", 0, table.Amounts, rows, copyBytes),
		took[0], speed[0], took[1], speed[1],
		table.Numbers("IOPS", "calls that moved its data, in a second", 3, table.Plain, rows,
			func(c profile.Copy) float64 { return c.IOPS() }),
		table.Words("method", "how the data went from file to file", 0, rows,
			func(c profile.Copy) string { return visible.Text(string(c.Method)) }),
		table.Numbers("call", "bytes per call: the buffer, or the median of what a call moved", 1, table.Sizes, rows,
			copyCallSize),
		table.Numbers("QD", "achieved queue depth of its calls: mean while one was in flight", 1, table.Plain, rows,
			func(c profile.Copy) float64 { return copyDepth(p, c) }),
		table.Numbers("QD dev read", "achieved queue depth of the requests that read the source", 3, table.Plain, rows,
			func(c profile.Copy) float64 { return flowDepth(c.DeviceRead) }),
		table.Numbers("QD dev write", "achieved queue depth of the requests that wrote the destination", 3, table.Plain, rows,
			func(c profile.Copy) float64 { return flowDepth(c.DeviceWrite) }),
		table.Numbers("think", "median time between two data calls with none in flight", 3, table.Times, rows,
			func(c profile.Copy) float64 { return pause(c.Think) }),
		table.Numbers("think", "share of the wall time with no data call in flight", 3, table.Shares, rows,
			func(c profile.Copy) float64 { return c.ThinkShare }),
		device[0], device[1],
		table.Numbers("syncs", "calls that asked for durability", 4, table.Plain, rows,
			func(c profile.Copy) float64 { return none(c.Syncs) }),
		table.Words("", "", 3, rows, copyTraits),
		n.column(t, len(rows), func(i int) []string { return rows[i].Marks }),
		table.Labels("source"+visible.Arrow+"destination", rows, func(c profile.Copy) string {
			return visible.Text(c.Source) + visible.Arrow + visible.Text(c.Destination)
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
	if !c.Method.Moves() || c.WallNS <= 0 {
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

// onDevice is a number of bytes that requests moved of a file, unknown where the recording does not tell their files.
func onDevice(p *profile.Profile, n int64) float64 {
	if !p.Trace.Sees(string(trace.LimitNoRequests)) || !p.Trace.Sees(string(trace.LimitNoRequestFiles)) {
		return -1
	}
	return float64(n)
}

// pause is the median time between two calls, if there are two.
func pause(think *profile.Dist) float64 {
	if think == nil {
		return -1
	}
	return median(*think)
}

func copyDepth(p *profile.Profile, c profile.Copy) float64 {
	if !p.Trace.TellsDepth(true) {
		return -1
	}
	return max(flowDepth(c.Read), flowDepth(c.Write))
}

func flowDepth(f *profile.Flow) float64 {
	return flow(f, func(f *profile.Flow) float64 {
		if f.Depth.BusyNS == 0 { // the recording does not tell it
			return -1
		}
		return f.Depth.MeanBusy
	})
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
		{c.Via != "", "via " + visible.Text(c.Via)}, {c.PartFiles > 0, "via " + unit.Things(int64(c.PartFiles), "file")},
	} {
		if t.has {
			traits = append(traits, t.name)
		}
	}
	return strings.Join(traits, ", ")
}

// Groups is the trees, or sets of files, that were copied in one go.
func Groups(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	t := &table.Table{ID: "groups", Title: "Trees copied",
		Note: "Between is the time from the end of one file's data to the start of the next."}
	rows := p.CopyGroups
	took := table.Alike(table.Times, rows,
		table.Of("wall", "start of the first copy to the end of the last", 0,
			func(g profile.CopyGroup) float64 { return float64(g.WallNS) }),
		table.Of("durable", "until all its data was on the disk", 1, func(g profile.CopyGroup) float64 {
			return float64(g.DurableNS)
		}))
	return t.Fill(
		table.Numbers("files", "", 0, table.Plain, rows, func(g profile.CopyGroup) float64 { return float64(g.Files) }),
		table.Numbers("", "of all files", 0, table.Amounts, rows, func(g profile.CopyGroup) float64 {
			return sized(g, g.Bytes)
		}),
		took[0], took[1],
		table.Numbers("", "bytes over wall time", 0, table.Rates, rows, func(g profile.CopyGroup) float64 {
			return sized(g, g.BytesPerS)
		}),
		table.Numbers("files/s", "", 1, table.Plain, rows, func(g profile.CopyGroup) float64 { return g.FilesPerS }),
		table.Words("method", "of most files", 0, rows,
			func(g profile.CopyGroup) string { return visible.Text(string(g.Method)) }),
		table.Numbers("file size", "median", 2, table.Sizes, rows, func(g profile.CopyGroup) float64 {
			return median(g.Sizes)
		}),
		table.Numbers("per file", "median wall time of one copy", 2, table.Times, rows,
			func(g profile.CopyGroup) float64 { return median(g.PerFile) }),
		table.Numbers("between", "median", 3, table.Times, rows, func(g profile.CopyGroup) float64 {
			return median(g.Between)
		}),
		n.column(t, len(rows), func(i int) []string { return rows[i].Marks }),
		table.Labels("source"+visible.Arrow+"destination", rows, func(g profile.CopyGroup) string {
			return visible.Text(g.SourceRoot) + visible.Arrow + visible.Text(g.DestinationRoot)
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

// FewCopies is how many copies are listed where trees sum them up.
const FewCopies = 3
