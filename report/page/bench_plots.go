package page

import (
	"fmt"
	"math"

	"github.com/iotrace/iotrace/internal/unit"
)

// speedPlot shows every counted run, the median and its interval.
func speedPlot(results []benchResult) *Plot {
	top := 0.0
	for _, s := range results {
		top = max(top, float64(s.Rate.Max))
	}
	if top <= 0 {
		return nil
	}
	place, ticks := Linear(top, rateLabel)
	p := &Plot{Ticks: ticks}
	for _, s := range results {
		if s.Rate.N == 0 {
			continue
		}
		row := Dots{Color: s.place.Color, Median: place(float64(s.Rate.Median))}
		row.Title = s.place.Name + ": median " + unit.Rate(float64(s.Rate.Median))
		if s.Rate.Low != nil && s.Rate.High != nil {
			row.Low, row.High = place(float64(*s.Rate.Low)), place(float64(*s.Rate.High))
			row.Title += ", interval " + unit.Rate(float64(*s.Rate.Low)) + " to " + unit.Rate(float64(*s.Rate.High))
		}
		for _, r := range s.Runs {
			if r.Counted {
				row.Dots = append(row.Dots, Tick{X: place(float64(r.Rate)), Text: fmt.Sprintf("run %d: %s", r.Run+1,
					unit.Rate(float64(r.Rate)))})
			}
		}
		p.Rows = append(p.Rows, row)
	}
	p.summarize("Speed of every run. ")
	return p
}

// latencyPlot shows percentiles of all counted runs over a logarithmic axis.
func latencyPlot(results []benchResult) *Plot {
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
	place, ticks := logarithmic(low, high, timeLabel)
	p := &Plot{Ticks: ticks}
	for _, s := range results {
		for _, way := range []string{"read", "write"} {
			l, ok := s.Latency[way]
			if !ok || l.N == 0 {
				continue
			}
			row := Dots{Color: s.place.Color, Low: place(float64(l.P50)),
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
				row.Dots = append(row.Dots, Tick{X: place(float64(q.ns)),
					Text: way + "s, " + q.name + ": " + unit.Nanoseconds(q.ns)})
			}
			p.Rows = append(p.Rows, row)
		}
	}
	p.summarize("Latency as the program sees it. ")
	return p
}
