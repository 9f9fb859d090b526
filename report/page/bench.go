package page

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/benchmarks"
	"github.com/iotrace/iotrace/report/chart"
	"github.com/iotrace/iotrace/report/table"
)

// Bench writes the results of a bench run as one page that needs nothing
// else: for each step every run with median and interval, the latencies, and
// the speed in the course of the runs, all places in one plot.
func Bench(w io.Writer, r *baseline.Report) error {
	pg := newBenchPage(r)
	return writePage(w, func(out *writer) { writeBench(out, pg) })
}

func newBenchPage(r *baseline.Report) *benchPage {
	pg := &benchPage{Source: strings.Join(slices.DeleteFunc([]string{visible.Line(r.Tool), "on " + visible.Line(r.Host),
		strings.TrimSpace(visible.Line(r.OS + " " + r.Kernel + " " + r.Arch)),
		r.Started.UTC().Format("2006-01-02 15:04:05 MST")}, func(s string) bool { return s == "" }), ", ")}
	var names []string
	for i, p := range r.Places {
		var about []string
		for _, s := range []string{p.FSType, p.Device, p.Model} {
			if s != "" {
				about = append(about, visible.Line(s))
			}
		}
		if p.SizeBytes > 0 {
			about = append(about, unit.Bytes(p.FreeBytes)+" of "+unit.Bytes(p.SizeBytes)+" free")
		}
		called := p.Path
		if p.Label != "" {
			called = p.Label
		}
		name := visible.Shorten(visible.Line(called), maxNameCells)
		names = append(names, name)
		pg.Places = append(pg.Places, benchPlace{name, strings.Join(about, ", "), chart.Colors[i%len(chart.Colors)]})
	}
	pg.Title = "Benchmark of " + unit.List(names)
	for _, w := range r.Warnings {
		if w.Code == baseline.NotRecorded {
			pg.Tips = append(pg.Tips, visible.Line(w.Text))
		} else {
			pg.Warnings = append(pg.Warnings, visible.Line(w.Text))
		}
	}
	for _, p := range r.Preconditioned {
		pg.Warnings = append(pg.Warnings, visible.Line(p.Place)+": "+benchmarks.Preconditioning(p))
	}
	if r.Interrupted {
		pg.Warnings = append(pg.Warnings, "The benchmark was interrupted; what had been measured is shown.")
	}
	for i := range r.Patterns {
		pg.Patterns = append(pg.Patterns, pg.pattern(&r.Patterns[i], fmt.Sprintf("workload%d", i+1)))
	}
	var all []overviewStep
	var patterns, titles []string
	for _, p := range pg.Patterns {
		all = append(all, p.results...)
		patterns, titles = append(patterns, p.Name), append(titles, p.Title)
	}
	pg.common, pg.Suite = shared(patterns, "/"), strings.TrimSuffix(shared(titles, ": "), ": ")
	pg.Overview, pg.Curves = pg.overview(all), pg.curves(r)
	return pg
}

func (pg *benchPage) pattern(p *baseline.PatternResult, id string) benchPattern {
	out := benchPattern{ID: id, Name: visible.Line(p.Pattern.Name), Title: visible.Line(p.Pattern.Title),
		About: visible.Line(p.Pattern.Source)}
	if len(p.Places) == 0 {
		return out
	}
	for i := range min(len(p.Places), len(pg.Places)) {
		if shown := p.Places[i].Shown; shown != nil {
			out.Scores = append(out.Scores, pg.Places[i].Name+": "+benchmarks.Score(*shown, p.Pattern.Original))
		}
	}
	for k := range p.Places[0].Steps {
		s := benchStep{Name: visible.Line(p.Places[0].Steps[k].Step)}
		rows := [][]string{benchHead}
		var results []benchResult
		for i := range min(len(p.Places), len(pg.Places)) {
			if k >= len(p.Places[i].Steps) {
				continue
			}
			x := benchResult{&p.Places[i].Steps[k], pg.Places[i]}
			results = append(results, x)
			s.Table.Places = append(s.Table.Places, x.place)
			rows = append(rows, x.row(p, p.Places[i].Place))
			for _, w := range x.Warnings {
				if text := visible.Line(w.Text); !slices.Contains(s.Warnings, text) {
					s.Warnings = append(s.Warnings, text)
				}
			}
		}
		s.Speed, s.Latency, s.Course = speedPlot(results), latencyPlot(results), coursePlot(results)
		s.Sizes = sizeCharts(results)
		s.Table.Title, s.Table.Columns = s.Name, table.Rows(false, rows...).Columns
		for k := range s.Table.Columns {
			s.Table.Columns[k].Left = k == 0 || slices.Contains(benchWords, benchHead[k])
		}
		out.Steps = append(out.Steps, s)
		name := out.Name
		if !strings.HasSuffix(name, "/"+s.Name) {
			name += " " + s.Name
		}
		out.results = append(out.results, overviewStep{id, name, results})
	}
	return out
}

