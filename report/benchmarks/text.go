package benchmarks

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// WriteText prints the report for people: a table of medians with intervals,
// one column per place, then what to know about them.
func WriteText(w io.Writer, r *baseline.Report) error {
	var b strings.Builder
	for i, p := range r.Places {
		fmt.Fprintf(&b, "[%d] %s\n", i+1, describeLabelled(p))
	}
	b.WriteByte('\n')
	if len(r.Places) > 1 {
		compared(&b, r)
	} else {
		single(&b, r)
	}
	notes(&b, r)
	_, err := io.WriteString(w, visible.Lines(b.String()))
	return err
}

// Describe is a place with what is known of it.
func Describe(p baseline.Place) string {
	var parts []string
	for _, s := range []string{p.FSType, p.Device, p.Model} {
		if s != "" {
			parts = append(parts, visible.Line(s))
		}
	}
	if p.SizeBytes > 0 {
		parts = append(parts, unit.Bytes(p.SizeBytes))
	}
	if len(parts) == 0 {
		return visible.Line(p.Path)
	}
	return visible.Line(p.Path) + " (" + strings.Join(parts, ", ") + ")"
}

// describeLabelled is Describe after the name that the user gave the place.
func describeLabelled(p baseline.Place) string {
	if p.Label == "" {
		return Describe(p)
	}
	return visible.Line(p.Label) + ": " + Describe(p)
}

// single is the table for one place.
func single(b *strings.Builder, r *baseline.Report) {
	writeTable(b, singleTable(r))
	fmt.Fprintf(b, "\n%s\n", singleLegend)
}

const singleLegend = "Median of the runs and its interval. \"shown\" is what the original would print, in what it " +
	"calls MB/s. Depth is achieved of nominal."

// writeTable prints rows whose cells stand below each other. Blanks follow the last as they follow the others.
func writeTable(b *strings.Builder, rows [][]string) {
	for _, line := range table.Rows(true, rows...).Lines() {
		b.WriteString(line + "  \n")
	}
}

// singleTable is the head and the rows for one place.
func singleTable(r *baseline.Report) [][]string {
	rows := [][]string{append([]string{"pattern"}, columns...)}
	shown := func(name, text string) { rows = append(rows, []string{name, "", "", "", text, "", "", "", ""}) }
	for _, p := range r.Patterns {
		for _, place := range p.Places {
			for _, s := range place.Steps {
				rows = append(rows, append([]string{label(p.Pattern, s.Step)}, cells(s)...))
				if d := durable(s); d != nil {
					rows = append(rows, []string{untilDurable, median(*d), interval(*d), unit.Rate(float64(d.Max)), "", "", "", "",
						""})
				}
			}
			if place.Shown != nil {
				shown(p.Pattern.Name+" ("+describePick(place.Shown.Rule, p.Pattern.Original.Steps)+")", shownText(place.Shown))
			}
			if st := place.Steady; st != nil {
				shown(p.Pattern.Name+" ("+steadyText(*st)+")", unit.Rate(float64(st.Rate)))
			}
		}
	}
	return rows
}

// label names a step: with the name of its pattern only, if that has no other.
func label(p baseline.Pattern, step string) string {
	if len(p.Steps) == 1 {
		return p.Name
	}
	return p.Name + " " + step
}

// columns are the headings of cells.
var columns = []string{"median", "95 %", "best", "shown", "ops/s", "p50", "p99", "depth"}

// cells are the numbers of a step as the text table prints them.
func cells(s baseline.StepResult) []string {
	if s.Skipped != "" {
		return []string{"?", "", "", "", "", "", "", ""}
	}
	if s.Rate.N == 0 {
		return []string{"not run", "", "", "", "", "", "", ""}
	}
	l := worstLatency(s)
	return []string{
		median(s.Rate) + marked(s), interval(s.Rate), unit.Rate(float64(s.Rate.Max)), shownText(s.Shown),
		unit.Count(s.Ops.Median),
		unit.Duration(time.Duration(l.P50)), unit.Duration(time.Duration(l.P99)), depthText(s.Depth),
	}
}

// marked follows a rate that is no measurement.
func marked(s baseline.StepResult) string {
	if s.Invalid != "" {
		return " INVALID"
	}
	return ""
}

// worstLatency is that of the direction with the higher 99th percentile.
func worstLatency(s baseline.StepResult) baseline.Latency {
	r, w := s.Latency["read"], s.Latency["write"]
	if r.P99 > w.P99 {
		return r
	}
	return w
}

func median(s baseline.Summary) string {
	if len(s.Modes) > 0 {
		return fmt.Sprintf("%d modes, see below", len(s.Modes))
	}
	return unit.Rate(float64(s.Median))
}

func interval(s baseline.Summary) string {
	if s.Low == nil {
		return "?"
	}
	return unit.Rate(float64(*s.Low)) + " … " + unit.Rate(float64(*s.High))
}

// shownText is the number as the original prints it, without a unit that would not
// be true.
func shownText(s *baseline.Shown) string {
	if s == nil {
		return ""
	}
	return unit.Significant(s.Value, 4)
}

func depthText(d baseline.Depth) string {
	text := fmt.Sprintf("%s of %d", unit.Significant(d.Achieved, 3), d.Nominal)
	if !d.Valid {
		text += " INVALID"
	}
	return text
}

// Score is what the original sums all steps of a pattern up to, and how.
func Score(s baseline.Shown, o baseline.Original) string {
	return fmt.Sprintf("%s, %s, as the original scores", unit.Rate(float64(s.BytesPerSecond)),
		describePick(s.Rule, o.Steps))
}

func steadyText(s baseline.Steady) string {
	if !s.Reached {
		return fmt.Sprintf("no steady state in %d rounds", s.Rounds)
	}
	return fmt.Sprintf("steady after %d rounds", s.Rounds)
}
