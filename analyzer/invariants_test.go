package analyzer

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestInvariants holds for every trace, closed or not, sound or hostile: the
// sums agree between the parts of the profile, and everything can be printed.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := randomScene(t, r)
		p := s.profile()
		checkStack(r, p)
		checkDepths(r, p)
		checkLayers(r, p)
		checkAmounts(r, p)
		checkJSON(r, p)
		checkCharts(r, p)
		for _, c := range p.Copies {
			if c.Bytes < 0 || c.WallNS < 0 || c.DurableNS < profile.Unknown || c.Method == "" || c.Because == "" {
				r.Fatalf("copy %+v", c)
			}
		}
	})
}

// randomScene is a trace of random events of a few processes, files and
// devices. Some refer to what was never described.
func randomScene(t *testing.T, r *rapid.T) *scene {
	s := newScene(t, "random")
	for i := range 4 {
		s.file("/f"+strconv.Itoa(i), int64(i)*MiB)
	}
	s.pipe(77)
	s.device(trace.Device{ID: trace.MakeDeviceID(253, 0), Name: "dm-0", Parents: []trace.DeviceID{nvme}})
	file := func(name string) trace.FileID { return trace.FileID(rapid.IntRange(0, 7).Draw(r, name)) }
	for range rapid.IntRange(0, 60).Draw(r, "events") {
		s.act(uint32(rapid.IntRange(100, 102).Draw(r, "pid")))
		s.now += int64(rapid.IntRange(0, 500).Draw(r, "pause")) * us
		d := int64(rapid.IntRange(0, 900).Draw(r, "duration")) * us
		at := int64(rapid.IntRange(-1, 40).Draw(r, "at")) * 4096
		n := int64(rapid.IntRange(-5, 9).Draw(r, "n")) * 4096
		switch rapid.IntRange(0, 8).Draw(r, "event") {
		case 0, 1, 2:
			op := trace.Op(rapid.IntRange(0, 45).Draw(r, "op"))
			s.call(trace.Syscall{Op: op, Call: uint16(op), File: file("file"), File2: file("file2"), Offset: at, Offset2: at,
				Requested: n, Result: n,
				Flags: trace.IOFlags(rapid.Uint32().Draw(r, "flags")), Filled: max(n, 0)}, d)
			s.now -= d / 2 // overlapping calls
		case 3:
			s.put(s.now+d, &trace.AsyncOp{Submit: s.now, Complete: s.now + d, PID: s.pid, TID: s.tid, API: trace.APIUring,
				Op: trace.OpRead, File: file("file"), Offset: at, Result: n})
		case 4:
			s.put(s.now+d, &trace.Fault{Start: s.now, Duration: d, PID: s.pid, TID: s.tid, File: file("file"), Offset: at,
				Filled: max(n, 0)})
		case 5, 6:
			q := s.request(trace.ReqOp(rapid.IntRange(0, 8).Draw(r, "op")), file("file"), at, max(n, 0), s.now, s.now+d)
			q.Flags = trace.ReqFlags(rapid.Uint16().Draw(r, "flags")) &^ trace.ReqForeign &^ trace.ReqRecorder
			if rapid.Bool().Draw(r, "foreign") {
				q.Flags |= trace.ReqForeign
			}
			q.Device = rapid.SampledFrom([]trace.DeviceID{nvme, trace.MakeDeviceID(253, 0), 12345}).Draw(r, "device")
			q.Evidence = trace.Evidence(rapid.IntRange(0, 5).Draw(r, "evidence"))
			if q.Bytes >= 8192 {
				q.More = []trace.Extent{{File: file("more"), Offset: at, Bytes: 4096}}
			}
		case 7:
			s.wait(trace.WaitCause(rapid.IntRange(0, 5).Draw(r, "cause")), s.now, s.now+d)
		case 8:
			s.put(s.now, &trace.Process{Time: s.now, Action: trace.ProcessAction(rapid.IntRange(0, 5).Draw(r, "action")),
				PID: s.pid, TID: s.pid, Parent: 100, Command: "x"})
		}
	}
	if rapid.Bool().Draw(r, "lost") {
		s.put(s.now, &trace.Lost{From: s.now / 2, To: s.now, Count: 3, Kind: trace.KindRequest})
	}
	s.now += ms
	s.cut = rapid.Bool().Draw(r, "interrupted")
	s.end.CommandEnd = s.now - int64(rapid.IntRange(0, 2).Draw(r, "end"))*ms
	s.end.Duration = s.now
	s.end.Durable = rapid.SampledFrom([]int64{-1, 0, s.now}).Draw(r, "durable")
	return s
}

