package top

import (
	"maps"
	"strconv"
	"time"
)

// CSVHead is the first row: what is in the others.
var CSVHead = []string{"time", "interval", "seconds", "kind", "name", "id", "call_read", "call_write", "data_calls",
	"block", "device_read", "device_write", "read_requests", "write_requests", "requests", "flushes", "discards", "errors",
	"depth", "in_flight", "busy", "p50_ns", "p99_ns", "max_ns", "amplification", "syncs", "wait", "cpu", "probes_cpu",
	"events", "lost", "cgroup"}

// CSV are the rows of an interval: one for each device, process and file, and one of iotrace itself. What a kind
// has not got, or what is not known, is empty.
func CSV(i *Interval) (rows [][]string) {
	add := func(kind, name, id string, cells map[string]string) {
		row := make([]string, len(CSVHead))
		maps.Copy(cells, map[string]string{"time": i.Time.Format(time.RFC3339Nano), "interval": whole(i.Number),
			"seconds": real(Seconds(i)), "kind": kind, "name": name, "id": id})
		for k, title := range CSVHead {
			row[k] = cells[title]
		}
		rows = append(rows, row)
	}
	for _, d := range i.Devices {
		add("device", d.Name, d.ID, deviceCells(&d))
	}
	for _, p := range i.Processes {
		id := ""
		if p.PID != 0 {
			id = strconv.FormatUint(uint64(p.PID), 10)
		}
		add("process", p.Command, id, map[string]string{"call_read": whole(p.Calls.Read), "call_write": whole(p.Calls.Write),
			"data_calls": whole(p.DataCalls), "block": whole(p.Block), "device_read": whole(p.Device.Read),
			"device_write": whole(p.Device.Write), "requests": whole(p.Requests), "syncs": whole(p.Syncs), "wait": real(p.Wait),
			"cgroup": p.Cgroup})
	}
	for _, f := range i.Files {
		add("file", f.Path, "", map[string]string{"call_read": whole(f.Calls.Read), "call_write": whole(f.Calls.Write),
			"data_calls": whole(f.DataCalls), "block": whole(f.Block), "device_read": whole(f.Device.Read),
			"device_write": whole(f.Device.Write), "syncs": whole(f.Syncs)})
	}
	add("own", "iotrace", "", map[string]string{"cpu": real(i.Own.CPU), "probes_cpu": real(i.Own.Probes),
		"events": whole(i.Own.Events), "lost": strconv.FormatUint(i.Own.Lost, 10),
		"device_read": whole(i.Own.Device.Read), "device_write": whole(i.Own.Device.Write)})
	return rows
}

func deviceCells(d *Device) map[string]string {
	cells := map[string]string{"device_read": whole(d.Read.Bytes), "device_write": whole(d.Write.Bytes),
		"read_requests": whole(d.Read.Requests), "write_requests": whole(d.Write.Requests), "flushes": whole(d.Flushes),
		"discards": whole(d.Discards), "errors": whole(d.Errors), "depth": real(d.Depth), "busy": real(d.Busy)}
	if d.InFlight >= 0 {
		cells["in_flight"] = strconv.Itoa(d.InFlight)
	}
	if l := d.Latency; l != nil {
		cells["p50_ns"], cells["p99_ns"], cells["max_ns"] = whole(l.P50), whole(l.P99), whole(l.Max)
	}
	if d.Amplification != nil {
		cells["amplification"] = real(*d.Amplification)
	}
	return cells
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

func real(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
