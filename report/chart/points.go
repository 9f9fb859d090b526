package chart

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// pointsOf draws each request of a device that is shown singly by when it began and how long it took; nil where they
// are few.
func pointsOf(p *profile.Profile, pl *place, id string) *Chart {
	for i := range p.Charts.Timeline.Lanes {
		l := &p.Charts.Timeline.Lanes[i]
		if pl.layer == "calls" || l.Kind != "device" || l.Name != pl.device || len(l.Items.Start) < fewest {
			continue
		}
		c := &Chart{ID: id + "-points", Kind: "points", Title: "Single requests", Unit: "time", Height: 112,
			Note: "latency; click for details", lane: visible.Shorten(laneName(l), 120)}
		c.Option = newPlot("time10", drawn("requests", "points"))
		c.Summary = "Latency of " + unit.Count(int64(len(l.Items.Start))) + " single requests over time: " + pl.name + "."
		return c
	}
	return nil
}

// settlePoints tells the charts of single requests which lanes they draw.
func settlePoints(charts []*Chart, lanes []lane) {
	for _, c := range charts {
		for i, l := range lanes {
			if c.Kind == "points" && l.Kind == "device" && l.Name == c.lane {
				c.Lanes = []int{i}
			}
		}
	}
}
