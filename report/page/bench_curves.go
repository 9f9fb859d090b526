package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// A scale is what the steps of a benchmark may differ in, one thing at a time.
type scale struct {
	name  string
	of    func(*baseline.Step) int64
	print func(int64) string
	even  bool // its steps are as far apart as their values; of the others as their doublings
}

var scales = []scale{
	{"block size", func(s *baseline.Step) int64 { return s.Block }, unit.BlockSize, false},
	{"requests at once", outstanding, unit.Count, false},
	{"share of reads", func(s *baseline.Step) int64 { return int64(s.ReadShare) },
		func(v int64) string { return fmt.Sprint(v, " %") }, true},
	{"file size", func(s *baseline.Step) int64 { return s.FileSize }, unit.BlockSize, false},
}

func outstanding(s *baseline.Step) int64 { return int64(max(s.Depth, 1) * max(s.Threads, 1)) }

// fewestPoints is how many values make a curve.
const fewestPoints = 3

// curvePoint is a step with what it gave in each place.
type curvePoint struct {
	step    *baseline.Step
	value   int64
	results []benchResult
}

// curves are the speeds over what the steps differ in, where that is one thing.
func (pg *benchPage) curves(r *baseline.Report) (all []*benchCourse) {
	for _, by := range scales {
		var keys []string
		groups := map[string][]curvePoint{}
		for i := range r.Patterns {
			p := &r.Patterns[i]
			for k := range p.Pattern.Steps {
				s := &p.Pattern.Steps[k]
				x := curvePoint{step: s, value: by.of(s), results: pg.resultsOf(p, s.Name)}
				if x.value <= 0 && !by.even || len(x.results) == 0 {
					continue
				}
				key := alikeBut(&by, s)
				if groups[key] == nil {
					keys = append(keys, key)
				}
				groups[key] = append(groups[key], x)
			}
		}
		for _, key := range keys {
			if c := curvePlot(&by, groups[key]); c != nil {
				all = append(all, c)
			}
		}
	}
	return all
}

// alikeBut is what steps have in common that differ in one thing alone.
func alikeBut(by *scale, s *baseline.Step) string {
	key := fmt.Sprint(s.Access, s.Cache, s.Sync, s.Blocking, s.Files != nil)
	if !by.even { // a mix is another operation
		key += fmt.Sprint(s.Op)
	}
	for i := range scales {
		if scales[i].name != by.name {
			key += fmt.Sprint("/", scales[i].of(s))
		}
	}
	return key
}

func (pg *benchPage) resultsOf(p *baseline.PatternResult, step string) (list []benchResult) {
	for i := range min(len(p.Places), len(pg.Places)) {
		for k := range p.Places[i].Steps {
			if x := &p.Places[i].Steps[k]; x.Step == step && x.Rate.N > 0 && x.Invalid == "" {
				list = append(list, benchResult{x, pg.Places[i]})
			}
		}
	}
	return list
}

// curvePlot draws a line for each place; nil if there are too few points.
func curvePlot(by *scale, points []curvePoint) *benchCourse {
	const high = 150
	slices.SortStableFunc(points, func(a, b curvePoint) int { return int(min(max(a.value-b.value, -1), 1)) })
	points = slices.CompactFunc(points, func(a, b curvePoint) bool { return a.value == b.value })
	if len(points) < fewestPoints {
		return nil
	}
	at := func(v int64) float64 {
		if by.even {
			return float64(v)
		}
		return math.Log2(float64(v))
	}
	low, end, top := at(points[0].value), at(points[len(points)-1].value), 0.0
	for _, p := range points {
		for _, x := range p.results {
			top = max(top, float64(x.Rate.Median))
		}
	}
	first := points[0].step
	c := &benchCourse{Bottom: high + 8, Height: high + 8 + benchBottom,
		Title: fmt.Sprintf("Speed over the %s: %s, %s", by.name, visible.Line(string(first.Op)),
			visible.Line(string(first.Access)))}
	x := func(v int64) float64 { return 84 + (at(v)-low)/(end-low)*(benchWidth-84-40) }
	y := func(v float64) float64 { return 8 + (1-v/(top*1.05))*high }
	for i, p := range points {
		if i%(1+len(points)/8) == 0 {
			c.XTicks = append(c.XTicks, benchTick{x(p.value), trimmed(by.print(p.value))})
		}
	}
	for _, f := range []float64{0, 0.5, 1} {
		c.YTicks = append(c.YTicks, benchTick{y(f * top), axisRate(f * top)})
	}
	var said []string
	for _, place := range points[0].results {
		var line, values []string
		for _, p := range points {
			for _, r := range p.results {
				if r.place == place.place {
					line = append(line, fmt.Sprintf("%.1f,%.1f", x(p.value), y(float64(r.Rate.Median))))
					values = append(values, by.print(p.value)+" "+unit.Rate(float64(r.Rate.Median)))
				}
			}
		}
		title := place.place.Name + ": " + strings.Join(values, ", ")
		said = append(said, title)
		c.Lines = append(c.Lines, benchLine{place.place.Color, strings.Join(line, " "), title})
	}
	c.Summary = c.Title + ". " + strings.Join(said, "; ") + "."
	return c
}
