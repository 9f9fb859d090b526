package report

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// A timed is a side that has a timeline.
type timed struct {
	name, color string
	p           *profile.Profile
	fine        *profile.Zoom // the finest level that covers all of it, if there is one
}

// timeColors are those of the sides on common timelines, in their order.
var timeColors = []string{"read", "write", "sync", "meta", "fault", "both", "throttle", "cpu"}

// timedSides are the different sides of a comparison, and those of them that
// have a timeline.
func timedSides(d *Diff) (with []timed, without []string) {
	var seen []*compare.Side
	for _, c := range d.Comparisons {
		for _, s := range []*compare.Side{c.Subject, c.Reference} {
			if slices.Contains(seen, s) {
				continue
			}
			seen = append(seen, s)
			if s.Profile == nil || s.Profile.Charts == nil || s.Profile.Charts.Bins == 0 || len(with) == len(timeColors) {
				without = append(without, nameOf(s))
				continue
			}
			t := timed{name: nameOf(s), color: timeColors[len(with)], p: s.Profile}
			for i := range s.Profile.Charts.Zooms {
				if z := &s.Profile.Charts.Zooms[i]; z.Whole {
					t.fine = z
				}
			}
			with = append(with, t)
		}
	}
	// On charts there is little room: the names of files do, if they differ.
	short := map[string]bool{}
	for i := range with {
		short[baseName(with[i].name)] = true
	}
	for i := range with {
		if len(short) == len(with) {
			with[i].name = baseName(with[i].name)
		}
	}
	return with, without
}

// baseName is the name of a trace without its directories and its ending.
func baseName(name string) string {
	return strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".iotrace")
}

// timelines lays the runs of all sides over one another, each from where its
// workload began.
func (pg *diffPage) timelines(d *Diff) {
	sides, without := timedSides(d)
	if len(sides) < 2 {
		return
	}
	data := &pg.Data
	finest := int64(1)
	for i := range sides {
		s := &sides[i]
		data.EndNS = max(data.EndNS, s.p.Charts.Timeline.EndNS-s.p.StartNS)
		finest = max(finest, s.finest())
		pg.Sides = append(pg.Sides, class{s.color, s.name})
		if s.p.WallNS > 0 {
			data.Marks = append(data.Marks, mark{s.p.WallNS, s.p.WallNS, "exit", "end of " + shorten(s.name, 40)})
		}
	}
	data.Overlaid, data.EndNS = true, max(data.EndNS, 1)
	data.BinNS = niceBin(data.EndNS/600 + 1)
	for bin := data.BinNS / 5; bin >= finest && len(data.Grains) < 3; bin /= 5 {
		data.Grains = append(data.Grains, grain{BinNS: bin, Whole: true})
	}
	for _, layer := range []struct{ code, name string }{{"calls", "System calls"}, {"requests", "Disk"}} {
		place := placeView{Name: layer.name}
		for _, quantity := range []struct{ code, unit, title, note string }{{"rate", "rate", " throughput", ""}, {"depth", "number", "s in flight", "mean number"}} {
			for _, way := range []string{"read", "write"} {
				c := &chart{ID: "time-" + layer.code + "-" + way + "-" + quantity.code, Kind: "series", Unit: quantity.unit, Height: 104, Note: quantity.note}
				c.Title = strings.ToUpper(way[:1]) + way[1:] + quantity.title
				c.overlay(sides, data, layer.code, way, quantity.code)
				if len(c.said) == 0 {
					continue // there is nothing to show on any side
				}
				c.Option = newPlot(quantity.unit, c.lines...)
				c.Summary = c.Title + " over time, " + layer.name + ". " + strings.Join(c.said, "; ") + "."
				place.Charts = append(place.Charts, c)
			}
		}
		if len(place.Charts) > 0 {
			pg.Places = append(pg.Places, place)
			data.Charts = append(data.Charts, place.Charts...)
		}
	}
	pg.Detail = "Every run from where its workload began, on one time axis. Curves have one point per " + duration(data.BinNS)
	if n := len(data.Grains); n > 0 {
		pg.Detail += ", zoomed in down to one per " + duration(data.Grains[n-1].BinNS)
	}
	pg.Detail += "."
	if len(without) > 0 {
		pg.Detail += " No timeline: " + enumerate(without) + "."
	}
}

