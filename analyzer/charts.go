package analyzer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
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
func (a *analysis) finishCharts(p *profile.Profile) {
	c := a.charts
	if c == nil {
		return
	}
	out := &profile.Charts{BinNS: c.curves.width, Bins: c.curves.count, Zooms: []profile.Zoom{}, Timeline: c.lanes.profile(a.processes)}
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
	for l, ns := range a.trend.stack {
		if a.sum.Label[l] > 0 {
			out.Stack = append(out.Stack, profile.Labels{Label: timeline.Label(l).String(), NS: ns})
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
func (a *analysis) markers(p *profile.Profile) []profile.Marker {
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
	if a.whole && a.end.CommandEnd >= 0 {
		marks = append(marks, profile.Marker{FromNS: a.window.Wall, ToNS: a.window.Wall, Kind: "exit", Text: "the command returned"})
	}
	if p.DurableNS != profile.Unknown {
		at := p.StartNS + p.DurableNS
		marks = append(marks, profile.Marker{FromNS: at, ToNS: at, Kind: "durable", Text: "everything it wrote was on the device"})
	}
	return marks
}
