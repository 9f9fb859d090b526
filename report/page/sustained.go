package page

import (
	"io"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/benchmarks"
	"github.com/iotrace/iotrace/report/chart"
)

// Sustained writes a sustained run as one page that needs nothing else: the speed over what was written, with a line
// for each pass, and what that says.
func Sustained(w io.Writer, r *baseline.SustainedReport) error {
	pg := newSustainedPage(r)
	return writePage(w, func(out *writer) { writeReview(out, pg) })
}

func newSustainedPage(r *baseline.SustainedReport) *reviewPage {
	pg := &reviewPage{Title: "Sustained writes to " + visible.Line(r.Place.Path),
		Source: visible.Line(r.Tool) + ", " + r.Started.UTC().Format("2006-01-02 15:04:05 MST")}
	c := benchmarks.Curve{Title: "Speed over the bytes written before", Over: baseline.OverWritten,
		About: visible.Line(benchmarks.Describe(r.Place)) + ", " + unit.BlockSize(r.Block) + " at once, in new files"}
	for k, p := range r.Passes {
		name := visible.Line(p.Name) + " rate"
		pg.Places = append(pg.Places, benchPlace{name, benchmarks.PassTitle(p), chart.Colors[k%len(chart.Colors)]})
		line := benchmarks.Line{Volume: k, Op: baseline.Write}
		written := int64(0)
		for _, f := range p.Files {
			line.Points = append(line.Points, benchmarks.CurvePoint{X: written, Rate: f.Rate})
			written += f.Bytes
		}
		if len(line.Points) > 0 {
			c.Lines = append(c.Lines, line)
		}
	}
	for _, line := range benchmarks.SustainedVerdict(r) {
		c.Notes = append(c.Notes, strings.TrimPrefix(line, "- "))
	}
	pg.Curves = append(pg.Curves, newReviewCurve(pg.Places, c))
	return pg
}
