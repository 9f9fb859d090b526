package chart

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
)

// stackChart is the time stack over time: what share of each bin went where.
func stackChart(c *profile.Charts, names map[string]string) *Chart {
	s := &Chart{ID: "stack-time", Kind: "stack", Title: "Where the time went", Unit: "share", Height: 84,
		Note: "share of each moment"}
	for _, l := range c.Stack {
		shares, any := make([]float64, len(l.NS)), false
		for i, ns := range l.NS {
			shares[i] = float64(ns) / float64(c.BinNS)
			any = any || ns > 0
		}
		if !any {
			continue
		}
		color := StackColor(l.Label)
		line := stepLine(l.Label, color, 1, false) // report.js puts one on the other
		line.LineStyle.Width = 0.01
		s.lines = append(s.lines, line)
		name := names[l.Label]
		if name == "" {
			name = l.Label
		}
		s.Series = append(s.Series, plot{Name: visible.Text(name), Color: color, Y: float32s(shares), At: len(c.Series),
			Per: 1e-6, column: l.Label})
	}
	if len(s.Series) == 0 {
		return nil
	}
	s.Option = newPlot("share", s.lines...)
	axisOf(s.Option).Max = 1
	s.Summary = "Share of each moment by what the workload was doing. The totals are in the table of the section Where " +
		"the time went."
	return s
}

// StackColor is the colour of a label of the time stack.
func StackColor(label string) string {
	if _, known := stackColors[label]; known {
		return "stack-" + label
	}
	return "stack-other_call"
}

var stackColors = map[string]struct{}{
	"device_read": {}, "device_write": {}, "device_both": {}, "device_other": {}, "throttled": {}, "sync": {},
	"page_cache": {}, "metadata": {}, "queued": {}, "other_call": {}, "cpu": {}, "ready": {}, "io_wait": {}, "lock": {},
	"waiting": {}, "outside": {}, "draining": {},
}

// stackNames are the labels of the time stack in words.
func stackNames(p *profile.Profile) map[string]string {
	names := map[string]string{}
	for _, slice := range p.TimeStack.Slices {
		names[slice.Label] = slice.Text
	}
	return names
}

// wholeSection is what the workload as a whole did.
func wholeSection(p *profile.Profile) Section {
	var list []*Chart
	elsewhere := p.Charts.Pipeline == nil || !copying(p) // on the first screen
	if c := stackChart(p.Charts, stackNames(p)); c != nil && !elsewhere {
		list = append(list, c)
	}
	if c := fileRate(p); c != nil {
		list = append(list, c)
	}
	if len(list) == 0 {
		return Section{}
	}
	return Section{Groups: []Group{{Name: "Whole workload", Charts: list}}}
}
