package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
)

// A Sample is a distribution with its name and colour.
type Sample struct {
	Name, Color string
	Dist        profile.Dist
}

// distCharts are the distributions of sizes and latencies, of the calls and of
// every device, and of the time between calls.
func distCharts(p *profile.Profile) []*Chart {
	var all []*Chart
	add := func(title, format string, samples ...Sample) {
		samples = slices.DeleteFunc(samples, func(s Sample) bool {
			return format == "time" && !p.Trace.TellsLatency(s.Dist.Max > 0)
		})
		if c := Distribution("dist"+strconv.Itoa(len(all)), title, format, samples); c != nil {
			all = append(all, c)
		}
	}
	both := func(r, w *profile.Flow, pick func(*profile.Flow) profile.Dist) []Sample {
		var s []Sample
		if r != nil {
			s = append(s, Sample{"read", "read", pick(r)})
		}
		if w != nil {
			s = append(s, Sample{"write", "write", pick(w)})
		}
		return s
	}
	size := func(f *profile.Flow) profile.Dist { return content.Moving(f.Size) }
	latency := func(f *profile.Flow) profile.Dist { return f.Latency }
	if l := content.LayerOf(p, 0, "calls"); l != nil {
		add("System calls: block size", "size", both(l.Read, l.Write, size)...)
		add("System calls: latency", "time", both(l.Read, l.Write, latency)...)
		add("Think time between data calls", "time", Sample{"think", "cpu", p.Pattern.Think})
	}
	for i := range p.Devices {
		d := &p.Devices[i]
		if i == maxPlaces {
			break
		}
		name := visible.Shorten(visible.Text(d.Name), 32)
		add(name+": request size", "size", both(d.Read, d.Write, size)...)
		add(name+": latency", "time", both(d.Read, d.Write, latency)...)
		if d.Flush != nil {
			add(name+": flush latency", "time", Sample{"flush", "sync", d.Flush.Latency})
		}
		if d.Queue != nil {
			add(name+": time queued before issue", "time", Sample{"queued", "wait", d.Queue.Latency})
		}
	}
	if c := timeBySize(p); c != nil {
		all = append(all, c)
	}
	return all
}

// uniform tells the distributions that have one value, which no chart needs to
// show.
func uniform(p *profile.Profile) []string {
	var said []string
	tell := func(where, what string, f *profile.Flow) {
		if f != nil && f.Size.Count >= fewest && f.Size.Min == f.Size.Max {
			said = append(said, where+": every "+what+" moved "+unit.BlockSize(f.Size.Max)+".")
		}
	}
	if l := content.LayerOf(p, 0, "calls"); l != nil {
		tell("System calls", "read", l.Read)
		tell("System calls", "write", l.Write)
	}
	for i := range p.Devices[:min(len(p.Devices), maxPlaces)] {
		tell(visible.Shorten(visible.Text(p.Devices[i].Name), 32), "read", p.Devices[i].Read)
		tell(visible.Shorten(visible.Text(p.Devices[i].Name), 32), "write", p.Devices[i].Write)
	}
	return said
}

// Distribution draws samples as bars over bins of equal width in octaves.
func Distribution(id, title, format string, samples []Sample) *Chart {
	count := int64(0)
	for _, s := range samples {
		count += s.Dist.Count
	}
	if count < fewest || slices.IndexFunc(samples, func(s Sample) bool { return len(s.Dist.Bins) > 1 }) < 0 {
		return nil // nothing, or one size only: uniform says so in words
	}
	return distribution(id, title, format, samples)
}

