package top

import (
	"fmt"
	"strconv"
)

// Devices are the columns of the table of devices.
var Devices = []Column[Device]{
	{"DEVICE", 0, func(d Device, _ float64) Value { return name(d.Name) }},
	{"rd MB/s", 8, func(d Device, s float64) Value { return megabytes(d.Read.Bytes, s) }},
	{"wr MB/s", 8, func(d Device, s float64) Value { return megabytes(d.Write.Bytes, s) }},
	{"rd/s", 6, func(d Device, s float64) Value { return intervalRate(d.Read.Requests, s) }},
	{"wr/s", 6, func(d Device, s float64) Value { return intervalRate(d.Write.Requests, s) }},
	{"depth", 6, func(d Device, _ float64) Value { return Value{short(d.Depth), d.Depth} }},
	{"now", 5, func(d Device, _ float64) Value {
		if d.InFlight < 0 {
			return unknown
		}
		return Value{strconv.Itoa(d.InFlight), float64(d.InFlight)}
	}},
	{"p50", 7, func(d Device, _ float64) Value { return latencyOf(d.Latency, func(l *Latency) int64 { return l.P50 }) }},
	{"p99", 7, func(d Device, _ float64) Value { return latencyOf(d.Latency, func(l *Latency) int64 { return l.P99 }) }},
	{"max", 7, func(d Device, _ float64) Value { return latencyOf(d.Latency, func(l *Latency) int64 { return l.Max }) }},
	{"busy", 6, func(d Device, _ float64) Value { return percent(d.Busy) }},
	{"ampl", 5, func(d Device, _ float64) Value {
		if d.Amplification == nil {
			return unknown
		}
		return Value{short(*d.Amplification), *d.Amplification}
	}},
}

// Processes are the columns of the table of processes.
var Processes = []Column[Process]{
	{"PID", 7, func(p Process, _ float64) Value {
		if p.PID == 0 {
			return unknown
		}
		return Value{strconv.FormatUint(uint64(p.PID), 10), float64(p.PID)}
	}},
	{" PROCESS", 0, func(p Process, _ float64) Value {
		v := name(p.Command)
		v.Text = " " + v.Text
		return v
	}},
	{"call r", 7, func(p Process, s float64) Value { return megabytes(p.Calls.Read, s) }},
	{"call w", 7, func(p Process, s float64) Value { return megabytes(p.Calls.Write, s) }},
	{"disk r", 7, func(p Process, s float64) Value { return megabytes(p.Device.Read, s) }},
	{"disk w", 7, func(p Process, s float64) Value { return megabytes(p.Device.Write, s) }},
	{"req/s", 7, func(p Process, s float64) Value { return intervalRate(p.Requests, s) }},
	{"wait", 6, func(p Process, _ float64) Value { return percent(p.Wait) }},
	{"sync/s", 7, func(p Process, s float64) Value { return intervalRate(p.Syncs, s) }},
	{"block", 8, func(p Process, _ float64) Value { return block(p.Block) }},
}

// Files are the columns of the table of files.
var Files = []Column[File]{
	{"FILE", 0, func(f File, _ float64) Value { return name(f.Path) }},
	{"call r", 7, func(f File, s float64) Value { return megabytes(f.Calls.Read, s) }},
	{"call w", 7, func(f File, s float64) Value { return megabytes(f.Calls.Write, s) }},
	{"disk r", 7, func(f File, s float64) Value { return megabytes(f.Device.Read, s) }},
	{"disk w", 7, func(f File, s float64) Value { return megabytes(f.Device.Write, s) }},
	{"call/s", 7, func(f File, s float64) Value { return intervalRate(f.DataCalls, s) }},
	{"sync/s", 7, func(f File, s float64) Value { return intervalRate(f.Syncs, s) }},
	{"block", 9, func(f File, _ float64) Value { return block(f.Block) }},
}

// Pairs are the columns of the table of one process's files.
var Pairs = []Column[Pair]{
	{"FILE", 0, func(p Pair, _ float64) Value { return name(p.Path) }},
	{"call r", 7, func(p Pair, s float64) Value { return megabytes(p.Calls.Read, s) }},
	{"call w", 7, func(p Pair, s float64) Value { return megabytes(p.Calls.Write, s) }},
	{"disk r", 7, func(p Pair, s float64) Value { return megabytes(p.Device.Read, s) }},
	{"disk w", 7, func(p Pair, s float64) Value { return megabytes(p.Device.Write, s) }},
	{"call/s", 7, func(p Pair, s float64) Value { return intervalRate(p.DataCalls, s) }},
	{"req/s", 7, func(p Pair, s float64) Value { return intervalRate(p.Requests, s) }},
	{"block", 9, func(p Pair, _ float64) Value { return block(p.Block) }},
}

// Requests are the columns of the table of single requests.
var Requests = []Column[Request]{
	{"REQUEST", 0, func(q Request, _ float64) Value {
		return name(fmt.Sprintf("%s %s @sector %d", q.Device, q.Op, q.Sector))
	}},
	{"size", 9, func(q Request, _ float64) Value { return block(q.Bytes) }},
	{"queued", 9, func(q Request, _ float64) Value { return span(q.QueuedNS) }},
	{"served", 9, func(q Request, _ float64) Value { return span(q.LatencyNS) }},
	{"at", 9, func(q Request, _ float64) Value { return span(q.StartNS) }},
}

// Seconds is the length of an interval.
func Seconds(i *Interval) float64 { return float64(i.DurationNS) / 1e9 }
