package page

import (
	"fmt"
	"io"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/benchmarks"
	"github.com/iotrace/iotrace/report/chart"
	"github.com/iotrace/iotrace/report/table"
)

// Review writes a review as one page that needs nothing else: the table, and for each task a sentence and every run.
func Review(w io.Writer, r *baseline.Review) error {
	pg := newReviewPage(r)
	return writePage(w, func(out *writer) { writeReview(out, pg) })
}

func newReviewPage(r *baseline.Review) *reviewPage {
	pg := &reviewPage{Legend: strings.ReplaceAll(benchmarks.Legend(r), "interval below", "interval"),
		Interrupted: r.Interrupted}
	pg.Source = visible.Line(strings.Join([]string{r.Tool, "on " + r.Host, r.OS + " " + r.Kernel,
		r.Started.UTC().Format("2006-01-02 15:04:05 MST")}, ", "))
	var names []string
	first := table.Column{Title: "volume", Left: true}
	for k, v := range r.Volumes {
		place := benchPlace{visible.Line(v.Label), visible.Line(benchmarks.Describe(v.Place)),
			chart.Colors[k%len(chart.Colors)]}
		names, pg.Places = append(names, place.Name), append(pg.Places, place)
	}
	first.Cells = names
	pg.Table = placesTable{"All tasks", pg.Places, []table.Column{first}}
	pg.Title = "Review of " + unit.List(names)
	for _, t := range r.Tasks {
		if t.Point != nil {
			continue
		}
		column := table.Column{Title: t.Name}
		for _, to := range t.Results {
			column.Cells = append(column.Cells, benchmarks.Cell(t, to))
			column.Below = append(column.Below, benchmarks.Interval(t, to))
		}
		pg.Table.Columns = append(pg.Table.Columns, column)
		pg.Tasks = append(pg.Tasks, reviewTask{t.Name, visible.Line(benchmarks.Observation(r, t)), pg.plot(t)})
	}
	pg.Conditions = benchmarks.Conditions(r)
	for _, c := range benchmarks.Curves(r) {
		pg.Curves = append(pg.Curves, newReviewCurve(pg.Places, c))
	}
	return pg
}

// plot shows every run of a task, a row for each volume.
func (pg *reviewPage) plot(t baseline.Task) *Plot {
	top := 0.0
	for _, to := range t.Results {
		top = max(top, float64(to.Value.Max))
	}
	if top <= 0 {
		return nil
	}
	print := rateLabel
	if t.Measure == baseline.ByTime {
		print = func(v float64) string { return unit.Nanoseconds(int64(v)) }
	}
	place, ticks := Linear(top, print)
	p := &Plot{Ticks: ticks}
	var said []string
	for k, to := range t.Results {
		if to.Value.N == 0 {
			continue
		}
		row := Dots{Color: pg.Places[k].Color, Median: place(float64(to.Value.Median))}
		row.Title = fmt.Sprintf("%s: %s", pg.Places[k].Name, benchmarks.Cell(t, to))
		for _, run := range to.Runs {
			row.Dots = append(row.Dots, Tick{X: place(t.Value(run)), Text: print(t.Value(run))})
		}
		if to.Value.Low != nil {
			row.Low, row.High = place(float64(*to.Value.Low)), place(float64(*to.Value.High))
		}
		said, p.Rows = append(said, row.Title), append(p.Rows, row)
	}
	p.Summary = strings.Join(said, "; ")
	return p
}

// reviewPage is what the page is made of.
type reviewPage struct {
	Title, Source, Legend string
	Table                 placesTable
	Places                []benchPlace
	Tasks                 []reviewTask
	Curves                []reviewCurve
	Conditions            []string
	Interrupted           bool
}

type reviewTask struct {
	Name, Said string
	Plot       *Plot
}
