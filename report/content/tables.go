package content

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
	"github.com/iotrace/iotrace/trace"
)

// Launches is the program starts: how long, and how much of it a faster
// drive could save.
func Launches(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	t := &table.Table{ID: "launches", Title: "Program starts"}
	if p.Trace.TellsDepth(false) {
		t.Note = "Saving: upper bound, with a drive of zero latency."
	}
	rows := p.Launches
	faults := func(n int64) float64 {
		if !p.Trace.Sees(string(trace.LimitNoFaults)) {
			return -1
		}
		return float64(n)
	}
	return t.Fill(
		table.Identifiers("pid", "", 0, rows, func(l profile.Launch) int64 { return int64(l.PID) }),
		table.Numbers("wall", "until it ended or fell quiet", 0, table.Times, rows,
			func(l profile.Launch) float64 { return float64(l.WallNS) }),
		table.Numbers("disk", "blocked on the disk with none of the workload running", 0, table.Times, rows,
			func(l profile.Launch) float64 { return float64(l.DiskNS) }),
		table.Numbers("CPU", "", 0, table.Times, rows, func(l profile.Launch) float64 { return float64(l.CPUNS) }),
		table.Numbers("saving", "upper bound, with a drive of zero latency", 0, table.Times, rows,
			func(l profile.Launch) float64 { return float64(l.SavingNS) }),
		table.Numbers("read", "by system calls", 1, table.Amounts, rows,
			func(l profile.Launch) float64 { return float64(l.ReadBytes) }),
		table.Numbers("faults", "page faults that waited for a file", 1, table.Plain, rows,
			func(l profile.Launch) float64 { return faults(l.Faults) }),
		table.Numbers("faulted", "read by page faults", 2, table.Amounts, rows,
			func(l profile.Launch) float64 { return faults(l.FaultBytes) }),
		table.Numbers("dev read", "read from the device", 0, table.Amounts, rows,
			func(l profile.Launch) float64 { return flowBytes(l.Device) }),
		table.Words("state", "cold: from the disk; warm: from memory", 0, rows,
			func(l profile.Launch) string { return visible.Text(l.State) }),
		n.column(t, len(rows), func(i int) []string { return rows[i].Marks }),
		table.Labels("program", rows, func(l profile.Launch) string { return visible.Text(l.Exe) }),
	)
}

// Scrubs is the series of jumps through a large file.
func Scrubs(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	t := &table.Table{ID: "scrubs", Title: "Scrubbing",
		Note: "Jumps through one file, and how long its first bytes took after a jump."}
	rows := p.Scrubs
	return t.Fill(
		table.Numbers("jumps", "", 0, table.Plain, rows, func(s profile.Scrub) float64 { return float64(s.Jumps) }),
		table.Numbers("wall", "", 0, table.Times, rows, func(s profile.Scrub) float64 { return float64(s.WallNS) }),
		table.Numbers("first p50", "first read after a jump: "+helpP50, 0, table.Times, rows,
			func(s profile.Scrub) float64 { return median(s.FirstByte) }),
		table.Numbers("p99", "first read after a jump: "+helpP99, 0, table.Times, rows,
			func(s profile.Scrub) float64 { return quantile(s.FirstByte, s.FirstByte.P99) }),
		table.Numbers("per jump", "median read after a jump", 0, table.Amounts, rows,
			func(s profile.Scrub) float64 { return median(s.PerJump) }),
		table.Numbers("distance", "median length of a jump", 1, table.Amounts, rows,
			func(s profile.Scrub) float64 { return median(s.Distance) }),
		table.Numbers("call", helpSize, 1, table.Sizes, rows, func(s profile.Scrub) float64 { return median(s.Calls) }),
		table.Numbers("dev read", "read from the device", 1, table.Amounts, rows,
			func(s profile.Scrub) float64 { return float64(s.DeviceBytes) }),
		table.Words("state", "cold: from the disk; warm: from memory", 0, rows,
			func(s profile.Scrub) string { return visible.Text(s.State) }),
		n.column(t, len(rows), func(i int) []string { return rows[i].Marks }),
		table.Labels("file", rows, func(s profile.Scrub) string { return visible.Text(s.Path) }),
	)
}

// Bounds is what simple models say was possible at best.
func Bounds(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "bounds", Title: "Theoretical limits",
		Note: "From simple models. A value near 100 % is the bottleneck."}
	rows := p.Bounds
	speed := table.Alike(table.Rates, rows,
		table.Of("bound", "the best the model allows", 0, func(b profile.Bound) float64 { return none(b.Rate) }),
		table.Of("measured", "", 0, func(b profile.Bound) float64 { return none(b.Measured) }))
	model := table.Labels("", rows, func(b profile.Bound) string { return visible.Text(b.Text) })
	model.Prose = true
	return t.Fill(
		speed[0], speed[1],
		table.Numbers("reached", "measured / bound", 0, table.Shares, rows,
			func(b profile.Bound) float64 { return b.Reached }),
		table.Phrases("formula", "", 3, rows, func(b profile.Bound) string { return visible.Text(b.Formula) }),
		model,
	)
}

// An estimate is one fit of the time per file on its size.
type estimate struct {
	name string
	line profile.Line
}

// SizeTime is the speed and the cost per file that many files give together.
func SizeTime(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "sizes", Title: "Time by file size"}
	if p.SizeTime == nil {
		return t
	}
	s := p.SizeTime
	if s.TheilSen.RateLow <= 0 || s.TheilSen.RateHigh > 10*s.TheilSen.RateLow {
		return t // time does not depend on size in a way that a line tells
	}
	t.Note = fmt.Sprintf("Time to %s a file = cost per file + size / speed, fitted over %s. Medians and trimmed means "+
		"are of each file's own speed.", visible.Text(s.What), unit.Things(int64(s.Files), "file"))
	rows := []estimate{
		{"Theil–Sen", s.TheilSen}, {"least squares", s.OLS},
		{"20 % trimmed mean", profile.Line{Rate: s.TrimmedRate, RateLow: s.TrimmedLow, RateHigh: s.TrimmedHigh,
			InterceptNS: -1}},
		{"median", profile.Line{Rate: s.MedianRate, RateLow: -1, RateHigh: -1, InterceptNS: -1}},
	}
	speed := table.Alike(table.Rates, rows,
		table.Of("", "", 0, func(e estimate) float64 { return float64(e.line.Rate) }),
		table.Of("low", "95 % interval", 0, func(e estimate) float64 { return float64(e.line.RateLow) }),
		table.Of("high", "95 % interval", 0, func(e estimate) float64 { return float64(e.line.RateHigh) }))
	return t.Fill(
		table.Words("estimate", "", 0, rows, func(e estimate) string { return e.name }),
		speed[0], speed[1], speed[2],
		table.Numbers("per file", "cost that does not depend on the size", 0, table.Times, rows,
			func(e estimate) float64 { return float64(e.line.InterceptNS) }),
	)
}
