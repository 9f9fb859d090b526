package content

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// Servers is what clients of network file systems asked of their servers.
func Servers(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	t := &table.Table{ID: "servers", Title: "Server requests",
		Note: "What clients of network file systems asked of their servers, from when a client made a request until it was " +
			"through with the reply. QD is the mean number under way while there was one."}
	rows := p.ServerRequests
	number := func(value func(*profile.ServerRequests) int64) func(profile.ServerRequests) float64 {
		return func(r profile.ServerRequests) float64 { return none(value(&r)) }
	}
	latency := table.Alike(table.Times, rows,
		table.Of("p50", helpP50, 0, func(r profile.ServerRequests) float64 { return median(r.Flow.Latency) }),
		table.Of("p99", helpP99, 1, func(r profile.ServerRequests) float64 {
			return quantile(r.Flow.Latency, r.Flow.Latency.P99)
		}),
		table.Of("max", "the slowest", 2, func(r profile.ServerRequests) float64 {
			return quantile(r.Flow.Latency, r.Flow.Latency.Max)
		}))
	parts := table.Alike(table.Times, rows,
		table.Of("unsent", "mean time with the client before it was sent", 0, func(r profile.ServerRequests) float64 {
			return ratio(float64(r.Queued.Sum), float64(r.Queued.Count))
		}),
		table.Of("answered", "mean time from then until the reply came", 0, func(r profile.ServerRequests) float64 {
			return ratio(float64(r.Answered.Sum), float64(r.Answered.Count))
		}))
	return t.Fill(
		table.Words("server", "", 0, rows, func(r profile.ServerRequests) string { return visible.Text(r.Server) }),
		table.Words("protocol", "", 2, rows, func(r profile.ServerRequests) string { return r.Protocol }),
		table.Words("procedure", "", 0, rows, func(r profile.ServerRequests) string { return visible.Text(r.Procedure) }),
		table.Numbers("count", "requests", 0, table.Plain, rows,
			number(func(r *profile.ServerRequests) int64 { return r.Flow.Count })),
		table.Numbers("errors", "requests that failed", 0, table.Plain, rows,
			number(func(r *profile.ServerRequests) int64 { return r.Flow.Errors })),
		table.Numbers("resent", "sent again", 0, table.Plain, rows,
			number(func(r *profile.ServerRequests) int64 { return r.Resent })),
		table.Numbers("", "data that was read or written", 0, table.Amounts, rows,
			number(func(r *profile.ServerRequests) int64 { return r.Flow.Bytes })),
		table.Numbers("out", "sent, with headers", 3, table.Amounts, rows,
			number(func(r *profile.ServerRequests) int64 { return r.Out })),
		table.Numbers("in", "received, with headers", 3, table.Amounts, rows,
			number(func(r *profile.ServerRequests) int64 { return r.In })),
		table.Numbers("size", helpSize, 1, table.Sizes, rows, func(r profile.ServerRequests) float64 {
			if r.Flow.Bytes == 0 {
				return -1
			}
			return medianSize(r.Flow.Size)
		}),
		table.Numbers("QD", helpQD, 0, table.Plain, rows,
			func(r profile.ServerRequests) float64 { return r.Flow.Depth.MeanBusy }),
		parts[0], parts[1], latency[0], latency[1], latency[2],
		n.column(t, len(rows), func(i int) []string { return rows[i].Marks }),
	)
}
