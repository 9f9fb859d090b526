package report

import (
	"fmt"
	"html/template"
	"io"

	explain "github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/unit"
)

// GapHTML writes the three views of a gap as one page that needs nothing else.
func GapHTML(w io.Writer, r *explain.Report) error {
	pg := gapPage{Title: gapTitle(r), Answer: r.Answer.Text, Bounds: r.Bounds, Width: gapChartWidth}
	if r.Workload != nil {
		pg.Workload = "The workload " + r.Workload.String() + "."
	}
	for _, s := range r.TimeStack.Slices {
		if s.NS > 0 {
			pg.Stack = append(pg.Stack, gapRow{Name: s.Text, Value: duration(s.NS), Detail: percent(s.Share)})
		}
	}
	if r.Explanation != nil {
		pg.draw(r)
	} else {
		for _, f := range r.Differences {
			pg.Differences = append(pg.Differences, gapRow{Name: f.Name, Value: f.Benchmark, Detail: f.Workload})
		}
	}
	t, err := template.New("gap").Funcs(template.FuncMap{"css": css, "rate": func(v float64) string { return unit.Rate(v) },
		"percent": percent, "print": printable}).Parse(gapTemplate)
	if err != nil {
		return fmt.Errorf("parsing the page template: %w", err)
	}
	if err := t.Execute(w, pg); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// gapPage is what the template is filled with.
type gapPage struct {
	Title, Answer, Workload string
	Stack, Differences      []gapRow
	Bounds                  []explain.Bound
	Bars                    []gapBar
	Refusals                []string
	Width, Height           int
	Summary                 string
	Note                    string
}

type gapRow struct{ Name, Value, Detail string }

// gapBar is a row of the chart, in pixels.
type gapBar struct {
	Y, Text              int
	X, W                 float64
	Low, High            float64 // ends of the whisker; no whisker if they are equal
	Class                string
	Name, Value, Verdict string
	Detail               string
}

const (
	gapChartWidth = 960
	gapLabel      = 180 // pixels left of the bars
	gapRoom       = 520 // pixels for the bars
	gapRowHeight  = 30
)

// draw lays the waterfall out.
func (p *gapPage) draw(r *explain.Report) {
	steps := gapSteps(r)
	least, most := 0.0, 0.0
	for _, s := range steps {
		least, most = min(least, s.from, s.to, s.from+s.low), max(most, s.from, s.to, s.from+s.high)
	}
	x := func(v float64) float64 { return gapLabel + (v-least)/(most-least)*gapRoom }
	for i, s := range steps {
		b := gapBar{Y: 8 + i*gapRowHeight, Text: 8 + i*gapRowHeight + 15, X: x(min(s.from, s.to)), Name: s.name, Value: perGB(s.value), Verdict: s.verdict, Detail: s.detail}
		b.W = max(x(max(s.from, s.to))-b.X, 1)
		b.Low, b.High = x(s.from+s.low), x(s.from+s.high)
		switch {
		case s.total:
			b.Class, b.Low, b.High = "total", 0, 0
		case s.verdict == "resolved" && s.value < 0:
			b.Class = "gain"
		case s.verdict == "resolved":
			b.Class = "cost"
		default:
			b.Class = "open"
		}
		p.Bars = append(p.Bars, b)
	}
	p.Height = 16 + len(steps)*gapRowHeight
	p.Refusals = r.Explanation.Refusals
	p.Summary = fmt.Sprintf("Waterfall from %s per GB in the benchmark cell to %s in the recording", perGB(r.Explanation.Benchmark.Cell), perGB(r.Explanation.Workload.Reality))
	p.Note = fmt.Sprintf("%s of %s on %s. Lines are 95 %% intervals; pale bars are within the noise. It holds for this device and this day.",
		some(int64(len(r.Experiment.Runs)), "run"), unit.Bytes(r.Experiment.Payload), printable(r.Experiment.Dir))
}

const gapTemplate = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{{.Title}}</title>
<style>{{css "page.css"}}
main { max-width: 1008px; margin: 0 auto; padding: 24px; }
svg text { font: 13px var(--sans); fill: var(--ink); } svg .muted { fill: var(--muted); }
.total { fill: var(--copy); } .cost { fill: var(--write); } .gain { fill: var(--meta); } .open { fill: var(--wait); opacity: .55; }
.whisker { stroke: var(--ink); stroke-width: 1.5; }
td, th { text-align: left; padding: 2px 16px 2px 0; vertical-align: top; }
</style></head><body><main>
<h1>{{.Title}}</h1>
<p>{{.Workload}}</p>
<p><strong>{{print .Answer}}</strong></p>
{{if .Bars}}<h2>What each difference costs (time per GB)</h2>
<svg viewBox="0 0 {{.Width}} {{.Height}}" role="img" aria-label="{{.Summary}}">
{{range .Bars}}<g><title>{{.Name}}: {{.Value}} per GB; {{.Detail}} {{.Verdict}}</title>
<text x="0" y="{{.Text}}">{{.Name}}</text>
<rect class="{{.Class}}" x="{{printf "%.1f" .X}}" y="{{.Y}}" width="{{printf "%.1f" .W}}" height="20" rx="2"/>
{{if ne .Low .High}}<line class="whisker" x1="{{printf "%.1f" .Low}}" x2="{{printf "%.1f" .High}}" y1="{{.Text}}" y2="{{.Text}}" transform="translate(0,-5)"/>{{end}}
<text x="712" y="{{.Text}}">{{.Value}}</text><text class="muted" x="790" y="{{.Text}}">{{if .Verdict}}{{.Verdict}}{{end}}</text></g>
{{end}}</svg><p>{{.Note}}</p>
<table><tr><th>Difference</th><th>Levels</th><th>Time per GB</th><th>Verdict</th></tr>
{{range .Bars}}<tr><td>{{.Name}}</td><td>{{.Detail}}</td><td>{{.Value}}</td><td>{{.Verdict}}</td></tr>{{end}}</table>{{end}}
{{range .Refusals}}<p class="warning">Not ranked: {{.}}</p>{{end}}
{{if .Differences}}<h2>What differs</h2><table><tr><th></th><th>Benchmark</th><th>Workload</th></tr>
{{range .Differences}}<tr><td>{{.Name}}</td><td>{{.Value}}</td><td>{{.Detail}}</td></tr>{{end}}</table>{{end}}
{{if .Bounds}}<h2>What was possible (bounds)</h2><table><tr><th>Model</th><th>Formula</th><th>At best</th><th>Measured</th><th>Reached</th></tr>
{{range .Bounds}}<tr><td>{{.Text}}</td><td>{{.Formula}}</td><td>{{rate .Rate}}</td><td>{{rate .Measured}}</td><td>{{percent .Reached}}{{if .Explains}} (explains it){{end}}</td></tr>{{end}}</table>{{end}}
{{if .Stack}}<h2>Where the time went</h2><table>
{{range .Stack}}<tr><td>{{.Value}}</td><td>{{.Detail}}</td><td>{{.Name}}</td></tr>{{end}}</table>{{end}}
</main></body></html>
`