// distribution does so whatever there is.
func distribution(id, title, format string, samples []Sample) *Chart {
	low, high := int64(math.MaxInt64), int64(0)
	for _, s := range samples {
		for _, b := range s.Dist.Bins {
			low, high = min(low, b.From), max(high, b.To)
		}
	}
	c := &Chart{ID: id, Kind: "bars", Title: title, Unit: format, Height: 150}
	first, last := quarterOctave(low), quarterOctave(high-1)
	first, last = first-1, last+1 // room at both ends, and never a single bar as wide as the chart
	for last-first < 11 {
		first, last = first-1, last+1
	}
	var labels []string
	for q := first; q <= last; q++ {
		labels = append(labels, strconv.FormatFloat(float64(q)/4, 'f', -1, 64))
	}
	for _, s := range samples {
		if s.Dist.Count == 0 {
			continue
		}
		shares := make([]float64, last-first+1)
		for _, b := range s.Dist.Bins {
			shares[quarterOctave(b.From)-first] += float64(b.Count) / float64(s.Dist.Count)
		}
		bar := series{Name: s.Name, Type: "bar", BarGap: "-100%", BarCategoryGap: "12%",
			ItemStyle: &style{Color: "$" + s.Color, Opacity: 0.72}}
		c.lines = append(c.lines, bar)
		c.Series = append(c.Series, plot{Name: s.Name, Color: s.Color, Y: float32s(shares)})
		c.said = append(c.said, s.Name+": "+distText(s.Dist, format))
	}
	c.Option = newPlot("share", c.lines...)
	c.Option["xAxis"] = []xAxis{{
		Type: "category", Data: labels, AxisLine: rule{Show: true, LineStyle: &style{Color: "$axis"}},
		AxisLabel: label{Show: true, Formatter: "fn:octave-" + format, Color: "$muted", FontSize: 11, HideOverlap: true,
			Interval: "0"},
	}}
	c.Option["grid"] = []grid{{Left: "44", Right: "18", Top: "10", Bottom: "24"}}
	c.Summary = title + ". " + strings.Join(c.said, "; ") + "."
	return c
}

// quarterOctave is the bin of a value, four to a doubling; values below one
// share the bin below the first.
func quarterOctave(v int64) int {
	if v < 1 {
		return -1
	}
	return int(math.Floor(math.Log2(float64(v))*4 + 1e-9))
}

// distText tells a distribution in words: its median and tail, or its modes if
// it has several.
func distText(d profile.Dist, format string) string {
	print := func(v int64) string { return unit.Nanoseconds(v) }
	if format == "size" {
		print = unit.BlockSize
	}
	s := unit.Things(d.Count, "operation") + ", "
	if len(d.Modes) > 1 {
		s += "modes at " + content.Modes(d.Modes, print)
	} else {
		s += "median " + print(d.P50)
	}
	return s + ", p99 " + print(d.P99) + ", max " + print(d.Max)
}

// rateCharts are the curves of speed over cumulative bytes behind the phases.
func rateCharts(p *profile.Profile) []*Chart {
	var all []*Chart
	for i := range p.Charts.Rates {
		r := &p.Charts.Rates[i]
		if len(r.Rate) < 2 || len(all) == maxPlaces {
			continue
		}
		c := &Chart{ID: "rate" + strconv.Itoa(len(all)), Kind: "curve", Title: content.SeriesName(r.Series, r.Device),
			Unit: "rate", Height: 150}
		color := "write"
		if strings.HasSuffix(r.Series, "read") {
			color = "read"
		}
		x, y := make([]float64, len(r.Rate)), make([]float64, len(r.Rate))
		for k := range r.Rate {
			x[k], y[k] = float64(r.Chunk)*float64(k+1), float64(r.Rate[k])
		}
		xs := float32s(x)
		c.lines = append(c.lines, stepLine(c.Title, color, 0.12, false))
		c.lines[0].Step = "start" // a chunk's speed holds up to its end
		c.Series = append(c.Series, plot{Name: c.Title, Color: color, X: &xs, Y: float32s(y)})
		c.Option = newPlot("rate", c.lines...)
		axis := timeAxis()
		axis.AxisLabel = label{Show: true, Formatter: "fn:amount", Color: "$muted", FontSize: 11, HideOverlap: true}
		axis.Max = float64(r.Chunk) * float64(len(r.Rate))
		c.Option["xAxis"] = []xAxis{axis}
		c.Option["grid"] = []grid{{Left: "62", Right: "12", Top: "10", Bottom: "24"}}
		c.Summary = "Speed over bytes moved, in chunks of " + unit.Bytes(r.Chunk) + ": " + c.Title + "."
		all = append(all, c)
	}
	return all
}
