package page

import (
	"math"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// overview has a row for each step of each pattern, with the median of each place on one logarithmic axis; nil if
// there are fewer than two.
func (pg *benchPage) overview(steps []overviewStep) *Plot {
	low, high := math.Inf(1), 0.0
	for _, s := range steps {
		for _, r := range s.results {
			if v := float64(r.Rate.Median); r.Rate.N > 0 && v > 0 {
				low, high = min(low, v), max(high, v)
				if r.Rate.Low != nil && r.Rate.High != nil {
					low, high = min(low, max(float64(*r.Rate.Low), 1)), max(high, float64(*r.Rate.High))
				}
			}
		}
	}
	if len(steps) < 2 || high <= 0 {
		return nil
	}
	place, ticks := logarithmic(low, high, rateLabel)
	p := &Plot{Ticks: ticks}
	for _, s := range steps {
		label := strings.TrimPrefix(s.name, pg.common)
		for _, r := range s.results {
			if r.Rate.N == 0 || r.Rate.Median <= 0 {
				continue
			}
			row := Dots{Color: r.place.Color, Label: visible.Shorten(label, 34), Joined: label == "",
				Median: place(float64(r.Rate.Median)),
				Value:  unparted(unit.Rate(float64(r.Rate.Median))),
				Title:  s.name + ", " + r.place.Name + ": " + unit.Rate(float64(r.Rate.Median))}
			if r.Rate.Low != nil && r.Rate.High != nil {
				row.Low, row.High = place(float64(*r.Rate.Low)), place(float64(*r.Rate.High))
			}
			if label != "" {
				row.Link = s.id
			}
			label = "" // once for all places
			p.Rows = append(p.Rows, row)
		}
	}
	p.summarize("Median speed of every step. ")
	return p
}

// shared is what all words begin with, up to the last sep in it; "" if that is nothing.
func shared(words []string, sep string) (common string) {
	if len(words) == 0 {
		return ""
	}
	parts := strings.SplitAfter(words[0], sep)
	for _, part := range parts[:len(parts)-1] {
		if slices.ContainsFunc(words, func(w string) bool { return !strings.HasPrefix(w, common+part) }) {
			break
		}
		common += part
	}
	return common
}

// overviewStep is a step of a pattern with what it gave in each place.
type overviewStep struct {
	id, name string
	results  []benchResult
}
