package content

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
	"github.com/iotrace/iotrace/trace"
)

// Calls is every system call by the time spent in it, as strace -c has it.
func Calls(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	t := &table.Table{ID: "calls", Title: "System calls",
		Note: "Time is added over threads. Sizes are medians of the bytes moved per call."}
	var all float64
	for _, c := range p.Calls {
		all += inCall(c)
	}
	rows, touching := p.Calls, n.Touching("/calls")
	latency := table.Alike(table.Times, rows,
		table.Of("p50", helpP50, 0, func(c profile.Call) float64 { return took(p, c.Latency, c.Latency.P50) }),
		table.Of("p99", helpP99, 0, func(c profile.Call) float64 { return took(p, c.Latency, c.Latency.P99) }),
		table.Of("max", "the longest", 2, func(c profile.Call) float64 { return took(p, c.Latency, c.Latency.Max) }))
	return t.Fill(
		table.Numbers("", "share of the time in all calls; asynchronous operations take none", 0, table.Shares, rows,
			func(c profile.Call) float64 {
				if c.Async || all == 0 {
					return -1
				}
				return ratio(inCall(c), all)
			}),
		table.Numbers("time", "in the call, or from submission to completion; added over threads", 0, table.Times, rows,
			func(c profile.Call) float64 { return took(p, c.Latency, c.TimeNS) }),
		table.Numbers("calls", "", 0, table.Plain, rows, func(c profile.Call) float64 { return float64(c.Count) }),
		table.Numbers("errors", "", 3, table.Plain, rows, func(c profile.Call) float64 { return none(c.Errors) }),
		table.Numbers("", "moved", 0, table.Amounts, rows, func(c profile.Call) float64 { return none(c.Bytes) }),
		table.Numbers("size", helpSize, 1, table.Sizes, rows, func(c profile.Call) float64 { return medianSize(c.Size) }),
		latency[0], latency[1], latency[2],
		n.column(t, len(rows), func(int) []string { return touching }),
		table.Labels("call", rows, callName),
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
		return visible.Text(c.Op.String() + " (" + c.Name + ")")
	}
	return visible.Text(c.Name)
}

// Files is every file by the bytes that moved.
func Files(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	t := &table.Table{ID: "files", Title: "Files", Note: "Left: what system calls moved. “dev”: what devices moved for " +
		"the file. Sizes are medians per data call."}
	if p.Omitted.Files > 0 {
		t.Note += " Left out: " + unit.Things(p.Omitted.Files, "further file") + " with " +
			unit.Bytes(p.Omitted.FilesBytes) + "."
	}
	rows := p.Files
	moved := table.Alike(table.Amounts, rows,
		table.Of("read", "by system calls", 0, func(f profile.File) float64 { return flowBytes(f.Read) }),
		table.Of("write", "by system calls", 0, func(f profile.File) float64 { return flowBytes(f.Write) }),
		table.Of("dev read", "read from the device for it", 1, func(f profile.File) float64 {
			return flowBytes(f.DeviceRead)
		}),
		table.Of("dev write", "written to the device for it", 1, func(f profile.File) float64 {
			return flowBytes(f.DeviceWrite)
		}))
	blocks := table.Alike(table.Sizes, rows,
		table.Of("size", helpSize+" when reading", 2, func(f profile.File) float64 { return flowSize(f.Read) }),
		table.Of("size", helpSize+" when writing", 2, func(f profile.File) float64 { return flowSize(f.Write) }))
	return t.Fill(
		moved[0], blocks[0], moved[1], blocks[1],
		table.Numbers("calls", "of every kind", 0, table.Plain, rows, fileCalls),
		table.Numbers("faults", "page faults that waited for the file", 2, table.Plain, rows, func(f profile.File) float64 {
			if f.Faults == nil {
				return -1
			}
			return none(f.Faults.Count)
		}),
		moved[2], moved[3],
		table.Words("access", "order of its data calls: read/write", 3, rows, fileAccess),
		table.Words("cache", "whether what was read came from memory", 3, rows, func(f profile.File) string {
			if f.Cache == nil || f.Cache.State == "unknown" {
				return ""
			}
			return visible.Text(f.Cache.State)
		}),
		n.column(t, len(rows), func(i int) []string { return rows[i].Marks }),
		table.Labels("file", rows, FilePath),
	)
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
			parts = append(parts, visible.Text(strings.ReplaceAll(a.Class, "_", " ")))
		}
	}
	return strings.Join(parts, "/")
}

