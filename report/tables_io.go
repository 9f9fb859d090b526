package report

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// The help texts that several tables share.
const (
	helpSize = "median number of bytes per operation that moved any"
	helpQD   = "achieved queue depth: mean number in flight while at least one was"
	helpP50  = "median; half of them took at most this long"
	helpP99  = "99th percentile; one in a hundred took longer"
)

// callTable is every system call by the time spent in it, as strace -c has it.
func (n notes) callTable(p *profile.Profile) *table {
	t := &table{id: "calls", title: "System calls", note: "Time is added over threads. Sizes are medians of the bytes moved per call."}
	var all float64
	for _, c := range p.Calls {
		all += inCall(c)
	}
	rows := p.Calls
	return t.fill(
		numbers("", "share of the time in all calls; asynchronous operations take none", 0, shares, rows, func(c profile.Call) float64 {
			if c.Async {
				return -1
			}
			return ratio(inCall(c), all)
		}),
		numbers("time", "in the call, or from submission to completion; added over threads", 0, times, rows, func(c profile.Call) float64 { return float64(c.TimeNS) }),
		numbers("calls", "", 0, plain, rows, func(c profile.Call) float64 { return float64(c.Count) }),
		numbers("errors", "", 3, plain, rows, func(c profile.Call) float64 { return none(c.Errors) }),
		numbers("", "moved", 0, amounts, rows, func(c profile.Call) float64 { return none(c.Bytes) }),
		numbers("size", helpSize, 1, sizes, rows, func(c profile.Call) float64 { return medianSize(c.Size) }),
		numbers("p50", helpP50, 0, times, rows, func(c profile.Call) float64 { return median(c.Latency) }),
		numbers("p99", helpP99, 0, times, rows, func(c profile.Call) float64 { return quantile(c.Latency, c.Latency.P99) }),
		numbers("max", "the longest", 2, times, rows, func(c profile.Call) float64 { return quantile(c.Latency, c.Latency.Max) }),
		n.column(len(rows), func(int) []string { return n.touching("/calls") }),
		labels("call", rows, callName),
	)
}

// inCall is the time threads spent in a call. An asynchronous operation keeps
// no thread.
func inCall(c profile.Call) float64 {
	if c.Async {
		return 0
	}
	return float64(c.TimeNS)
}

func callName(c profile.Call) string {
	if c.Async {
		return printable(c.Op + " (" + c.Name + ")")
	}
	return printable(c.Name)
}

// none makes a zero that says nothing disappear.
func none(n int64) float64 {
	if n == 0 {
		return -1
	}
	return float64(n)
}

// medianSize is the median size of the operations that moved data: a read at the
// end of a file moves nothing and says nothing about block sizes.
func medianSize(d profile.Dist) float64 {
	d = moving(d)
	if d.Count == 0 {
		return -1
	}
	return float64(d.P50)
}

// moving is a distribution of sizes without the operations that moved nothing.
// Its median is the exact most frequent size in the median's bin, or else the
// middle of that bin; its other percentiles stay as they were.
func moving(d profile.Dist) profile.Dist {
	if d.Count == 0 || d.Min > 0 {
		return d
	}
	bins := slices.DeleteFunc(slices.Clone(d.Bins), func(b profile.Bin) bool { return b.From <= 0 })
	d.Bins, d.Count = bins, 0
	for _, b := range bins {
		d.Count += b.Count
	}
	var below int64
	for _, b := range bins {
		if below += b.Count; 2*below >= d.Count {
			d.P50 = (b.From + b.To) / 2
			if i := slices.IndexFunc(d.Top, func(v profile.Value) bool { return v.Value >= b.From && v.Value < b.To }); i >= 0 {
				d.P50 = d.Top[i].Value
			}
			break
		}
	}
	return d
}

func median(d profile.Dist) float64 { return quantile(d, d.P50) }

func quantile(d profile.Dist, v int64) float64 {
	if d.Count == 0 {
		return -1
	}
	return float64(v)
}

// A layerRow is one operation at one layer: at the calls, or at a device.
type layerRow struct {
	where, layer, op string
	flow             *profile.Flow
	marks            []string
}

