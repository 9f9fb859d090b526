package page

import (
	"fmt"
	"math"
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
)

// The plots are drawn in units of which benchWidth are as wide as a plot.
const (
	benchWidth  = 640
	benchLeft   = 8
	benchRight  = 12
	benchRow1   = 24 // height of a row of dots
	benchBottom = 22 // for the axis
)

// benchPlot is rows of dots over a common axis: one row for each place.
type benchPlot struct {
	Summary string
	Height  int
	Bottom  int
	Ticks   []benchTick
	Rows    []benchDots
}

type benchTick struct {
	X    float64
	Text string
}

// benchDots is a row: dots, the median and its interval.
type benchDots struct {
	Y         int
	Color     string
	Dots      []benchTick // with what they stand for
	Median    float64
	Low, High float64 // equal: no interval
	Title     string
	Label     string
}

func (p *benchPlot) finish(rows int) {
	p.Bottom = rows*benchRow1 + 6
	p.Height = p.Bottom + benchBottom
}

// linear is an axis from zero to a round number, with its ticks.
func linear(top float64, print func(float64) string) (place func(float64) float64, ticks []benchTick) {
	step := niceStep(top / 5.5)
	end := math.Ceil(top/step) * step
	place = func(v float64) float64 { return benchLeft + v/end*(benchWidth-benchLeft-benchRight) }
	for v := 0.0; v <= end*(1+1e-9); v += step {
		ticks = append(ticks, benchTick{place(v), print(v)})
	}
	return place, ticks
}

// speedPlot shows every counted run, the median and its interval.
func speedPlot(results []benchResult) *benchPlot {
	top := 0.0
	for _, s := range results {
		top = max(top, float64(s.Rate.Max))
	}
	if top <= 0 {
		return nil
	}
	p := &benchPlot{}
	place, ticks := linear(top, axisRate)
	p.Ticks = ticks
	var said []string
	for _, s := range results {
		if s.Rate.N == 0 {
			continue
		}
		row := benchDots{Y: len(p.Rows)*benchRow1 + 15, Color: s.place.Color, Median: place(float64(s.Rate.Median))}
		row.Title = s.place.Name + ": median " + unit.Rate(float64(s.Rate.Median))
		if s.Rate.Low != nil && s.Rate.High != nil {
			row.Low, row.High = place(float64(*s.Rate.Low)), place(float64(*s.Rate.High))
			row.Title += ", interval " + unit.Rate(float64(*s.Rate.Low)) + " to " + unit.Rate(float64(*s.Rate.High))
		}
		for _, r := range s.Runs {
			if r.Counted {
				row.Dots = append(row.Dots, benchTick{place(float64(r.Rate)), fmt.Sprintf("run %d: %s", r.Run+1,
					unit.Rate(float64(r.Rate)))})
			}
		}
		said = append(said, row.Title)
		p.Rows = append(p.Rows, row)
	}
	p.finish(len(p.Rows))
	p.Summary = "Speed of every run. " + strings.Join(said, "; ") + "."
	return p
}

// trimmed is a label of an axis without decimals that say nothing.
func trimmed(s string) string {
	number, unit, _ := strings.Cut(s, " ")
	if number == "0" {
		return number
	}
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return number + " " + unit
}

func axisRate(v float64) string {
	return trimmed(unit.Rate(v))
}

// latencyPlot shows percentiles of all counted runs over a logarithmic axis.
func latencyPlot(results []benchResult) *benchPlot {
	low, high := math.Inf(1), 0.0
	for _, s := range results {
		for _, l := range s.Latency {
			if l.N > 0 {
				low, high = min(low, float64(max(l.P50, 1))), max(high, float64(l.Max))
			}
		}
	}
	if high <= 0 {
		return nil
	}
	p := &benchPlot{}
	first, last := math.Floor(math.Log10(low)), math.Ceil(math.Log10(high)+1e-9)
	place := func(v float64) float64 {
		return benchLeft + (math.Log10(max(v, 1))-first)/(last-first)*(benchWidth-benchLeft-benchRight)
	}
	for e := first; e <= last; e++ {
		p.Ticks = append(p.Ticks, benchTick{place(math.Pow(10, e)), trimmed(unit.Nanoseconds(int64(math.Pow(10, e))))})
	}
	var said []string
	for _, s := range results {
		for _, way := range []string{"read", "write"} {
			l, ok := s.Latency[way]
			if !ok || l.N == 0 {
				continue
			}
			row := benchDots{Y: len(p.Rows)*benchRow1 + 15, Color: s.place.Color, Low: place(float64(l.P50)),
				High: place(float64(l.Max)), Median: place(float64(l.P50))}
			if len(s.Latency) > 1 {
				row.Label = way
			}
			row.Title = fmt.Sprintf("%s, %s: median %s, 99 %% %s, longest %s", s.place.Name, way, unit.Nanoseconds(l.P50),
				unit.Nanoseconds(l.P99), unit.Nanoseconds(l.Max))
			for _, q := range []struct {
				name string
				ns   int64
			}{{"90 %", l.P90}, {"99 %", l.P99}, {"99.9 %", l.P999}, {"longest", l.Max}} {
				row.Dots = append(row.Dots, benchTick{place(float64(q.ns)), way + "s, " + q.name + ": " + unit.Nanoseconds(q.ns)})
			}
			said = append(said, row.Title)
			p.Rows = append(p.Rows, row)
		}
	}
	p.finish(len(p.Rows))
	p.Summary = "Latency as the program sees it. " + strings.Join(said, "; ") + "."
	return p
}