func checkStack(r *rapid.T, p *profile.Profile) {
	sum, wall := int64(0), int64(0)
	for _, s := range p.TimeStack.Slices {
		sum += s.NS
		if s.Label != "draining" {
			wall += s.NS
		}
	}
	if sum != p.TimeStack.TotalNS || wall != p.WallNS || p.WallNS != p.TimeStack.WallNS {
		r.Fatalf("labels add up to %d of %d; without draining to %d, wall time is %d", sum, p.TimeStack.TotalNS, wall,
			p.WallNS)
	}
}

// checkDepths is Little's law for every flow: the area under the depth is the
// sum of the latencies, to 1e-9.
func checkDepths(r *rapid.T, p *profile.Profile) {
	check := func(name string, f *profile.Flow, wall int64) {
		if f == nil {
			return
		}
		area := float64(f.Latency.Sum)
		if f.Depth.BusyNS > 0 && math.Abs(f.Depth.MeanBusy*float64(f.Depth.BusyNS)-area) > 1e-9*area {
			r.Fatalf("%s: mean depth %g over %d ns busy, latencies add up to %g", name, f.Depth.MeanBusy, f.Depth.BusyNS, area)
		}
		if wall > 0 && math.Abs(f.Depth.MeanWall*float64(wall)-area) > 1e-9*area {
			r.Fatalf("%s: mean depth %g over %d ns, latencies add up to %g", name, f.Depth.MeanWall, wall, area)
		}
		if f.Depth.BusyNS > 0 && f.Depth.MeanBusy < 1-1e-12 || f.Depth.MeanBusy > float64(f.Depth.Max)+1e-12 {
			r.Fatalf("%s: mean depth %g while busy, at most %d", name, f.Depth.MeanBusy, f.Depth.Max)
		}
	}
	for _, d := range p.Devices {
		check(d.Name+" read", d.Read, p.TimeStack.TotalNS)
		check(d.Name+" write", d.Write, p.TimeStack.TotalNS)
		levels, area := int64(0), float64(0)
		for _, l := range d.Depth.Levels {
			levels += l.NS
			area += float64(l.NS) * float64(l.Depth)
		}
		if levels != d.Depth.BusyNS {
			r.Fatalf("%s: time at all depths is %d, busy %d", d.Name, levels, d.Depth.BusyNS)
		}
		if want := d.Depth.MeanBusy * float64(d.Depth.BusyNS); d.Depth.Max <= 16 && math.Abs(area-want) > 1e-9*want {
			r.Fatalf("%s: area under the depth is %g, latencies add up to %g", d.Name, area, want)
		}
	}
	for _, f := range p.Files {
		check(f.Path+" read", f.Read, 0)
		check(f.Path+" device read", f.DeviceRead, 0)
	}
}

// checkLayers: bytes by file, process, device and call agree with the layers.
func checkLayers(r *rapid.T, p *profile.Profile) {
	bytes := func(f *profile.Flow) int64 {
		if f == nil {
			return 0
		}
		return f.Bytes
	}
	files, processes := int64(0), int64(0)
	for _, f := range p.Files {
		if f.Type == trace.FileRegular || f.Type == trace.FileBlock || f.Type == trace.FileUnknown {
			files += bytes(f.Read)
		}
	}
	for _, q := range p.Processes {
		processes += bytes(q.Read)
	}
	if want := bytes(p.Layers[0].Read); files != want || processes != want {
		r.Fatalf("files read %d bytes, processes %d, all calls %d", files, processes, want)
	}
	devices, layers := int64(0), int64(0)
	for _, d := range p.Devices {
		devices += bytes(d.Read) + bytes(d.Write)
	}
	for _, l := range p.Layers {
		if l.Level > 0 {
			layers += bytes(l.Read) + bytes(l.Write)
		}
	}
	if devices != layers {
		r.Fatalf("devices moved %d bytes, their layers %d", devices, layers)
	}
}

// checkJSON: the output has no null, and every observation points at numbers
// that are there and equal.
func checkJSON(r *rapid.T, p *profile.Profile) {
	b, err := json.Marshal(p)
	if err != nil {
		r.Fatal(err)
	}
	if i := strings.Index(string(b), ":null"); i >= 0 {
		r.Fatalf("null in the output: %s", b[max(i-60, 0):i+5])
	}
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		r.Fatal(err)
	}
	for _, o := range p.Observations {
		if len(o.Evidence) == 0 {
			r.Fatalf("no evidence: %s", o.Text)
		}
		for _, e := range o.Evidence {
			if v, err := resolve(tree, e.Pointer); err != nil || v != e.Value {
				r.Fatalf("%s: %q is %v (%v), the sentence says %v", o.Text, e.Pointer, v, err, e.Value)
			}
		}
		if _, err := find(tree, o.Subject); err != nil {
			r.Fatalf("%s: subject %q: %v", o.Text, o.Subject, err)
		}
	}
	for _, w := range p.Warnings {
		for _, part := range w.Affects {
			if _, err := find(tree, part); err != nil {
				r.Fatalf("warning %s affects %q: %v", w.Code, part, err)
			}
		}
	}
}

