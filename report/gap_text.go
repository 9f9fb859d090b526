package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	explain "github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// GapJSON writes the explanation of a gap as JSON (docs/json.md).
func GapJSON(w io.Writer, r *explain.Report) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("encoding the gap: %w", err)
	}
	_, err := w.Write(visible.AppendJSON(nil, b.Bytes()))
	return err
}

// GapText writes the three views of a gap for a person at a terminal.
func GapText(w io.Writer, r *explain.Report, o TextOptions) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	t := &text{p: &profile.Profile{TimeStack: r.TimeStack}, o: o, ink: ink(o.Color)}
	t.wrap(t.ink.strong, "", gapTitle(r))
	if r.Workload != nil {
		t.wrap(nil, "", "The workload "+r.Workload.String()+"."+gapCoverage(r.Workload))
	}
	t.wrap(nil, "", r.Answer.Text)
	t.timeStack()
	t.bounds(r)
	t.differences(r)
	t.waterfall(r)
	t.refusals(r)
	_, err := io.WriteString(w, t.b.String())
	return err
}

// gapCoverage says how much of the recording is explained.
func gapCoverage(w *explain.Workload) string {
	var parts []string
	if b := w.Covered.Bytes; b > 0 {
		parts = append(parts, percent(b)+" of the bytes that calls moved")
	}
	if s := w.Covered.Seconds; s > 0 {
		parts = append(parts, percent(s)+" of the time the command took")
	}
	if len(parts) == 0 {
		return ""
	}
	text := " That is " + strings.Join(parts, " and ")
	if w.RecorderSeconds > 0.01*w.Seconds {
		text += fmt.Sprintf("; the %s that the recorder's probes took are left out", unit.Duration(time.Duration(w.RecorderSeconds*1e9)))
	}
	return text + "."
}

func gapTitle(r *explain.Report) string {
	return shorten(printable(r.Trace), 60) + " against " + printable(r.Against)
}

func (t *text) bounds(r *explain.Report) {
	if len(r.Bounds) == 0 {
		return
	}
	t.section("What was possible (bounds)")
	for _, b := range r.Bounds {
		line := fmt.Sprintf("%s at best: %s (%s); measured %s, %s of it", unit.Rate(b.Rate), b.Text, b.Formula, unit.Rate(b.Measured), percent(b.Reached))
		if b.Explains {
			line += ": this explains it"
		}
		t.wrap(nil, "- ", line)
	}
	if r.ReadShare > 0 {
		t.wrap(nil, "- ", fmt.Sprintf("reading the bytes alone takes %s of the gap, in time per byte", percent(r.ReadShare)))
	}
}

func (t *text) differences(r *explain.Report) {
	if r.Explanation != nil || len(r.Differences) == 0 {
		return
	}
	t.section("What differs")
	for _, f := range r.Differences {
		t.wrap(nil, "- ", fmt.Sprintf("%s: %s instead of %s", f.Name, f.Workload, f.Benchmark))
	}
}

// gapStep is a row of the waterfall, in seconds per GB.
type gapStep struct {
	name     string
	from, to float64 // what the bar covers
	low      float64 // interval of to − from; both equal it without one
	high     float64
	value    float64
	total    bool // begins at zero
	detail   string
	verdict  string
}

