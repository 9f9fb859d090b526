package analyzer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/timeline"
)

// charts gathers what the charts of a report show. A nil *charts takes nothing.
type charts struct {
	curves *curves
	lanes  *lanes
}

func newCharts(s *survey, opt Options, t *trend) *charts {
	if !opt.Charts {
		return nil
	}
	lanes := newLanes(s, opt, t.end)
	return &charts{newCurves(t.width, t.bins(), s.devices, newZooms(t.width, t.end, lanes.detail)), lanes}
}

// label adds a stretch of the time stack.
func (c *charts) label(l timeline.Label, from, to int64) {
	if c == nil {
		return
	}
	for _, z := range c.curves.zooms {
		z.stack.label(l, from, to)
	}
}

func (c *charts) access(x *access, reads, writes bool) {
	if c == nil {
		return
	}
	if reads {
		c.curves.calls[0].add(x.start, x.end, x.bytes)
	}
	if writes {
		c.curves.calls[1].add(x.start, x.end, x.bytes)
	}
}

// finishCharts puts the finished charts into the profile.
func (a *analysis) finishCharts(p *Profile) {
	c := a.charts
	if c == nil {
		return
	}
	out := &Charts{BinNS: c.curves.width, Bins: c.curves.count, Zooms: []Zoom{}, Timeline: c.lanes.profile(a.processes)}
	heats := map[*series][2]Heat{}
	for _, s := range c.curves.list {
		if s.empty() {
			continue
		}
		out.Series = append(out.Series, s.profile())
		pair := [2]Heat{
			s.heat("latency_ns", func(b *bin) *histogram { return &b.latency }),
			s.heat("size_bytes", func(b *bin) *histogram { return &b.size }),
		}
		heats[s] = pair
		out.Heatmaps = append(out.Heatmaps, pair[:]...)
	}
	for l, ns := range a.trend.stack {
		if a.sum.Label[l] > 0 {
			out.Stack = append(out.Stack, Labels{timeline.Label(l).String(), ns})
		}
	}
	for _, z := range c.curves.zooms {
		if x := z.profile(c.curves.list, heats); !z.dead {
			out.Zooms = append(out.Zooms, x)
		}
	}
	out.Timeline.Marks = a.markers(p)
	for _, s := range a.speeds.list {
		if len(s.ends) > 0 {
			out.Rates = append(out.Rates, s.profile())
		}
	}
	p.Charts = out
}

// maxMarkers bounds the marks of each kind.
const maxMarkers = 200

// markers are the instants worth a line on the time axis.
func (a *analysis) markers(p *Profile) []Marker {
	marks := []Marker{}
	for _, q := range p.Processes[:min(len(p.Processes), maxMarkers)] {
		if q.Exe != "" {
			marks = append(marks, Marker{q.StartNS, q.StartNS, "exec", fmt.Sprintf("%s (%d)", q.Command, q.PID)})
		}
	}
	for _, c := range p.Copies[:min(len(p.Copies), maxMarkers)] {
		marks = append(marks, Marker{c.StartNS, c.StartNS + c.WallNS, "copy", c.Destination})
	}
	for _, s := range p.ChangePoints {
		marks = append(marks, Marker{s.AtNS, s.AtNS, "step", s.Series + " " + s.Device})
	}
	for _, l := range p.Lost.Slices[:min(len(p.Lost.Slices), maxMarkers)] {
		marks = append(marks, Marker{l.FromNS, l.ToNS, "lost", fmt.Sprintf("%d %s", l.Count, l.Kind)})
	}
	if a.whole && a.end.CommandEnd >= 0 {
		marks = append(marks, Marker{a.window.Wall, a.window.Wall, "exit", "the command returned"})
	}
	if p.DurableNS != Unknown {
		at := p.StartNS + p.DurableNS
		marks = append(marks, Marker{at, at, "durable", "everything it wrote was on the device"})
	}
	return marks
}