// FilePath is the printable name of a file, from its exact bytes where JSON had
// to change them.
func FilePath(f profile.File) string {
	if len(f.PathBase64) > 0 {
		return visible.Text(string(f.PathBase64))
	}
	if f.Path == "" {
		return "(" + visible.Text(f.Type.String()) + ")"
	}
	return visible.Text(f.Path)
}

// Processes is every process in the order they were seen.
func Processes(p *profile.Profile) *table.Table {
	n := NotesOf(p)
	t := &table.Table{ID: "processes", Title: "Processes", Note: "Waits are time off the CPU, added over threads."}
	rows, timed := p.Processes, p.Trace.Sees(string(trace.LimitNoTimes))
	moved := table.Alike(table.Amounts, rows,
		table.Of("read", "by system calls", 0, func(q profile.Process) float64 { return flowBytes(q.Read) }),
		table.Of("write", "by system calls", 0, func(q profile.Process) float64 { return flowBytes(q.Write) }))
	group := table.Column{}
	if cgroupsDiffer(rows) {
		group = table.Words("cgroup", "control group", 4, rows,
			func(q profile.Process) string { return visible.Text(q.Cgroup) })
	}
	return t.Fill(
		table.Identifiers("pid", "", 0, rows, func(q profile.Process) int64 { return int64(q.PID) }),
		table.Identifiers("parent", "", 4, rows, func(q profile.Process) int64 {
			if q.Parent == 0 { // not known
				return -1
			}
			return int64(q.Parent)
		}),
		table.Numbers("start", "since the recording began", 3, table.Times, rows,
			func(q profile.Process) float64 {
				if !timed {
					return -1
				}
				return float64(q.StartNS)
			}),
		table.Numbers("life", "from its start to its end", 2, table.Times, rows, func(q profile.Process) float64 {
			if q.EndNS < 0 || !timed {
				return -1
			}
			return float64(q.EndNS - q.StartNS)
		}),
		table.Numbers("CPU", "", 1, table.Times, rows, func(q profile.Process) float64 { return float64(q.CPUNS) }),
		table.Numbers("in calls", "time in recorded calls, added over threads", 1, table.Times, rows,
			func(q profile.Process) float64 { return float64(q.CallNS) }),
		table.Numbers("I/O wait", "off the CPU for I/O", 2, table.Times, rows,
			func(q profile.Process) float64 { return none(q.WaitNS.IO) }),
		table.Numbers("throttled", "held back by the limit on unwritten data", 3, table.Times, rows,
			func(q profile.Process) float64 { return none(q.WaitNS.Throttle) }),
		table.Numbers("threads", "", 4, table.Plain, rows, func(q profile.Process) float64 { return float64(q.Threads) }),
		table.Numbers("calls", "", 0, table.Plain, rows, func(q profile.Process) float64 { return float64(q.Calls) }),
		moved[0], moved[1],
		n.column(t, len(rows), func(i int) []string { return rows[i].Marks }),
		group,
		table.Labels("command", rows, func(q profile.Process) string {
			if q.Title != "" {
				return visible.Text(q.Title)
			}
			if len(q.Args) > 0 {
				return visible.Command(q.Args)
			}
			return visible.Text(q.Command)
		}),
	)
}

// A flow that did not occur is unknown, not zero: the cell stays "-".
