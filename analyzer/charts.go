package analyzer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
)

// chartSize bounds the charts: bins of time, lanes of the timeline, and single
// events in it.
type chartSize struct{ bins, lanes, items int }

// chartsCollector gathers what the charts of a report show.
type chartsCollector struct {
	curves    *curves
	lanes     *lanes
	stack     *trend
	processes *processes
	returned  bool // the end of the command was seen
}

func newChartsCollector(s *survey, size chartSize, end int64, t *processes) *chartsCollector {
	stack := newTrend(size.bins, end)
	lanes := newLanes(s, size, end)
	return &chartsCollector{
		curves: newCurves(stack.width, stack.bins(), s.devices, newZooms(stack.width, end, lanes.detail)), lanes: lanes,
		stack: stack, processes: t, returned: s.whole && s.end.CommandEnd >= 0,
	}
}

// Label adds a stretch of the time stack.
func (c *chartsCollector) Label(l timeline.Label, from, to int64) {
	c.stack.label(l, from, to)
	for _, z := range c.curves.zooms {
		z.stack.label(l, from, to)
	}
}

// Call draws a call.
func (c *chartsCollector) Call(e *call) { c.lanes.call(e) }

// Async draws an asynchronous operation.
func (c *chartsCollector) Async(e *async) { c.lanes.async(e) }

// Fault draws a page fault that had to wait.
func (c *chartsCollector) Fault(e *fault) { c.lanes.fault(e) }

// Wait draws a time off the CPU.
func (c *chartsCollector) Wait(e *wait) { c.lanes.wait(e) }

// Data adds data moved to or from files that hold data to the curves.
func (c *chartsCollector) Data(x *access) {
	if x.reads {
		c.curves.calls[0].add(x.start, x.end, x.bytes)
	}
	if x.writes {
		c.curves.calls[1].add(x.start, x.end, x.bytes)
	}
}

// Request adds a request of the workload.
func (c *chartsCollector) Request(e *request) {
	if e.ours {
		c.curves.request(e)
		c.lanes.request(e)
	}
}

// Finish puts the finished charts into the profile, which may have some already.
func (c *chartsCollector) Finish(p *profile.Profile) {
	if p.Charts == nil {
		p.Charts = &profile.Charts{}
	}
	out := p.Charts
	out.BinNS, out.Bins, out.Zooms, out.Timeline = c.curves.width, c.curves.count, []profile.Zoom{}, c.lanes.profile(c.processes, p.Files)
	heats := map[*series][2]profile.Heat{}
	for _, s := range c.curves.list {
		if s.empty() {
			continue
		}
		out.Series = append(out.Series, s.profile())
		pair := [2]profile.Heat{
			s.heat("latency_ns", func(b *bin) *measure.Histogram { return &b.latency }),
			s.heat("size_bytes", func(b *bin) *measure.Histogram { return &b.size }),
		}
		heats[s] = pair
		out.Heatmaps = append(out.Heatmaps, pair[:]...)
	}
	for l, ns := range c.stack.stack {
		if p.TimeStack.Slices[l].NS > 0 {
			out.Stack = append(out.Stack, profile.Labels{Label: timeline.Label(l).String(), NS: ns})
		}
	}
	for _, z := range c.curves.zooms {
		if x := z.profile(c.curves.list, heats); !z.dead {
			out.Zooms = append(out.Zooms, x)
		}
	}
	out.Timeline.Marks = c.markers(p)
}

// maxMarkers bounds the marks of each kind.
const maxMarkers = 200

// markers are the instants worth a line on the time axis.
func (c *chartsCollector) markers(p *profile.Profile) []profile.Marker {
	marks := []profile.Marker{}
	for _, q := range p.Processes[:min(len(p.Processes), maxMarkers)] {
		if q.Exe != "" {
			marks = append(marks, profile.Marker{FromNS: q.StartNS, ToNS: q.StartNS, Kind: "exec", Text: fmt.Sprintf("%s (%d)", q.Command, q.PID)})
		}
	}
	for _, c := range p.Copies[:min(len(p.Copies), maxMarkers)] {
		marks = append(marks, profile.Marker{FromNS: c.StartNS, ToNS: c.StartNS + c.WallNS, Kind: "copy", Text: c.Destination})
	}
	for _, s := range p.ChangePoints {
		marks = append(marks, profile.Marker{FromNS: s.AtNS, ToNS: s.AtNS, Kind: "step", Text: s.Series + " " + s.Device})
	}
	for _, l := range p.Lost.Slices[:min(len(p.Lost.Slices), maxMarkers)] {
		marks = append(marks, profile.Marker{FromNS: l.FromNS, ToNS: l.ToNS, Kind: "lost", Text: fmt.Sprintf("%d %s", l.Count, l.Kind)})
	}
	if at := p.StartNS + p.WallNS; c.returned {
		marks = append(marks, profile.Marker{FromNS: at, ToNS: at, Kind: "exit", Text: "the command returned"})
	}
	if p.DurableNS != profile.Unknown {
		at := p.StartNS + p.DurableNS
		marks = append(marks, profile.Marker{FromNS: at, ToNS: at, Kind: "durable", Text: "everything it wrote was on the device"})
	}
	return marks
}
