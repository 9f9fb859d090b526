package chart

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// stackChart is where the time went over time: what share of each bin is of each band.
func stackChart(p *profile.Profile) *Chart {
	c := p.Charts
	s := &Chart{ID: "stack-time", Kind: "stack", Title: "Where the time went", Unit: "share", Height: 84,
		Note: "share of each moment"}
	for _, b := range timeBands(p) {
		shares := b.over(c.Stack)
		if !slices.ContainsFunc(shares, func(ns float64) bool { return ns > 0 }) {
			continue
		}
		for i := range shares {
			shares[i] /= float64(c.BinNS)
		}
		line := stepLine(b.column, b.color, 1, false) // report.js puts one on the other
		line.LineStyle.Width = 0.01
		s.lines = append(s.lines, line)
		s.Series = append(s.Series, plot{Name: b.name, Color: b.color, Y: float32s(shares), At: len(c.Series), Per: 1e-6,
			column: b.column})
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

// wholeSection is what the workload as a whole did.
func wholeSection(p *profile.Profile) Section {
	var list []*Chart
	elsewhere := p.Charts.Pipeline == nil || !copying(p) // on the first screen
	if c := stackChart(p); c != nil && !elsewhere {
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
