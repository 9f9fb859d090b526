package content

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// A layerRow is one operation at one layer: at the calls, or at a device.
type layerRow struct {
	where, layer, op string
	factor           float64 // bytes of requests for each that calls moved, if that is not one
	flow             *profile.Flow
	marks            []string
}

// layerRows are the operations from the calls, over what was asked of servers, down to the lowest device.
func layerRows(p *profile.Profile) []layerRow {
	var rows []layerRow
	add := func(where, layer, op string, f *profile.Flow, marks []string) {
		if f != nil && f.Count > 0 {
			rows = append(rows, layerRow{visible.Text(where), visible.Text(layer), op, -1, f, marks})
		}
	}
	for _, l := range p.Layers {
		if l.Level == 0 {
			add(l.Name, "calls", "read", l.Read, l.Marks)
			add(l.Name, "calls", "write", l.Write, l.Marks)
		}
	}
	for i := range p.ServerRequests {
		if r := &p.ServerRequests[i]; r.Flow.Bytes > 0 {
			add(r.Server, "server", r.Procedure, &r.Flow, r.Marks)
		}
	}
	for i := range p.Devices {
		d := &p.Devices[i]
		add(d.Name, d.Layer, "read", d.Read, d.Marks)
		add(d.Name, d.Layer, "write", d.Write, d.Marks)
		add(d.Name, d.Layer, "flush", d.Flush, d.Marks)
		add(d.Name, d.Layer, "discard", d.Discard, d.Marks)
	}
	for i := range rows {
		if op := rows[i].op; op == "read" || op == "write" {
			rows[i].factor = factorOf(p, rows[i].where, op)
		}
	}
	return rows
}

// moving is a value of operations that moved data.
func moving(value func(layerRow) float64) func(layerRow) float64 {
	return func(r layerRow) float64 {
		if r.flow.Bytes == 0 {
			return -1
		}
		return value(r)
	}
}

// sizesOf are the columns of sizes: that by which half of the bytes were moved, and the median where it is another.
func sizesOf(rows []layerRow) []table.Column {
	sizes := table.Alike(table.Sizes, rows,
		table.Of("size", helpByBytes, 0, moving(func(r layerRow) float64 { return sizeByBytes(r.flow.Size) })),
		table.Of("median", helpSize, 1, moving(func(r layerRow) float64 { return medianSize(r.flow.Size) })))
	if !slices.ContainsFunc(rows, func(r layerRow) bool {
		return r.flow.Bytes > 0 && sizeByBytes(r.flow.Size) != medianSize(r.flow.Size)
	}) {
		sizes[1] = table.Column{} // of the calls as a rule all have one size
	}
	return sizes
}

// Devices puts the operations at the calls beside the requests at every
// device, in the words of iostat and biosnoop: block size and queue depth mean
// something else at each of them.
func Devices(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	t := &table.Table{
		ID: "devices", Title: "Layers",
		Note: "The same bytes at the system calls and, as requests from issue to completion, at each device: layers are " +
			"not to be added. Half of the bytes were moved by operations of at most that size, where the median of the " +
			"operations is another it stands beside; QD is the mean number in flight while there was one.",
	}
	rows, wall := layerRows(p), float64(max(p.WallNS, p.DurableNS))
	inTime := func(value func(layerRow) float64) func(layerRow) float64 {
		return func(r layerRow) float64 {
			if !p.Trace.TellsDepth(r.flow.Depth.BusyNS > 0) {
				return -1
			}
			return value(r)
		}
	}
	sizes := sizesOf(rows)
	latency := table.Alike(table.Times, rows,
		table.Of("p50", helpP50, 0, func(r layerRow) float64 { return took(p, r.flow.Latency, r.flow.Latency.P50) }),
		table.Of("p99", helpP99, 1, func(r layerRow) float64 { return took(p, r.flow.Latency, r.flow.Latency.P99) }),
		table.Of("max", "the slowest", 2, func(r layerRow) float64 { return took(p, r.flow.Latency, r.flow.Latency.Max) }))
	return t.Fill(
		table.Words("where", "", 0, rows, func(r layerRow) string { return r.where }),
		table.Words("layer", "", 4, rows, func(r layerRow) string {
			if r.layer == r.where {
				return ""
			}
			return r.layer
		}),
		table.Words("op", "", 0, rows, func(r layerRow) string { return r.op }),
		table.Numbers("count", "operations", 0, table.Plain, rows, func(r layerRow) float64 { return float64(r.flow.Count) }),
		table.Numbers("errors", "operations that failed", 0, table.Plain, rows,
			func(r layerRow) float64 { return none(r.flow.Errors) }),
		table.Numbers("", "transferred", 0, table.Amounts, rows, func(r layerRow) float64 { return none(r.flow.Bytes) }),
		table.Numbers("per byte", "bytes of requests for each byte that calls moved there, if not one", 2, table.Plain, rows,
			func(r layerRow) float64 { return r.factor }),
		table.Numbers("busy", "transferred per second of the time with one in flight", 3, table.Rates, rows,
			inTime(moving(func(r layerRow) float64 {
				return ratio(float64(r.flow.Bytes), float64(r.flow.Depth.BusyNS)/1e9)
			}))),
		table.Numbers("IOPS", "operations per second of the time with one in flight", 3, table.Plain, rows,
			inTime(func(r layerRow) float64 { return ratio(float64(r.flow.Count), float64(r.flow.Depth.BusyNS)/1e9) })),
		sizes[0], sizes[1],
		table.Numbers("QD", helpQD, 0, table.Plain, rows,
			inTime(func(r layerRow) float64 { return r.flow.Depth.MeanBusy })),
		table.Numbers("max", "most in flight at once", 3, table.Plain, rows,
			inTime(func(r layerRow) float64 { return float64(r.flow.Depth.Max) })),
		table.Numbers("busy", "share of the time until all data was durable with at least one in flight", 0, table.Shares,
			rows, inTime(func(r layerRow) float64 { return ratio(float64(r.flow.Depth.BusyNS), wall) })),
		latency[0], latency[1], latency[2],
		n.column(t, len(rows), func(i int) []string { return rows[i].marks }),
	)
}
