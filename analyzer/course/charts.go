// Package course collects how things went in the course of a recording, in bounded memory. Charts show it as curves,
// heat maps and lanes. Phases are the stretches of one speed, and the steps between them: what the time of the same
// bytes went to on both sides. It is a package of its own, as every collector is: none knows another.
package course

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/analyzer/world"
)

// ChartSize bounds the charts: bins of time, lanes of the timeline, and single
// events in it.
type ChartSize struct{ Bins, Lanes, Items int }

// Charts gathers what the charts of a report show.
type Charts struct {
	curves    *curves
	lanes     *lanes
	stack     *measure.Trend
	processes *world.Processes
	returned  bool // the end of the command was seen
}

func NewCharts(s *survey.Survey, size ChartSize, end int64, t *world.Processes) *Charts {
	stack := measure.NewTrend(size.Bins, end)
	lanes := newLanes(s, size, end)
	return &Charts{
		curves: newCurves(stack.Width, stack.Bins(), s.Devices, newZooms(stack.Width, end, lanes.detail)), lanes: lanes,
		stack: stack, processes: t, returned: s.Whole && s.End.CommandEnd >= 0,
	}
}

// Label adds a stretch of the time stack.
func (c *Charts) Label(k timeline.Kind, from, to int64) {
	c.stack.Label(k, from, to)
	for _, z := range c.curves.zooms {
		z.stack.label(k, from, to)
	}
}

// Call draws a call.
func (c *Charts) Call(e *world.Call) { c.lanes.call(e) }

// Async draws an asynchronous operation.
func (c *Charts) Async(e *world.Async) { c.lanes.async(e) }

// Fault draws a page fault that had to wait.
func (c *Charts) Fault(e *world.Fault) { c.lanes.fault(e) }

// Wait draws a time off the CPU.
func (c *Charts) Wait(e *world.Wait) { c.lanes.wait(e) }

// Data adds data moved to or from files that hold data to the curves.
func (c *Charts) Data(x *world.Access) {
	if x.Reads {
		c.curves.calls[0].add(x.Start, x.End, x.Bytes)
	}
	if x.Writes {
		c.curves.calls[1].add(x.Start, x.End, x.Bytes)
	}
}

// Request adds a request of the workload.
func (c *Charts) Request(e *world.Request) {
	if e.Ours {
		c.curves.request(e)
		c.lanes.request(e)
	}
}

// Finish puts the finished charts into the profile, which may have some already.
func (c *Charts) Finish(p *profile.Profile) {
	if p.Charts == nil {
		p.Charts = &profile.Charts{}
	}
	out := p.Charts
	out.BinNS, out.Bins, out.Zooms, out.Timeline = c.curves.width, c.curves.count, []profile.Zoom{},
		c.lanes.profile(c.processes, p.Files)
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
	for i, ns := range c.stack.Stack {
		if k := timeline.Kind(i); slices.ContainsFunc(ns, func(ns int64) bool { return ns > 0 }) {
			out.Stack = append(out.Stack, profile.Labels{Label: k.Label().String(), Within: k.Within(), NS: ns})
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
func (c *Charts) markers(p *profile.Profile) []profile.Marker {
	marks := []profile.Marker{}
	for _, q := range p.Processes[:min(len(p.Processes), maxMarkers)] {
		if q.Exe != "" {
			marks = append(marks, profile.Marker{FromNS: q.StartNS, ToNS: q.StartNS, Kind: "exec",
				Text: fmt.Sprintf("%s (%d)", q.Command, q.PID)})
		}
	}
	for _, c := range p.Copies[:min(len(p.Copies), maxMarkers)] {
		marks = append(marks, profile.Marker{FromNS: c.StartNS, ToNS: c.StartNS + c.WallNS, Kind: "copy",
			Text: c.Destination})
	}
	for _, s := range p.ChangePoints {
		marks = append(marks, profile.Marker{FromNS: s.AtNS, ToNS: s.AtNS, Kind: "step", Text: s.Series + " " + s.Device})
	}
	for _, l := range p.Lost.Slices[:min(len(p.Lost.Slices), maxMarkers)] {
		marks = append(marks, profile.Marker{FromNS: l.FromNS, ToNS: l.ToNS, Kind: "lost",
			Text: fmt.Sprintf("%d %s", l.Count, l.Kind)})
	}
	if at := p.StartNS + p.WallNS; c.returned {
		marks = append(marks, profile.Marker{FromNS: at, ToNS: at, Kind: "exit", Text: "the command returned"})
	}
	if t := p.Trace.Trigger; t != nil {
		marks = append(marks, profile.Marker{FromNS: t.AtNS, ToNS: t.AtNS, Kind: "trigger", Text: wording.TriggerName(t)})
	}
	if p.DurableNS != profile.Unknown {
		at := p.StartNS + p.DurableNS
		marks = append(marks, profile.Marker{FromNS: at, ToNS: at, Kind: "durable",
			Text: "everything it wrote was on the device"})
	}
	return marks
}