// layerRows are the operations from the calls down to the lowest device.
func layerRows(p *profile.Profile) []layerRow {
	var rows []layerRow
	add := func(where, layer, op string, f *profile.Flow, marks []string) {
		if f != nil && f.Count > 0 {
			rows = append(rows, layerRow{printable(where), printable(layer), op, f, marks})
		}
	}
	for _, l := range p.Layers {
		if l.Level == 0 {
			add(l.Name, "calls", "read", l.Read, l.Marks)
			add(l.Name, "calls", "write", l.Write, l.Marks)
		}
	}
	for i := range p.Devices {
		d := &p.Devices[i]
		add(d.Name, d.Layer, "read", d.Read, d.Marks)
		add(d.Name, d.Layer, "write", d.Write, d.Marks)
		add(d.Name, d.Layer, "flush", d.Flush, d.Marks)
		add(d.Name, d.Layer, "discard", d.Discard, d.Marks)
	}
	return rows
}

// deviceTable puts the operations at the calls beside the requests at every
// device, in the words of iostat and biosnoop: block size and queue depth mean
// something else at each of them.
func (n notes) deviceTable(p *profile.Profile) *table {
	t := &table{
		id: "devices", title: "Layers",
		note: "The same bytes at the system calls and, as requests from issue to completion, at each device: layers are not to be added. Sizes are medians; QD is the mean number in flight while there was one.",
	}
	rows, wall := layerRows(p), float64(max(p.WallNS, p.DurableNS))
	data := func(value func(layerRow) float64) func(layerRow) float64 {
		return func(r layerRow) float64 {
			if r.flow.Bytes == 0 {
				return -1
			}
			return value(r)
		}
	}
	return t.fill(
		words("where", "", 0, rows, func(r layerRow) string { return r.where }),
		words("layer", "", 4, rows, func(r layerRow) string { return r.layer }),
		words("op", "", 0, rows, func(r layerRow) string { return r.op }),
		numbers("count", "operations", 0, plain, rows, func(r layerRow) float64 { return float64(r.flow.Count) }),
		numbers("errors", "operations that failed", 0, plain, rows, func(r layerRow) float64 { return none(r.flow.Errors) }),
		numbers("", "transferred", 0, amounts, rows, func(r layerRow) float64 { return none(r.flow.Bytes) }),
		numbers("busy", "transferred per second of the time with one in flight", 3, rates, rows, data(func(r layerRow) float64 {
			return ratio(float64(r.flow.Bytes), float64(r.flow.Depth.BusyNS)/1e9)
		})),
		numbers("size", helpSize, 0, sizes, rows, data(func(r layerRow) float64 { return medianSize(r.flow.Size) })),
		numbers("QD", helpQD, 0, plain, rows, func(r layerRow) float64 { return r.flow.Depth.MeanBusy }),
		numbers("max", "most in flight at once", 3, plain, rows, func(r layerRow) float64 { return float64(r.flow.Depth.Max) }),
		numbers("busy", "share of the time until all data was durable with at least one in flight", 0, shares, rows, func(r layerRow) float64 {
			return ratio(float64(r.flow.Depth.BusyNS), wall)
		}),
		numbers("p50", helpP50, 0, times, rows, func(r layerRow) float64 { return median(r.flow.Latency) }),
		numbers("p99", helpP99, 1, times, rows, func(r layerRow) float64 { return quantile(r.flow.Latency, r.flow.Latency.P99) }),
		numbers("max", "the slowest", 2, times, rows, func(r layerRow) float64 { return quantile(r.flow.Latency, r.flow.Latency.Max) }),
		n.column(len(rows), func(i int) []string { return rows[i].marks }),
	)
}

