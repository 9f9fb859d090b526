package content

import (
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/table"
)

// marks are those of the rows of a table, nil if none has one.
func marks(t *table.Table) []string {
	i := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Marks })
	if i < 0 {
		return nil
	}
	return t.Columns[i].Cells
}

// What all rows have in common is said of the table, and only the rest of a row.
func TestCommonMarks(t *testing.T) {
	p := &profile.Profile{Warnings: []profile.Warning{{Code: "lost"}, {Code: "limit:no_queue"}, {Code: "damaged"}}}
	rows := func(codes ...[]string) *table.Table {
		p.Devices = nil
		for _, c := range codes {
			p.Devices = append(p.Devices, profile.Device{Name: "sda", Read: &profile.Flow{Count: 1}, Marks: c})
		}
		return Devices(p)
	}
	for _, c := range []struct {
		codes [][]string
		table string
		rows  []string
	}{
		{[][]string{{"lost", "damaged"}, {"damaged"}}, "!3", []string{"!1", ""}},
		{[][]string{{"lost"}, {"lost"}}, "!1", nil},
		{[][]string{{"lost"}, {"limit:no_queue"}, {}}, "", []string{"!1", "!2", ""}},
		{[][]string{{}}, "", nil},
		{[][]string{{"of another version"}}, "!", nil},
		{[][]string{{"of another version", "lost"}, {"lost"}}, "!1", nil},
	} {
		got := rows(c.codes...)
		of := NotesOf(p).Mark(got.Marks)
		if cells := marks(got); of != c.table || !slices.Equal(cells, c.rows) {
			t.Errorf("%q: %q of the table and %q of its rows, want %q and %q", c.codes, of, cells, c.table, c.rows)
		}
	}
}

// A time that the recording does not tell is not zero, and neither is the number in flight.
func TestTimesNotTold(t *testing.T) {
	known := &profile.Flow{Count: 2, Bytes: 8192, Latency: profile.Dist{Count: 2, P50: 1000, P99: 2000, Max: 3000},
		Depth: profile.Depth{BusyNS: 4000, MeanBusy: 1, Max: 1}}
	unknown := &profile.Flow{Count: 2, Bytes: 8192, Latency: profile.Dist{Count: 2}}
	p := &profile.Profile{WallNS: 10_000, Devices: []profile.Device{{Name: "sda", Read: known}}}
	for _, c := range []struct {
		limit string
		flow  *profile.Flow
		there []string
	}{
		{"no_queue", unknown, []string{"QD", "busy %", "p50", "p99"}},
		{"no_durations", unknown, nil},
		{"no_durations", known, []string{"QD", "busy %", "p50", "p99"}}, // merged with a trace that tells
		{"no_times", known, []string{"p50", "p99"}},
	} {
		p.Trace.Limits, p.Devices[0].Read = []profile.Limit{{Code: c.limit}}, c.flow
		var got []string
		for _, title := range []string{"QD", "busy %", "p50", "p99"} {
			if slices.ContainsFunc(Devices(p).Columns, func(c table.Column) bool { return strings.HasPrefix(c.Title, title) }) {
				got = append(got, title)
			}
		}
		if !slices.Equal(got, c.there) {
			t.Errorf("%s: columns %q, want %q", c.limit, got, c.there)
		}
	}
}
