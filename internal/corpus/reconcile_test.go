//go:build linux

package corpus

import (
	"math"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// accounted checks that the reasons for what each device read and wrote add up to what its requests did.
func accounted(t testing.TB, p *profile.Profile) {
	t.Helper()
	for i := range p.Amounts.Devices {
		a := &p.Amounts.Devices[i]
		for _, m := range []profile.Moved{a.Read, a.Write} {
			sum := int64(0)
			for _, x := range m.Reasons {
				sum += x.Bytes
			}
			if sum != m.Device {
				t.Errorf("%s: the reasons add up to %d bytes of %d: %+v", a.Name, sum, m.Device, m.Reasons)
			}
		}
	}
}

// asCounted checks that this is what the kernel counted at devices that are the test's own, to the sector.
func asCounted(t testing.TB, p *profile.Profile) {
	t.Helper()
	for _, d := range p.Trace.Drives {
		for _, a := range p.Amounts.Devices {
			if d.Name == a.Name && private[d.Name] && (a.Read.Device != d.ReadBytes || a.Write.Device != d.WrittenBytes) {
				t.Errorf("%s: %d bytes were read and %d written, the kernel counted %d and %d", d.Name, a.Read.Device,
					a.Write.Device, d.ReadBytes, d.WrittenBytes)
			}
		}
	}
}

// layer is what the events themselves say about one place: the area under the
// depth is summed up here by sweeping over the starts and ends, not from
// latencies.
type layer struct {
	edges   []edge
	latency int64 // sum
	bytes   int64
	count   int64
}

type edge struct {
	at   int64
	step int
}

func (l *layer) add(start, end, bytes int64) {
	l.edges = append(l.edges, edge{start, 1}, edge{end, -1})
	l.latency += end - start
	l.bytes += bytes
	l.count++
}

// sweep returns the area under the depth, the time above zero and the maximum.
func (l *layer) sweep() (area float64, busy int64, top int) {
	slices.SortFunc(l.edges, func(a, b edge) int {
		if a.at != b.at {
			return int(min(max(a.at-b.at, -1), 1))
		}
		return a.step - b.step // an end before a start at the same instant
	})
	depth := 0
	for i, e := range l.edges {
		if i > 0 && depth > 0 {
			area += float64(depth) * float64(e.at-l.edges[i-1].at)
			busy += e.at - l.edges[i-1].at
		}
		depth += e.step
		top = max(top, depth)
	}
	return area, busy, top
}

// reconcile checks what holds for every trace: the time stack sums up to the
// wall time to the nanosecond, Little's law holds to 1e-9, and the bytes of
// each layer are those of the events.
func reconcile(t testing.TB, p *profile.Profile, list []event) {
	t.Helper()
	total, after := int64(0), int64(0)
	for _, s := range p.TimeStack.Slices {
		if s.NS < 0 {
			t.Errorf("time stack: %s takes %d ns", s.Label, s.NS)
		}
		total += s.NS
		if s.Label == "draining" {
			after = s.NS
		}
	}
	if total != p.TimeStack.TotalNS || total-after != p.WallNS || p.TimeStack.WallNS != p.WallNS {
		t.Errorf("time stack: the slices sum up to %d ns, %d without draining; it says %d and %d, the wall time is %d",
			total, total-after, p.TimeStack.TotalNS, p.TimeStack.WallNS, p.WallNS)
	}
	if p.Path != nil {
		along := p.Path.OmittedNS
		for _, x := range p.Path.Parts {
			along += x.NS
		}
		if along != total || p.Path.TotalNS != total {
			t.Errorf("critical path: the parts sum up to %d ns of %d, the time stack to %d", along, p.Path.TotalNS, total)
		}
	}
	layers := layersOf(list)
	check := func(name string, f *profile.Flow) {
		t.Helper()
		l := layers[name]
		if l == nil {
			l = new(layer)
		}
		if f == nil {
			f = new(profile.Flow)
		}
		if f.Bytes != l.bytes || f.Count != l.count {
			t.Errorf("%s: %d bytes in %d operations, the events hold %d in %d", name, f.Bytes, f.Count, l.bytes, l.count)
		}
		area, busy, top := l.sweep()
		little(t, name, area, float64(f.Latency.Sum))
		little(t, name, area, f.Depth.MeanBusy*float64(f.Depth.BusyNS))
		if f.Depth.BusyNS != busy || f.Depth.Max != top {
			t.Errorf("%s: depth at most %d, busy %d ns; the events say %d and %d", name, f.Depth.Max, f.Depth.BusyNS, top, busy)
		}
	}
	check("calls read", p.Layers[0].Read)
	check("calls write", p.Layers[0].Write)
	for _, d := range p.Devices {
		check(d.Name+" read", d.Read)
		check(d.Name+" write", d.Write)
	}
}

func little(t testing.TB, name string, area, latency float64) {
	t.Helper()
	if math.Abs(area-latency) > 1e-9*math.Max(area, latency) {
		t.Errorf("%s: the area under the depth is %v, the latencies sum up to %v", name, area, latency)
	}
}

// reading names the operations that take data from their first file.
var reading = []string{"read", "copy_range", "sendfile", "splice", "tee"}

// holding names the types of files that hold data; one that could not be looked
// up is taken to. The files of madeUp file systems hold none.
var (
	holding = []string{"file", "unknown"}
	madeUp  = []string{"proc", "sysfs", "cgroup", "cgroup2", "devtmpfs", "devpts", "tracefs", "debugfs"}
)

// layersOf sums up the events at the calls and at each device. Pipes, sockets
// and terminals are no files here, and what others did is not the workload's.
func layersOf(list []event) map[string]*layer {
	data := map[uint32]bool{}
	for _, e := range list {
		if e.Kind == "file" {
			data[e.File] = e.Type == "block" || slices.Contains(holding, e.Type) && !slices.Contains(madeUp, e.FSType)
		}
	}
	layers := map[string]*layer{}
	add := func(name string, start, end, bytes int64) {
		if layers[name] == nil {
			layers[name] = new(layer)
		}
		layers[name].add(start, end, max(bytes, 0))
	}
	for _, e := range list {
		end := e.Start + e.Duration
		switch e.Kind {
		case "syscall", "asyncop":
			if data[e.File] && slices.Contains(reading, e.Op) {
				add("calls read", e.Start, end, e.Result)
			}
			if data[e.File2] && e.Op != "read" && slices.Contains(reading, e.Op) || data[e.File] && e.Op == "write" {
				add("calls write", e.Start, end, e.Result)
			}
		case "request":
			others := slices.Contains(e.Flags, "foreign") || slices.Contains(e.Flags, "recorder")
			if !others && (e.Op == "read" || e.Op == "write") {
				add(e.Name+" "+e.Op, e.Issued, max(e.Issued, e.Completed), e.Bytes-e.Others)
			}
		}
	}
	return layers
}
