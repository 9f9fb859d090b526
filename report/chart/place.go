package chart

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// A place is a layer or a device at which operations are seen.
type place struct {
	name          string // "System calls", "sdb"
	layer, device string
	read, write   *profile.Series
	at            [2]int // where those are in the list of series
	heats         []*profile.Heat
}

// places gathers the series by where they were measured, in their order.
func places(c *profile.Charts) []*place {
	var all []*place
	find := func(layer, device string) *place {
		for _, p := range all {
			if p.layer == layer && p.device == device {
				return p
			}
		}
		p := &place{layer: layer, device: device, name: "System calls"}
		if layer != "calls" {
			p.name = visible.Shorten(visible.Text(strings.TrimSpace(device+" requests")), 48)
		}
		all = append(all, p)
		return p
	}
	for i := range c.Series {
		s := &c.Series[i]
		p := find(s.Layer, s.Device)
		if s.Direction == "read" {
			p.read, p.at[0] = s, i
		} else {
			p.write, p.at[1] = s, i
		}
	}
	for i := range c.Heatmaps {
		h := &c.Heatmaps[i]
		p := find(h.Layer, h.Device)
		p.heats = append(p.heats, h)
	}
	slices.SortStableFunc(all, func(a, b *place) int { return a.level() - b.level() })
	return all
}

// maxPlaces bounds the devices that get charts of their own: the busiest.
const maxPlaces = 12

// shownPlaces are the calls and the busiest devices.
func shownPlaces(c *profile.Charts) []*place {
	all := places(c)
	return all[:min(len(all), maxPlaces+1)]
}

func placeID(i int) string { return "place" + strconv.Itoa(i) }

// level is 0 for the calls, then that of the device.
func (p *place) level() int {
	for _, d := range p.directions() {
		if p.layer != "calls" {
			return max(1, d.Level)
		}
	}
	return 0
}

// A direction is a series with its name and colour.
type direction struct {
	name  string
	color string
	at    int // in the list of series
	*profile.Series
}

func (p *place) directions() []direction {
	var ds []direction
	if p.read != nil {
		ds = append(ds, direction{"read", "read", p.at[0], p.read})
	}
	if p.write != nil {
		ds = append(ds, direction{"write", "write", p.at[1], p.write})
	}
	return ds
}

// counts reports whether there is something in a series of either direction.
func (p *place) counts(any func(*profile.Series) bool) bool {
	return slices.ContainsFunc(p.directions(), func(d direction) bool { return any(d.Series) })
}

// took reports whether any operation took time.
func (p *place) took() bool {
	return p.counts(func(s *profile.Series) bool { return table.Largest(s.LatMax) > 0 })
}
