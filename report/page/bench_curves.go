package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/sorting"
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
	{"share of reads", readShare,
		func(v int64) string { return fmt.Sprint(v, " %") }, true},
	{fileSize, func(s *baseline.Step) int64 { return s.FileSize }, unit.BlockSize, false},
}

const fileSize = "file size"

// readShare is the share of reads in percent.
func readShare(s *baseline.Step) int64 {
	if s.Op == baseline.Read {
		return 100
	}
	return int64(s.ReadShare)
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
func (pg *benchPage) curves(r *baseline.Report) (all []*Course) {
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
				key := alikeBut(&by, s, largest(&p.Pattern))
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

// largest is the size of the file that the steps of a pattern share: each works on whole blocks of it.
func largest(p *baseline.Pattern) (size int64) {
	for i := range p.Steps {
		size = max(size, p.Steps[i].FileSize)
	}
	return size
}

// alikeBut is what steps have in common that differ in one thing alone, or in their direction as well: reads and writes
// are drawn together.
func alikeBut(by *scale, s *baseline.Step, file int64) string {
	key := fmt.Sprint(s.Access, s.Cache, s.Sync, s.Blocking, s.Files != nil)
	if !by.even && s.Op != baseline.Read && s.Op != baseline.Write { // a mix is another operation
		key += fmt.Sprint(s.Op)
	}
	for i := range scales {
		switch {
		case scales[i].name == by.name:
		case scales[i].even && !by.even && (s.Op == baseline.Read || s.Op == baseline.Write): // drawn together
		case scales[i].name == fileSize:
			key += fmt.Sprint("/", file)
		default:
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

// curvePlot draws a line for each place and direction; nil if there are too few points.
func curvePlot(by *scale, points []curvePoint) *Course {
	const high = 150
	sorting.Stably(points, func(a, b curvePoint) int { return cmp.Compare(a.value, b.value) })
	ops := opsOf(by, points)
	at := func(v int64) float64 {
		if by.even {
			return float64(v)
		}
		return math.Log2(float64(v))
	}
	var values []int64
	top := 0.0
	for _, p := range points {
		values = append(values, p.value)
		for _, x := range p.results {
			top = max(top, float64(x.Rate.Median))
		}
	}
	values = slices.Compact(values)
	if len(values) < fewestPoints {
		return nil
	}
	low, end := at(values[0]), at(values[len(values)-1])
	c := &Course{Bottom: high + 8, Height: high + 8 + Bottom, Title: curveTitle(by, points[0].step, ops)}
	x := func(v int64) float64 { return 84 + (at(v)-low)/(end-low)*(Width-84-40) }
	y := func(v float64) float64 { return 8 + (1-v/(top*1.05))*high }
	for i, v := range values {
		if i%(1+len(values)/8) == 0 {
			c.XTicks = append(c.XTicks, Tick{X: x(v), Text: by.print(v)})
		}
	}
	for _, f := range []float64{0, 0.5, 1} {
		c.YTicks = append(c.YTicks, Tick{X: y(f * top), Text: rateLabel(f * top)})
	}
	var said []string
	for _, place := range placesOf(points) {
		for _, op := range ops {
			line, dots := curveLine(by, points, place, op, x, y)
			c.Dots = append(c.Dots, dots...)
			if line.Points == "" {
				continue
			}
			if line.Dashed = len(ops) > 1 && op == baseline.Write; len(ops) > 1 {
				line.Title = place.Name + ", " + string(op) + line.Title
			} else {
				line.Title = place.Name + line.Title
			}
			said, c.Lines = append(said, line.Title), append(c.Lines, line)
		}
	}
	c.Summary = c.Title + ". " + strings.Join(said, "; ") + "."
	return c
}

// curveLine is the line of a place in a direction, or in all if that is none, and a dot for each step.
func curveLine(by *scale, points []curvePoint, place benchPlace, op baseline.Op, x func(int64) float64,
	y func(float64) float64) (_ Line, dots []Dot) {
	var line, said []string
	drawn := map[int64]bool{}
	for _, p := range points {
		if op != "" && p.step.Op != op || drawn[p.value] {
			continue
		}
		for _, r := range p.results {
			if r.place == place {
				drawn[p.value] = true
				at := Dot{Color: place.Color, X: x(p.value), Y: y(float64(r.Rate.Median)),
					Title: place.Name + ": " + by.print(p.value) + " " + unit.Rate(float64(r.Rate.Median))}
				line, dots = append(line, fmt.Sprintf("%.1f,%.1f", at.X, at.Y)), append(dots, at)
				said = append(said, by.print(p.value)+" "+unit.Rate(float64(r.Rate.Median)))
			}
		}
	}
	return Line{Color: place.Color, Points: strings.Join(line, " "), Title: ": " + strings.Join(said, ", ")}, dots
}

// opsOf are the directions that are drawn: of mixes one line has all.
func opsOf(by *scale, points []curvePoint) (ops []baseline.Op) {
	if by.even {
		return []baseline.Op{""}
	}
	for _, p := range points {
		if !slices.Contains(ops, p.step.Op) {
			ops = append(ops, p.step.Op)
		}
	}
	slices.Sort(ops)
	return ops
}

func placesOf(points []curvePoint) (places []benchPlace) {
	for _, p := range points {
		for _, r := range p.results {
			if !slices.Contains(places, r.place) {
				places = append(places, r.place)
			}
		}
	}
	return places
}

// curveTitle says what is drawn: over what, and what all steps have in common.
func curveTitle(by *scale, s *baseline.Step, ops []baseline.Op) string {
	title := "Speed over the " + by.name + ": "
	if len(ops) == 1 && ops[0] != "" {
		title += visible.Line(string(ops[0])) + ", "
	}
	title += visible.Line(string(s.Access))
	if by.name != scales[0].name {
		title += ", " + unit.BlockSize(s.Block)
	}
	if by.name != scales[1].name {
		title += fmt.Sprintf(", %d at once", outstanding(s))
	}
	if len(ops) > 1 {
		title += "; dashed: writes"
	}
	return title
}
