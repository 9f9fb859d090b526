package text

import (
	"fmt"
	"io"
	"strings"
	"time"

	explain "github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
)

// Gap writes the three views of a gap for a person at a terminal.
func Gap(w io.Writer, r *explain.Report, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	t := &gapText{text{o: o, ink: ink(o.Color)}}
	t.wrap(t.ink.strong, "", content.GapTitle(r))
	t.wrap(nil, "", visible.Text(r.Answer.Text))
	if r.Workload != nil {
		t.wrap(nil, "", "The workload "+r.Workload.String()+"."+gapCoverage(r.Workload))
	}
	t.causes(r)
	t.bounds(r)
	t.differences(r)
	t.waterfall(r)
	t.refusals(r)
	_, err := io.WriteString(w, t.b.String())
	return err
}

type gapText struct{ text }

// gapCoverage says how much of the recording is explained.
func gapCoverage(w *explain.Workload) string {
	var parts []string
	if b := w.Covered.Bytes; b > 0 {
		parts = append(parts, unit.Share(b)+" of the bytes that calls moved")
	}
	if s := w.Covered.Seconds; s > 0 {
		parts = append(parts, unit.Share(s)+" of the time the command took")
	}
	if len(parts) == 0 {
		return ""
	}
	text := " That is " + strings.Join(parts, " and ")
	if w.RecorderSeconds > 0.01*w.Seconds {
		text += fmt.Sprintf("; the %s that the recorder's probes took are left out",
			unit.Duration(time.Duration(w.RecorderSeconds*1e9)))
	}
	return text + "."
}

// causes are what the recording spent its time on, which the differences to a benchmark need not touch.
func (t *gapText) causes(r *explain.Report) {
	list := content.GapCauses(r)
	if len(list) == 0 {
		return
	}
	t.section("Where the time went")
	for _, c := range list {
		t.wrap(nil, "- ", fmt.Sprintf("%s %s: %s", c.Share, c.Name, c.Text))
	}
}

// recorded is the part of the recorded time behind a difference.
func recorded(r *explain.Report, f *explain.Factor) string {
	if s := content.GapRecorded(r, f); s != "" {
		return "; of the recorded time " + s
	}
	return ""
}

func (t *gapText) bounds(r *explain.Report) {
	bounds := content.GapBounds(r)
	if len(bounds) == 0 {
		return
	}
	t.section("Theoretical limits")
	for _, b := range bounds {
		line := fmt.Sprintf("%s at best: %s (%s); measured %s, %s of it", unit.Rate(b.Rate), b.Text, b.Formula,
			unit.Rate(b.Measured), unit.Share(b.Reached))
		if b.Explains {
			line += ": this explains it"
		}
		t.wrap(nil, "- ", line)
	}
	if r.ReadShare > 0 {
		t.wrap(nil, "- ", fmt.Sprintf("reading the bytes alone takes %s of the gap, in time per byte",
			unit.Share(r.ReadShare)))
	}
}

func (t *gapText) differences(r *explain.Report) {
	if r.Explanation != nil || len(r.Differences) == 0 {
		return
	}
	t.section("What differs")
	for i := range r.Differences {
		f := &r.Differences[i]
		t.wrap(nil, "- ", fmt.Sprintf("%s: %s instead of %s%s", f.Name, f.Workload, f.Benchmark, recorded(r, f)))
	}
}

func (t *gapText) waterfall(r *explain.Report) {
	if r.Explanation == nil {
		return
	}
	x := r.Experiment
	t.section("What each difference costs (time per GB)")
	steps := content.GapSteps(r)
	most, name, value := 0.0, 0, 0
	for _, s := range steps {
		most = max(most, s.From, s.To)
		name, value = max(name, visible.Width(s.Name)), max(value, visible.Width(content.PerGB(s.Value)))
	}
	for _, s := range steps {
		line := pad(s.Name, name) + "  " + strings.Repeat(" ", value-visible.Width(content.PerGB(s.Value))) +
			content.PerGB(s.Value) + "  " + floating(s.From/most, s.To/most)
		note := s.Detail
		if s.Verdict != "" {
			note = fmt.Sprintf("%s … %s", content.PerGB(s.Low), content.PerGB(s.High))
			if s.Verdict == "resolved" {
				note += fmt.Sprintf(", %s of the gap", unit.Share(s.Value/r.Explanation.Gap))
			} else {
				note = "~ " + note + ", " + s.Verdict
			}
		}
		t.b.WriteString(line + "  " + t.ink.faint(note) + "\n")
	}
	t.b.WriteString("\n")
	for i := range r.Factors {
		f := &r.Factors[i]
		t.wrap(nil, "- ", fmt.Sprintf("%s: %s instead of %s; %s … %s depending on the order%s", f.Name, f.Workload,
			f.Benchmark, content.PerGB(f.Least), content.PerGB(f.Greatest), recorded(r, &f.Factor)))
	}
	for _, i := range r.Explanation.Interactions {
		t.wrap(nil, "- ", content.GapTogether(r, i))
	}
	t.wrap(t.ink.faint, "", fmt.Sprintf("%s of %s on %s; scatter within a cell %s. Intervals are 95 %%. It holds for "+
		"this device and this day.", unit.Things(int64(len(x.Runs)), "run"), unit.Bytes(x.Payload), visible.Text(x.Dir),
		unit.Share(r.Explanation.Noise)))
}

func (t *gapText) refusals(r *explain.Report) {
	if r.Explanation != nil {
		for _, s := range r.Explanation.Refusals {
			t.wrap(nil, "! ", "Not ranked: "+s)
		}
	}
	for _, s := range r.Warnings {
		t.wrap(nil, "! ", visible.Text(s))
	}
}

func pad(s string, width int) string { return s + strings.Repeat(" ", max(width-visible.Width(s), 0)) }

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