// fileTable is every file by the bytes that moved.
func (n notes) fileTable(p *profile.Profile) *table {
	t := &table{id: "files", title: "Files", note: "Left: what system calls moved. “dev”: what devices moved for the file. Sizes are medians per data call."}
	if p.Omitted.Files > 0 {
		t.note += " Left out: " + some(p.Omitted.Files, "further file") + " with " + unit.Bytes(p.Omitted.FilesBytes) + "."
	}
	rows := p.Files
	moved := alike(amounts, rows,
		quantity[profile.File]{"read", "by system calls", 0, func(f profile.File) float64 { return flowBytes(f.Read) }},
		quantity[profile.File]{"write", "by system calls", 0, func(f profile.File) float64 { return flowBytes(f.Write) }},
		quantity[profile.File]{"dev read", "read from the device for it", 1, func(f profile.File) float64 { return flowBytes(f.DeviceRead) }},
		quantity[profile.File]{"dev write", "written to the device for it", 1, func(f profile.File) float64 { return flowBytes(f.DeviceWrite) }})
	blocks := alike(sizes, rows,
		quantity[profile.File]{"size", helpSize + " when reading", 1, func(f profile.File) float64 { return flowSize(f.Read) }},
		quantity[profile.File]{"size", helpSize + " when writing", 1, func(f profile.File) float64 { return flowSize(f.Write) }})
	return t.fill(
		moved[0], blocks[0], moved[1], blocks[1],
		numbers("calls", "of every kind", 0, plain, rows, fileCalls),
		numbers("faults", "page faults that waited for the file", 2, plain, rows, func(f profile.File) float64 {
			if f.Faults == nil {
				return -1
			}
			return none(f.Faults.Count)
		}),
		moved[2], moved[3],
		words("access", "order of its data calls: read/write", 3, rows, fileAccess),
		words("cache", "whether what was read came from memory", 3, rows, func(f profile.File) string {
			if f.Cache == nil || f.Cache.State == "unknown" {
				return ""
			}
			return printable(f.Cache.State)
		}),
		n.column(len(rows), func(i int) []string { return rows[i].Marks }),
		labels("file", rows, filePath),
	)
}

func flowSize(f *profile.Flow) float64 {
	return flow(f, func(f *profile.Flow) float64 { return medianSize(f.Size) })
}

func fileCalls(f profile.File) float64 {
	var n int64
	for _, o := range f.Ops {
		n += o.Count
	}
	return float64(n)
}

func fileAccess(f profile.File) string {
	var parts []string
	for _, a := range []*profile.AccessPattern{f.ReadPattern, f.WritePattern} {
		if a != nil && a.Accesses > 0 {
			parts = append(parts, printable(strings.ReplaceAll(a.Class, "_", " ")))
		}
	}
	return strings.Join(parts, "/")
}

// filePath is the printable name of a file, from its exact bytes where JSON had
// to change them.
func filePath(f profile.File) string {
	if len(f.PathBase64) > 0 {
		return printable(string(f.PathBase64))
	}
	if f.Path == "" {
		return "(" + printable(f.Type) + ")"
	}
	return printable(f.Path)
}

// processTable is every process in the order they were seen.
func (n notes) processTable(p *profile.Profile) *table {
	t := &table{id: "processes", title: "Processes", note: "Waits are time off the CPU, added over threads."}
	rows := p.Processes
	moved := alike(amounts, rows,
		quantity[profile.Process]{"read", "by system calls", 0, func(q profile.Process) float64 { return flowBytes(q.Read) }},
		quantity[profile.Process]{"write", "by system calls", 0, func(q profile.Process) float64 { return flowBytes(q.Write) }})
	return t.fill(
		numbers("pid", "", 0, plain, rows, func(q profile.Process) float64 { return float64(q.PID) }),
		numbers("parent", "", 4, plain, rows, func(q profile.Process) float64 { return float64(q.Parent) }),
		numbers("start", "since the recording began", 3, times, rows, func(q profile.Process) float64 { return float64(q.StartNS) }),
		numbers("life", "from its start to its end", 2, times, rows, func(q profile.Process) float64 {
			if q.EndNS < 0 {
				return -1
			}
			return float64(q.EndNS - q.StartNS)
		}),
		numbers("CPU", "", 1, times, rows, func(q profile.Process) float64 { return float64(q.CPUNS) }),
		numbers("in calls", "time in recorded calls, added over threads", 1, times, rows, func(q profile.Process) float64 { return float64(q.CallNS) }),
		numbers("I/O wait", "off the CPU for I/O", 2, times, rows, func(q profile.Process) float64 { return none(q.WaitNS.IO) }),
		numbers("throttled", "held back by the limit on unwritten data", 3, times, rows, func(q profile.Process) float64 { return none(q.WaitNS.Throttle) }),
		numbers("threads", "", 4, plain, rows, func(q profile.Process) float64 { return float64(q.Threads) }),
		numbers("calls", "", 0, plain, rows, func(q profile.Process) float64 { return float64(q.Calls) }),
		moved[0], moved[1],
		n.column(len(rows), func(i int) []string { return rows[i].Marks }),
		labels("command", rows, func(q profile.Process) string {
			if len(q.Args) > 0 {
				return commandLine(q.Args)
			}
			return printable(q.Command)
		}),
	)
}