// overlay adds a curve for each side.
func (c *chart) overlay(sides []timed, data *pageData, layer, way, quantity string) {
	per, format := 1.0, unit.Rate
	if quantity == "depth" {
		per, format = 1e-6, scale{"", 1}.format
	}
	for i := range sides {
		s := &sides[i]
		values := s.curve(layer, way, quantity, data.BinNS, data.EndNS)
		if top := largest(values); top > 0 {
			c.said = append(c.said, s.name+" at most "+format(top))
		}
		p := plot{Name: s.name, Color: s.color, Y: float32s(values), Per: per, At: -1}
		for k := range data.Grains {
			g := &data.Grains[k]
			at, fine := changes(s.curve(layer, way, quantity, g.BinNS, data.EndNS))
			for j := range fine {
				fine[j] /= per
			}
			p.At, g.At, p.Fine = len(g.At), append(g.At, deltas(at)), append(p.Fine, logarithms(fine))
		}
		c.lines, c.Series = append(c.lines, stepLine(s.name, s.color, 0.10, false)), append(c.Series, p)
	}
}

// finest is the width of the bins that a side's curves are known in.
func (s *timed) finest() int64 {
	if s.fine != nil {
		return s.fine.BinNS
	}
	return s.p.Charts.BinNS
}

// curve is a quantity of one direction of a layer over time since the workload
// began, added over the devices of the layer.
func (s *timed) curve(layer, way, quantity string, bin, end int64) []float64 {
	out := make([]float64, end/bin+1)
	for i := range s.p.Charts.Series {
		x := &s.p.Charts.Series[i]
		if x.Layer != layer || x.Direction != way || x.Level > 1 {
			continue
		}
		at, bytes, depth := []int64(nil), x.Bytes, x.Depth
		if s.fine != nil {
			k := slices.IndexFunc(s.fine.Series, func(f profile.Steps) bool {
				return f.Layer == layer && f.Direction == way && f.Device == x.Device
			})
			if k < 0 {
				continue
			}
			f := &s.fine.Series[k]
			at, bytes, depth = f.At, f.Bytes, f.Depth
		}
		width := s.finest()
		values := depth
		if quantity == "rate" {
			values = make([]float64, len(bytes))
			for j, b := range bytes {
				values[j] = float64(b) / float64(width) * 1e9
			}
		}
		meanOver(out, bin, at, values, width, s.p.StartNS, s.p.Charts.Timeline.EndNS)
	}
	return out
}

// meanOver adds values that hold from the bins at (all bins, if that is nil) to the
// means over bins of another width that begin at a start.
func meanOver(out []float64, bin int64, at []int64, values []float64, width, start, end int64) {
	for i, v := range values {
		from, to := int64(i)*width, int64(i+1)*width
		if at != nil {
			if from, to = at[i]*width, end; i+1 < len(at) {
				to = at[i+1] * width
			}
		}
		from, to = max(from, start)-start, min(to, end)-start
		for v > 0 && from < to && from/bin < int64(len(out)) {
			next := min(to, (from/bin+1)*bin)
			out[from/bin] += v * float64(next-from) / float64(bin)
			from = next
		}
	}
}

// changes are the indices at which values change, and the values from there on.
func changes(values []float64) (at []int64, kept []float64) {
	for i, v := range values {
		if i == 0 || v != kept[len(kept)-1] {
			at, kept = append(at, int64(i)), append(kept, v)
		}
	}
	return at, kept
}

// niceBin is the least of 1, 2, 5, 10, 20, … that is not below n.
func niceBin(n int64) int64 {
	for power := int64(1); ; power *= 10 {
		for _, m := range []int64{1, 2, 5} {
			if m*power >= n || power > 1e17 {
				return m * power
			}
		}
	}
}
