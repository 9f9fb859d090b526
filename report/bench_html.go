package report

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// BenchHTML writes the results of a bench run as one page that needs nothing
// else: for each step every run with median and interval, the latencies, and
// the speed in the course of the runs, all places in one plot.
func BenchHTML(w io.Writer, r *baseline.Report) error {
	t, err := template.New("bench.html").Funcs(pageFuncs).ParseFS(assets, "assets/*.html")
	if err != nil {
		return fmt.Errorf("parsing the page template: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, newBenchPage(r)); err != nil {
		return fmt.Errorf("filling the page template: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// benchPage is what the template is filled with.
type benchPage struct {
	Title, Source string
	Places        []benchPlace
	Warnings      []string
	Patterns      []benchPattern
}

// benchPlace is a directory and its colour.
type benchPlace struct{ Name, About, Color string }

type benchPattern struct {
	Name, Title, About string
	Steps              []benchStep
}

type benchStep struct {
	Name     string
	Speed    *benchPlot
	Latency  *benchPlot
	Course   *benchCourse
	Rows     []benchRow
	Warnings []string
}

// benchRow is a place in the table of a step.
type benchRow struct {
	Place, Color, Rate, Interval, Against, Ops, Depth, P50, P99, Shown, Runs string
}

func newBenchPage(r *baseline.Report) *benchPage {
	pg := &benchPage{Source: strings.Join([]string{printable(r.Tool), "on " + printable(r.Host), printable(r.OS + " " + r.Kernel + " " + r.Arch), r.Started.UTC().Format("2006-01-02 15:04:05 MST")}, ", ")}
	var names []string
	for i, p := range r.Places {
		var about []string
		for _, s := range []string{p.FSType, p.Device, p.Model} {
			if s != "" {
				about = append(about, printable(s))
			}
		}
		if p.SizeBytes > 0 {
			about = append(about, unit.Bytes(p.FreeBytes)+" of "+unit.Bytes(p.SizeBytes)+" free")
		}
		name := shorten(printable(p.Path), maxNameCells)
		names = append(names, name)
		pg.Places = append(pg.Places, benchPlace{name, strings.Join(about, ", "), timeColors[i%len(timeColors)]})
	}
	pg.Title = "Benchmark of " + enumerate(names)
	for _, w := range r.Warnings {
		pg.Warnings = append(pg.Warnings, printable(w.Text))
	}
	if r.Interrupted {
		pg.Warnings = append(pg.Warnings, "The benchmark was interrupted; what had been measured is shown.")
	}
	for i := range r.Patterns {
		pg.Patterns = append(pg.Patterns, pg.pattern(&r.Patterns[i]))
	}
	return pg
}

func (pg *benchPage) pattern(p *baseline.PatternResult) benchPattern {
	out := benchPattern{Name: printable(p.Pattern.Name), Title: printable(p.Pattern.Title), About: printable(p.Pattern.Source)}
	if len(p.Places) == 0 {
		return out
	}
	for k := range p.Places[0].Steps {
		s := benchStep{Name: printable(p.Places[0].Steps[k].Step)}
		var results []*baseline.StepResult
		for i := range p.Places {
			if k >= len(p.Places[i].Steps) {
				continue
			}
			x := &p.Places[i].Steps[k]
			results = append(results, x)
			s.Rows = append(s.Rows, pg.row(p, i, x))
			for _, w := range x.Warnings {
				if text := printable(w.Text); !slices.Contains(s.Warnings, text) {
					s.Warnings = append(s.Warnings, text)
				}
			}
		}
		s.Speed, s.Latency, s.Course = speedPlot(results, pg.Places), latencyPlot(results, pg.Places), coursePlot(results, pg.Places)
		out.Steps = append(out.Steps, s)
	}
	return out
}

func (pg *benchPage) row(p *baseline.PatternResult, i int, x *baseline.StepResult) benchRow {
	row := benchRow{Place: pg.Places[i].Name, Color: pg.Places[i].Color}
	switch {
	case x.Skipped != "":
		row.Rate = "not run: " + printable(x.Skipped)
		return row
	case x.Rate.N == 0:
		row.Rate = "not run"
		return row
	}
	row.Rate, row.Runs = unit.Rate(float64(x.Rate.Median)), fmt.Sprint(x.Rate.N)
	if x.Rate.Low != nil && x.Rate.High != nil {
		row.Interval = unit.Rate(float64(*x.Rate.Low)) + " to " + unit.Rate(float64(*x.Rate.High))
	}
	if x.Ops.Median > 0 {
		row.Ops = grouped(x.Ops.Median)
	}
	row.Depth = fmt.Sprintf("%s of %d", unit.Significant(x.Depth.Achieved, 3), x.Depth.Nominal)
	if !x.Depth.Valid {
		row.Depth += ", invalid"
	}
	var p50, p99 []string
	for _, way := range []string{"read", "write"} {
		if l, ok := x.Latency[way]; ok && l.N > 0 {
			p50, p99 = append(p50, duration(l.P50)), append(p99, duration(l.P99))
		}
	}
	row.P50, row.P99 = strings.Join(p50, " / "), strings.Join(p99, " / ")
	if x.Shown != nil {
		row.Shown = unit.Significant(x.Shown.Value, 4)
	}
	for _, c := range p.Comparisons {
		if c.Place != p.Places[i].Place || c.Step != x.Step {
			continue
		}
		row.Against = c.Verdict
		if c.Verdict != "~" && c.Verdict != "?" {
			row.Against = unit.Significant(c.Ratio, 3) + " ×"
			if c.Low > 0 {
				row.Against += fmt.Sprintf(" (%s to %s)", unit.Significant(c.Low, 3), unit.Significant(c.High, 3))
			}
		}
	}
	return row
}

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
	Diamond   bool
	Label     string
}

func (p *benchPlot) finish(rows int) {
	p.Bottom = rows*benchRow1 + 6
	p.Height = p.Bottom + benchBottom
}

// linear is an axis from zero to a round number, with its ticks.
func linear(top float64, print func(float64) string) (place func(float64) float64, ticks []benchTick) {
	step := math.Pow(10, math.Floor(math.Log10(max(top, 1)/4)))
	for _, f := range []float64{1, 2, 5, 10} {
		if top/(f*step) <= 5.5 {
			step *= f
			break
		}
	}
	end := math.Ceil(top/step) * step
	place = func(v float64) float64 { return benchLeft + v/end*(benchWidth-benchLeft-benchRight) }
	for v := 0.0; v <= end*(1+1e-9); v += step {
		ticks = append(ticks, benchTick{place(v), print(v)})
	}
	return place, ticks
}

// speedPlot shows every counted run, the median and its interval.
func speedPlot(steps []*baseline.StepResult, places []benchPlace) *benchPlot {
	top := 0.0
	for _, s := range steps {
		top = max(top, float64(s.Rate.Max))
	}
	if top <= 0 {
		return nil
	}
	p := &benchPlot{}
	place, ticks := linear(top, axisRate)
	p.Ticks = ticks
	var said []string
	for i, s := range steps {
		if s.Rate.N == 0 {
			continue
		}
		row := benchDots{Y: len(p.Rows)*benchRow1 + 15, Color: places[i].Color, Median: place(float64(s.Rate.Median)), Diamond: true}
		row.Title = places[i].Name + ": median " + unit.Rate(float64(s.Rate.Median))
		if s.Rate.Low != nil && s.Rate.High != nil {
			row.Low, row.High = place(float64(*s.Rate.Low)), place(float64(*s.Rate.High))
			row.Title += ", interval " + unit.Rate(float64(*s.Rate.Low)) + " to " + unit.Rate(float64(*s.Rate.High))
		}
		for _, r := range s.Runs {
			if r.Counted {
				row.Dots = append(row.Dots, benchTick{place(float64(r.Rate)), fmt.Sprintf("run %d: %s", r.Run+1, unit.Rate(float64(r.Rate)))})
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
func latencyPlot(steps []*baseline.StepResult, places []benchPlace) *benchPlot {
	low, high := math.Inf(1), 0.0
	for _, s := range steps {
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
		p.Ticks = append(p.Ticks, benchTick{place(math.Pow(10, e)), trimmed(duration(int64(math.Pow(10, e))))})
	}
	var said []string
	for i, s := range steps {
		for _, way := range []string{"read", "write"} {
			l, ok := s.Latency[way]
			if !ok || l.N == 0 {
				continue
			}
			row := benchDots{Y: len(p.Rows)*benchRow1 + 15, Color: places[i].Color, Low: place(float64(l.P50)), High: place(float64(l.Max)), Median: place(float64(l.P50)), Diamond: true}
			if len(s.Latency) > 1 {
				row.Label = way
			}
			row.Title = fmt.Sprintf("%s, %s: median %s, 99 %% %s, longest %s", places[i].Name, way, duration(l.P50), duration(l.P99), duration(l.Max))
			for _, q := range []struct {
				name string
				ns   int64
			}{{"90 %", l.P90}, {"99 %", l.P99}, {"99.9 %", l.P999}, {"longest", l.Max}} {
				row.Dots = append(row.Dots, benchTick{place(float64(q.ns)), way + "s, " + q.name + ": " + duration(q.ns)})
			}
			said = append(said, row.Title)
			p.Rows = append(p.Rows, row)
		}
	}
	p.finish(len(p.Rows))
	p.Summary = "Latency as the program sees it. " + strings.Join(said, "; ") + "."
	return p
}

// benchCourse is the speed in the course of each run.
type benchCourse struct {
	Summary string
	Height  int
	Bottom  int
	XTicks  []benchTick
	YTicks  []benchTick
	Lines   []benchLine
}

type benchLine struct{ Color, Points, Title string }

// coursePlot draws the speed over the active time of every counted run; nil if
// the runs are too short for it.
func coursePlot(steps []*baseline.StepResult, places []benchPlace) *benchCourse {
	const high = 120
	end, top, most := 0.0, 0.0, 0
	for _, s := range steps {
		for _, r := range s.Runs {
			if !r.Counted {
				continue
			}
			course := coarser(r.Course)
			most, end = max(most, len(course.Bytes)), max(end, float64(r.ActiveNS))
			for k := range course.Bytes {
				top = max(top, courseRate(course, r.ActiveNS, k))
			}
		}
	}
	if most < 4 || end <= 0 || top <= 0 {
		return nil
	}
	c := &benchCourse{Bottom: high + 8, Height: high + 8 + benchBottom, Summary: "Speed in the course of the runs, one line per run."}
	x := func(ns float64) float64 { return 70 + ns/end*(benchWidth-70-benchRight) }
	y := func(v float64) float64 { return 8 + (1-v/(top*1.05))*high }
	for _, f := range []float64{0, 0.25, 0.5, 0.75, 1} {
		c.XTicks = append(c.XTicks, benchTick{x(f * end), trimmed(duration(int64(f * end)))})
	}
	for _, f := range []float64{0, 0.5, 1} {
		c.YTicks = append(c.YTicks, benchTick{y(f * top), axisRate(f * top)})
	}
	for i, s := range steps {
		for _, r := range s.Runs {
			if !r.Counted || len(r.Course.Bytes) == 0 {
				continue
			}
			var points strings.Builder
			course := coarser(r.Course)
			for k := range course.Bytes {
				from := float64(int64(k) * course.SliceNS)
				to := min(from+float64(course.SliceNS), float64(r.ActiveNS))
				v := y(courseRate(course, r.ActiveNS, k))
				fmt.Fprintf(&points, "%.1f,%.1f %.1f,%.1f ", x(from), v, x(to), v)
			}
			c.Lines = append(c.Lines, benchLine{places[i].Color, strings.TrimSpace(points.String()), fmt.Sprintf("%s, run %d: %s", places[i].Name, r.Run+1, unit.Rate(float64(r.Rate)))})
		}
	}
	return c
}

// maxSlices are as many as can be told apart when the runs lie over one another.
const maxSlices = 60

// coarser joins the slices of a run.
func coarser(s baseline.Series) baseline.Series {
	join := (len(s.Bytes) + maxSlices - 1) / maxSlices
	if join < 2 {
		return s
	}
	out := baseline.Series{SliceNS: s.SliceNS * int64(join), Bytes: make([]int64, (len(s.Bytes)+join-1)/join)}
	for k, b := range s.Bytes {
		out.Bytes[k/join] += b
	}
	return out
}

// courseRate is the speed in a slice of a run; the last one may be short.
func courseRate(s baseline.Series, active int64, k int) float64 {
	ns := min(s.SliceNS, active-int64(k)*s.SliceNS)
	if ns < s.SliceNS/4 {
		ns = s.SliceNS // a sliver says nothing about the speed
	}
	return float64(s.Bytes[k]) / float64(ns) * 1e9
}
