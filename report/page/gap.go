package page

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	explain "github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/chart"
	"github.com/iotrace/iotrace/report/content"
)

// Gap writes the three views of a gap as one page that needs nothing else.
func Gap(w io.Writer, r *explain.Report) error {
	pg := gapPage{Title: content.GapTitle(r), Answer: unparted(visible.Text(r.Answer.Text)), Bounds: content.GapBounds(r),
		Causes: content.GapCauses(r)}
	for i := range pg.Causes {
		c := &pg.Causes[i]
		c.Share, c.Text = unparted(c.Share), unparted(c.Text)
	}
	pg.Parts = gapParts(r, pg.Causes)
	if r.Workload != nil {
		pg.Workload = "The workload " + r.Workload.String() + "."
	}
	if r.Explanation != nil {
		pg.draw(r)
	} else {
		pg.Limits = gapLimits(pg.Bounds)
		for i := range r.Differences {
			f := &r.Differences[i]
			pg.Differences = append(pg.Differences, gapRow{f.Name, unparted(f.Benchmark), unparted(f.Workload),
				unparted(content.GapRecorded(r, f))})
		}
	}
	return writePage(w, func(out *writer) { writeGap(out, &pg) })
}

// gapPage is what the page is made of.
type gapPage struct {
	Title, Answer, Workload string
	Causes                  []content.GapCause
	Parts                   []barPart // of the recorded time
	Limits                  *Plot     // what was measured beside the bounds
	Differences             []gapRow
	Bounds                  []explain.Bound
	Bars                    []gapBar
	Ticks                   []Tick
	Refusals                []string
	Together                []string // what two differences cost beyond their sum
	Summary                 string
	Note                    string
}

type gapRow struct{ Name, Benchmark, Workload, Recorded string }

// Spare reports whether a label of the axis is left out where there is little room.
func (p gapPage) Spare(i int) bool { return spare(i, p.Ticks) }

// gapBar is a row of the chart, in percent of its width.
type gapBar struct {
	X, W                 float64
	Low, High            float64 // ends of the whisker; no whisker if they are equal
	Class                string
	Name, Value, Verdict string
	Detail, Interval     string
	Recorded             string
	Link                 float64 // where a line leads on to the next bar,
	Next                 bool    // if there is one
}

// gapVerdicts are the verdicts in words that need no explanation.
var gapVerdicts = map[string]string{
	"resolved": "clear", "sign depends on order": "help or harm depends on the others", "not resolved": "within the noise",
}

// draw lays the waterfall out.
func (p *gapPage) draw(r *explain.Report) {
	steps := content.GapSteps(r)
	least, most := 0.0, 0.0
	for _, s := range steps {
		least, most = min(least, s.From, s.To, s.From+s.Low), max(most, s.From, s.To, s.From+s.High)
	}
	step := niceStep((most - least) / 5)
	least, most = math.Floor(least/step)*step, math.Ceil(most/step)*step
	x := func(v float64) float64 { return (v - least) / (most - least) * 100 }
	for v := least; v <= most+step/2; v += step {
		p.Ticks = append(p.Ticks, Tick{X: x(v), Text: trimmed(content.PerGB(v))})
	}
	for i, s := range steps {
		b := gapBar{X: x(min(s.From, s.To)), Name: s.Name,
			Value: content.PerGB(s.Value), Verdict: s.Verdict, Detail: unparted(s.Detail),
			Recorded: unparted(s.Recorded)}
		b.W = max(x(max(s.From, s.To))-b.X, 0.2)
		b.Low, b.High, b.Link = x(s.From+s.Low), x(s.From+s.High), x(s.To)
		if s.Low != s.High {
			b.Interval = content.PerGB(s.Low) + " to " + content.PerGB(s.High)
		}
		b.Next = i+1 < len(steps)
		b.Verdict = gapVerdicts[s.Verdict]
		switch {
		case s.Total:
			b.Class, b.Low, b.High = "total", 0, 0
		case s.Verdict == "resolved" && s.Value < 0:
			b.Class = "gain"
		case s.Verdict == "resolved":
			b.Class = "cost"
		default:
			b.Class = "open"
		}
		p.Bars = append(p.Bars, b)
	}
	for _, s := range r.Explanation.Refusals {
		if !strings.Contains(r.Answer.Text, s) { // which gives the first
			p.Refusals = append(p.Refusals, unparted(visible.Text(strings.ToUpper(s[:1])+s[1:]))+".")
		}
	}
	for _, i := range r.Explanation.Interactions {
		p.Together = append(p.Together, unparted(visible.Text(content.GapTogether(r, i))))
	}
	p.Summary = fmt.Sprintf("Waterfall from %s per GB in the benchmark cell to %s in the recording",
		content.PerGB(r.Explanation.Benchmark.Cell), content.PerGB(r.Explanation.Workload.Reality))
	p.Note = fmt.Sprintf("%s of %s on %s. Thin lines are 95 %% intervals; pale bars are within the noise. It "+
		"holds for this device and this day.", unit.Things(int64(len(r.Experiment.Runs)), "run"),
		unit.Bytes(r.Experiment.Payload), visible.Text(r.Experiment.Dir))
}

// gapParts are the causes of the recorded time as the parts of a bar, in the colours that they have on other pages.
func gapParts(r *explain.Report, causes []content.GapCause) (parts []barPart) {
	taken := map[string]bool{}
	rest := 1.0
	for i := range causes {
		color, share := "rest", rest
		if i < len(r.Causes) {
			color, share = chart.CauseColor(&r.Causes[i]), r.Causes[i].Share
			rest -= share
		}
		if taken[color] {
			color = "part" + strconv.Itoa(i)
		}
		taken[color] = true
		parts = append(parts, barPart{color, causes[i].Name, causes[i].Share, strconv.FormatFloat(100*share, 'f', 3, 64)})
	}
	return parts
}

// gapLimits has a row for the measured speed and one for each bound, on one axis; nil without bounds.
func gapLimits(bounds []explain.Bound) *Plot {
	if len(bounds) == 0 {
		return nil
	}
	top := 0.0
	for _, b := range bounds {
		top = max(top, b.High, b.Measured)
	}
	place, ticks := Linear(top, rateLabel)
	p := &Plot{Ticks: ticks}
	row := func(name, color string, rate, low, high float64) {
		p.Rows = append(p.Rows, Dots{Color: color, Label: name, Title: name + ": " + unit.Rate(rate), Median: place(rate),
			Value: unparted(unit.Rate(rate)), Low: place(low), High: place(high)})
	}
	measured := bounds[0].Measured
	row("measured", "write", measured, measured, measured)
	for _, b := range bounds {
		row(visible.Text(b.Text), "read", b.Rate, b.Low, b.High)
	}
	p.summarize("Speed measured, and at best. ")
	return p
}