// benchHead is above the table of a step; the columns of benchWords are left-aligned.
var (
	benchHead = []string{"place", "median", "95 % interval", "vs. first", "operations/s", "depth reached",
		"median latency", "99 %", "shown by the tool", "runs"}
	benchWords = []string{"95 % interval", "vs. first", "depth reached", "median latency", "99 %"}
)

// row is a place in that table.
func (x benchResult) row(p *baseline.PatternResult, place string) []string {
	switch {
	case x.Skipped != "":
		return []string{x.place.Name, "not run: " + visible.Line(x.Skipped)}
	case x.Rate.N == 0:
		return []string{x.place.Name, "not run"}
	}
	rate := unit.Rate(float64(x.Rate.Median))
	if x.Invalid != "" {
		rate += ", invalid"
	}
	interval, ops, shown := "", "", ""
	if x.Rate.Low != nil && x.Rate.High != nil {
		interval = unit.Rate(float64(*x.Rate.Low)) + " to " + unit.Rate(float64(*x.Rate.High))
	}
	if x.Ops.Median > 0 {
		ops = unit.Count(x.Ops.Median)
	}
	depth := fmt.Sprintf("%s of %d", unit.Significant(x.Depth.Achieved, 3), x.Depth.Nominal)
	if !x.Depth.Valid {
		depth += ", invalid"
	}
	var p50, p99 []string
	for _, way := range []string{"read", "write"} {
		if l, ok := x.Latency[way]; ok && l.N > 0 {
			p50, p99 = append(p50, unit.Nanoseconds(l.P50)), append(p99, unit.Nanoseconds(l.P99))
		}
	}
	if x.Shown != nil {
		shown = unit.Significant(x.Shown.Value, 4)
	}
	return []string{x.place.Name, rate, interval, x.against(p, place), ops, depth, strings.Join(p50, " / "),
		strings.Join(p99, " / "), shown, fmt.Sprint(x.Rate.N)}
}

// against is the comparison of a place with the first.
func (x benchResult) against(p *baseline.PatternResult, place string) (text string) {
	for _, c := range p.Comparisons {
		if c.Place != place || c.Step != x.Step {
			continue
		}
		text = c.Verdict
		if c.Verdict != "~" && c.Verdict != "?" {
			text = unit.Significant(c.Ratio, 3) + " ×"
			if c.Low > 0 {
				text += fmt.Sprintf(" (%s to %s)", unit.Significant(c.Low, 3), unit.Significant(c.High, 3))
			}
		}
	}
	return text
}

// sizeCharts are those of a set of files: the speed over the size, with the axis of the sizes logarithmic so that small
// files are seen beside large ones, and the time over the size with the line whose slope is the speed. Every file of
// every counted run is a dot.
func sizeCharts(results []benchResult) (all []*Course) {
	var rows []benchPlace
	var lines []benchmarks.Line
	for i, x := range results {
		rows = append(rows, x.place)
		var files []baseline.FileTime
		for _, r := range x.Runs {
			if r.Counted {
				files = append(files, r.Files...)
			}
		}
		if len(files) > 0 {
			lines = append(lines, benchmarks.LineOfFiles(i, baseline.Op(""), files, x.Line))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	c := benchmarks.Curve{Title: "Speed over the file size", Over: baseline.OverSize}
	return slices.DeleteFunc([]*Course{speeds(rows, c, lines), times(rows, lines)},
		func(c *Course) bool { return c == nil })
}
