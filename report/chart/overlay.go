package chart

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// A Run is a workload on a time axis that others share.
type Run struct {
	Name    string
	Profile *profile.Profile // with charts

	color string
	fine  *profile.Zoom // the finest level that covers all of it, if there is one
}

// Colors are those of the sides on common timelines, in their order.
var Colors = []string{"read", "write", "sync", "meta", "fault", "both", "throttle", "cpu"}

// An Overlay is the curves of several runs on one time axis.
type Overlay struct {
	Data   Data
	Sides  []Class // the colours of the runs
	Places []Group
	Detail string // what a point stands for
}

// Overlaid lays runs over one another, each from where its workload began. Fewer than
// two are nothing to compare.
func Overlaid(runs []Run) *Overlay {
	o := &Overlay{Data: noData()}
	if len(runs) > 1 {
		o.draw(slices.Clone(runs))
	}
	return o
}

func (o *Overlay) draw(runs []Run) {
	data := &o.Data
	finest := int64(1)
	for i := range runs {
		s := &runs[i]
		s.prepare(i)
		data.EndNS = max(data.EndNS, s.Profile.Charts.Timeline.EndNS-s.Profile.StartNS)
		finest = max(finest, s.finest())
		o.Sides = append(o.Sides, Class{s.color, s.Name})
		if s.Profile.WallNS > 0 {
			data.Marks = append(data.Marks, mark{s.Profile.WallNS, s.Profile.WallNS, "exit",
				"end of " + visible.Shorten(s.Name, 40)})
		}
	}
	data.Overlaid, data.EndNS = true, max(data.EndNS, 1)
	data.BinNS = niceBin(data.EndNS/600 + 1)
	for bin := data.BinNS / 5; bin >= finest && len(data.Grains) < 3; bin /= 5 {
		data.Grains = append(data.Grains, grain{BinNS: bin, Whole: true})
	}
	for _, layer := range []struct{ code, name string }{{"calls", "System calls"}, {"requests", "Disk"}} {
		place := Group{Name: layer.name}
		for _, quantity := range []struct{ code, unit, title, note string }{{"rate", "rate", " throughput", ""},
			{"depth", "number", "s in flight", "mean number"}} {
			for _, way := range []string{"read", "write"} {
				c := &Chart{ID: "time-" + layer.code + "-" + way + "-" + quantity.code, Kind: "series", Unit: quantity.unit,
					Height: 104, Note: quantity.note}
				c.Title = strings.ToUpper(way[:1]) + way[1:] + quantity.title
				o.curves(c, runs, layer.code, way, quantity.code)
				if len(c.said) == 0 {
					continue // there is nothing to show on any side
				}
				c.Option = newPlot(quantity.unit, c.lines...)
				c.Summary = c.Title + " over time, " + layer.name + ". " + strings.Join(c.said, "; ") + "."
				place.Charts = append(place.Charts, c)
			}
		}
		if len(place.Charts) > 0 {
			o.Places = append(o.Places, place)
			data.Charts = append(data.Charts, place.Charts...)
		}
	}
	o.Detail = "Every run from where its workload began, on one time axis. Curves have one point per " +
		unit.Nanoseconds(data.BinNS)
	if n := len(data.Grains); n > 0 {
		o.Detail += ", zoomed in down to one per " + unit.Nanoseconds(data.Grains[n-1].BinNS)
	}
	o.Detail += "."
}

// prepare gives the run its colour and chooses the bins that its curves are read from.
func (s *Run) prepare(i int) {
	s.color = Colors[i%len(Colors)]
	for k := range s.Profile.Charts.Zooms {
		if z := &s.Profile.Charts.Zooms[k]; z.Whole {
			s.fine = z
		}
	}
}

// curves adds a curve for each run to a chart.
func (o *Overlay) curves(c *Chart, runs []Run, layer, way, quantity string) {
	data, per, format := &o.Data, 1.0, unit.Rate
	if quantity == "depth" {
		per, format = 1e-6, table.Number
	}
	for i := range runs {
		s := &runs[i]
		values := s.curve(layer, way, quantity, data.BinNS, data.EndNS)
		if top := table.Largest(values); top > 0 {
			c.said = append(c.said, s.Name+" at most "+format(top))
		}
		p := plot{Name: s.Name, Color: s.color, Y: float32s(values), Per: per, At: -1}
		for k := range data.Grains {
			g := &data.Grains[k]
			at, fine := changes(s.curve(layer, way, quantity, g.BinNS, data.EndNS))
			for j := range fine {
				fine[j] /= per
			}
			p.At, g.At, p.Fine = len(g.At), append(g.At, deltas(at)), append(p.Fine, logarithms(fine))
		}
		c.lines, c.Series = append(c.lines, stepLine(s.Name, s.color, 0.10, false)), append(c.Series, p)
	}
}

// finest is the width of the bins that a side's curves are known in.
func (s *Run) finest() int64 {
	if s.fine != nil {
		return s.fine.BinNS
	}
	return s.Profile.Charts.BinNS
}

// curve is a quantity of one direction of a layer over time since the workload
// began, added over the devices of the layer.
func (s *Run) curve(layer, way, quantity string, bin, end int64) []float64 {
	out := make([]float64, end/bin+1)
	for i := range s.Profile.Charts.Series {
		x := &s.Profile.Charts.Series[i]
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
		meanOver(out, bin, at, values, width, s.Profile.StartNS, s.Profile.Charts.Timeline.EndNS)
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
