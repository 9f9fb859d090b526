package content

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// Samples is what CPU time was spent on.
func Samples(p *profile.Profile) *table.Table {
	t := &table.Table{ID: "samples", Title: "CPU time by function",
		Note: "By samples, 99 times a second on each CPU. Code whose symbols are not known goes by its library."}
	rows := p.Trace.Samples
	var all int64
	for i := range rows {
		all += rows[i].Count
	}
	return t.Fill(
		table.Numbers("", "share of all samples", 0, table.Shares, rows,
			func(s profile.Sample) float64 { return ratio(float64(s.Count), float64(all)) }),
		table.Numbers("samples", "", 2, table.Plain, rows, func(s profile.Sample) float64 { return float64(s.Count) }),
		table.Words("process", "", 0, rows, func(s profile.Sample) string { return visible.Text(s.Process) }),
		table.Words("call", "operation that it was in", 1, rows,
			func(s profile.Sample) string { return visible.Text(s.Call) }),
		table.Phrases("work", "kind of work", 2, rows, func(s profile.Sample) string { return visible.Text(s.Work) }),
		table.Phrases("library", "", 0, rows, func(s profile.Sample) string { return visible.Text(s.Library) }),
		table.Labels("function", rows, func(s profile.Sample) string { return visible.Text(s.Function) }),
	)
}
