package content

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// Phases is the stretches of bytes that moved at one speed. It is empty
// unless some series has two.
func Phases(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	t := &table.Table{ID: "phases", Title: "Phases", Note: "Stretches of constant speed over the bytes moved. A step is " +
		"reported only where a test confirms it."}
	if len(p.ChangePoints) == 0 {
		return t
	}
	rows, touching := p.Phases, n.Touching("/phases", "/change_points")
	bytes := table.Alike(table.Amounts, rows,
		table.Of("from", "bytes moved before it", 0, func(f profile.Phase) float64 { return float64(f.FromBytes) }),
		table.Of("to", "bytes moved at its end", 0, func(f profile.Phase) float64 { return float64(f.ToBytes) }))
	when := table.Alike(table.Times, rows,
		table.Of("from", "since the recording began", 2, func(f profile.Phase) float64 { return float64(f.FromNS) }),
		table.Of("to", "since the recording began", 2, func(f profile.Phase) float64 { return float64(f.ToNS) }))
	return t.Fill(
		table.Words("series", "", 0, rows, func(f profile.Phase) string { return SeriesName(f.Series, f.Device) }),
		bytes[0], bytes[1], when[0], when[1],
		table.Numbers("", "median over chunks of equal size", 0, table.Rates, rows,
			func(f profile.Phase) float64 { return float64(f.BytesPerS) }),
		table.Numbers("busy", "over the time with an operation in flight", 1, table.Rates, rows,
			func(f profile.Phase) float64 { return float64(f.BusyRate) }),
		table.Phrases("speeds", "if chunks of several speeds alternate: median and share of each", 1, rows,
			func(f profile.Phase) string { return Modes(f.Modes, func(v int64) string { return unit.Speed(v) }) }),
		n.column(t, len(rows), func(int) []string { return touching }),
	)
}

func SeriesName(series, device string) string {
	if device == "" {
		return visible.Text(series)
	}
	return visible.Text(device) + " " + visible.Text(strings.TrimPrefix(series, "device "))
}

// Modes prints the clusters of a distribution: "120 MB/s (63 %), 480 MB/s (37 %)".
func Modes(ms []profile.Mode, value func(int64) string) string {
	parts := make([]string, len(ms))
	for i, m := range ms {
		parts[i] = value(m.Median) + " (" + unit.Share(m.Weight) + ")"
	}
	return strings.Join(parts, ", ")
}

// Step tells a change of speed in a sentence, and what is known of it.
func Step(s *profile.Step) (change string, facts []string) {
	for _, f := range wording.Step(s) {
		facts = append(facts, visible.Text(f))
	}
	return fmt.Sprintf("After %s (at %s) %s went from %s to %s.",
		unit.Bytes(s.AtBytes), unit.Nanoseconds(s.AtNS), SeriesName(s.Series, s.Device), unit.Speed(s.Before),
		unit.Speed(s.After)), facts
}