func resolve(tree any, pointer string) (float64, error) {
	v, err := find(tree, pointer)
	if err != nil {
		return 0, err
	}
	f, ok := v.(float64)
	if !ok {
		return 0, fmt.Errorf("%T is no number", v)
	}
	return f, nil
}

// find follows a JSON pointer.
func find(tree any, pointer string) (any, error) {
	if pointer == "" {
		return tree, nil
	}
	for _, step := range strings.Split(pointer, "/")[1:] {
		switch node := tree.(type) {
		case map[string]any:
			next, ok := node[step]
			if !ok {
				return nil, fmt.Errorf("no field %q", step)
			}
			tree = next
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node) {
				return nil, fmt.Errorf("no element %q", step)
			}
			tree = node[i]
		default:
			return nil, fmt.Errorf("%q of %T", step, tree)
		}
	}
	return tree, nil
}

// checkCharts: curves, heat maps and lanes hold what the tables hold.
func checkCharts(r *rapid.T, p *profile.Profile) {
	c := p.Charts
	flows := map[string]*profile.Flow{"calls  read": p.Layers[0].Read, "calls  write": p.Layers[0].Write}
	for _, d := range p.Devices {
		flows["requests "+d.Name+" read"], flows["requests "+d.Name+" write"] = d.Read, d.Write
	}
	for _, s := range c.Series {
		bytes, inFlight := int64(0), 0.0
		for i := range s.Bytes {
			bytes += s.Bytes[i]
			inFlight += s.Depth[i] * float64(c.BinNS)
		}
		f := flows[s.Layer+" "+s.Device+" "+s.Direction]
		if f == nil {
			r.Fatalf("curve of nothing: %s %s %s", s.Layer, s.Device, s.Direction)
		}
		if f.Errors == 0 && bytes != f.Bytes || math.Abs(inFlight-float64(f.Latency.Sum)) > 1e-6*inFlight+1 {
			r.Fatalf("curve of %s %s %s: %d bytes, %g ns in flight; the flow has %d, %d", s.Layer, s.Device, s.Direction, bytes,
				inFlight, f.Bytes, f.Latency.Sum)
		}
	}
	checkHeatmaps(r, c, flows)
	stack := int64(0)
	for _, l := range c.Stack {
		for _, ns := range l.NS {
			stack += ns
		}
	}
	if stack != p.TimeStack.TotalNS {
		r.Fatalf("time stack over time adds up to %d, want %d", stack, p.TimeStack.TotalNS)
	}
	for _, l := range c.Timeline.Lanes {
		for i, at := range l.Tiles.At {
			if at < 0 || at >= int64(c.Timeline.Tiles) || l.Tiles.Count[i] < 0 || l.Tiles.Busy[i] < 0 {
				r.Fatalf("lane %s, tile %d: %d events", l.Name, at, l.Tiles.Count[i])
			}
		}
	}
}

func checkHeatmaps(r *rapid.T, c *profile.Charts, flows map[string]*profile.Flow) {
	for _, h := range c.Heatmaps {
		n := int64(0)
		for _, cell := range h.Cells {
			if n += cell[2]; cell[0] >= int64(c.Bins) || cell[1] >= int64(len(h.Rows)) {
				r.Fatalf("cell %v outside of %d bins, %d rows", cell, c.Bins, len(h.Rows))
			}
		}
		if f := flows[h.Layer+" "+h.Device+" "+h.Direction]; n != f.Count {
			r.Fatalf("heat map of %s holds %d of %d operations", h.Quantity, n, f.Count)
		}
	}
	for _, z := range c.Zooms {
		for _, h := range z.Heatmaps {
			n := int64(0)
			for i, cell := range h.Cells {
				if n += cell[2]; cell[0] < 0 || cell[0]*z.BinNS > c.Timeline.EndNS || cell[1] >= int64(len(h.Rows)) || i > 0 &&
					cell[0] < h.Cells[i-1][0] {
					r.Fatalf("cell %v outside of %d ns, %d rows, or out of order", cell, c.Timeline.EndNS, len(h.Rows))
				}
			}
			if f := flows[h.Layer+" "+h.Device+" "+h.Direction]; n > f.Count || z.HeatWhole && n != f.Count {
				r.Fatalf("heat map of %s in bins of %d ns holds %d of %d operations", h.Quantity, z.BinNS, n, f.Count)
			}
		}
	}
}