// gapSteps lists the benchmark, each factor on top of those before it, the
// workload cell, what is not in the model, and the recording.
func gapSteps(r *explain.Report) []gapStep {
	e := r.Explanation
	total := func(name string, v float64) gapStep {
		return gapStep{name: name, to: v, value: v, low: v, high: v, total: true, detail: unit.Rate(1e9 / v)}
	}
	at := e.Benchmark.Cell
	steps := []gapStep{total("benchmark cell", at)}
	for _, f := range e.Factors {
		steps = append(steps, gapStep{name: f.Name, from: at, to: at + f.Phi, value: f.Phi, low: f.Low, high: f.High,
			detail: f.Benchmark + " → " + f.Workload, verdict: f.Verdict})
		at += f.Phi
	}
	steps = append(steps, total("workload cell", e.Workload.Cell))
	steps = append(steps, gapStep{name: "not in the model", from: at, to: at + e.Residual, value: e.Residual, low: e.Residual, high: e.Residual, detail: "residual"})
	if e.Replay > 0 {
		steps = append(steps, total("replay of it now", e.Replay),
			gapStep{name: "another moment", from: e.Replay, to: e.Workload.Reality, value: e.Moment, low: e.Moment, high: e.Moment, detail: "the recording was made then"})
	}
	return append(steps, total("recording", e.Workload.Reality))
}

// gapShare prints a share that may be negative.
func gapShare(x float64) string {
	if x < 0 {
		return "-" + percent(-x)
	}
	return percent(x)
}

// perGB prints seconds per GB.
func perGB(s float64) string { return unit.Duration(time.Duration(s * 1e9)) }

func (t *text) waterfall(r *explain.Report) {
	if r.Explanation == nil {
		return
	}
	x := r.Experiment
	t.section("What each difference costs (time per GB)")
	steps := gapSteps(r)
	most, name, value := 0.0, 0, 0
	for _, s := range steps {
		most = max(most, s.from, s.to)
		name, value = max(name, cells(s.name)), max(value, cells(perGB(s.value)))
	}
	for _, s := range steps {
		line := pad(s.name, name) + "  " + strings.Repeat(" ", value-cells(perGB(s.value))) + perGB(s.value) + "  " + floating(s.from/most, s.to/most)
		note := s.detail
		if s.verdict != "" {
			note = fmt.Sprintf("%s … %s", perGB(s.low), perGB(s.high))
			if s.verdict == "resolved" {
				note += fmt.Sprintf(", %s of the gap", gapShare(s.value/r.Explanation.Gap))
			} else {
				note = "~ " + note + ", " + s.verdict
			}
		}
		t.b.WriteString(line + "  " + t.ink.faint(note) + "\n")
	}
	t.b.WriteString("\n")
	for _, f := range r.Factors {
		t.wrap(nil, "- ", fmt.Sprintf("%s: %s instead of %s; %s … %s depending on the order", f.Name, f.Workload, f.Benchmark, perGB(f.Least), perGB(f.Greatest)))
	}
	for _, i := range r.Explanation.Interactions {
		t.wrap(nil, "- ", fmt.Sprintf("%s and %s together: %s beyond the sum of each alone", i.A, i.B, perGB(i.Seconds)))
	}
	t.wrap(t.ink.faint, "", fmt.Sprintf("%s of %s on %s; scatter within a cell %s. Intervals are 95 %%. It holds for this device and this day.",
		some(int64(len(x.Runs)), "run"), unit.Bytes(x.Payload), printable(x.Dir), percent(r.Explanation.Noise)))
}

func (t *text) refusals(r *explain.Report) {
	if r.Explanation != nil {
		for _, s := range r.Explanation.Refusals {
			t.wrap(nil, "! ", "Not ranked: "+s)
		}
	}
	for _, s := range r.Warnings {
		t.wrap(nil, "! ", printable(s))
	}
}

func pad(s string, width int) string { return s + strings.Repeat(" ", max(width-cells(s), 0)) }

// floating draws a bar from one share of the width to another.
func floating(from, to float64) string {
	a, b := min(from, to), max(from, to)
	first, last := int(max(a, 0)*gapWidth+0.5), int(max(b, 0)*gapWidth+0.5)
	if last == first {
		return pad(strings.Repeat(" ", min(first, gapWidth-1))+"▏", gapWidth)
	}
	return pad(strings.Repeat(" ", first)+strings.Repeat("█", last-first), gapWidth)
}

// gapWidth is the width of the waterfall in columns.
const gapWidth = 24
