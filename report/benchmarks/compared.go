package benchmarks

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// compared is the table for several places: each against the first.
func compared(b *strings.Builder, r *baseline.Report) {
	heads := make([]string, len(r.Places))
	for i := range r.Places {
		heads[i] = fmt.Sprintf("[%d]", i+1)
	}
	writeTable(b, comparedTable(r, heads))
	fmt.Fprintf(b, "\n%s\n", comparedLegend)
}

const comparedLegend = "Median, ± half its 95 % interval, or the interval. \"~\": no difference can be seen."

// comparedTable is the head and the rows for several places, which heads call.
func comparedTable(r *baseline.Report, heads []string) [][]string {
	head := []string{"pattern"}
	for i, name := range heads {
		head = append(head, name)
		if i > 0 {
			head = append(head, "against "+heads[0])
		}
	}
	rows := [][]string{head}
	for _, p := range r.Patterns {
		for i := range p.Pattern.Steps {
			row := []string{label(p.Pattern, p.Pattern.Steps[i].Name)}
			for j, place := range p.Places {
				row = append(row, cell(place.Steps[i]))
				if j > 0 {
					row = append(row, against(p, place.Place, place.Steps[i].Step))
				}
			}
			rows = append(rows, row)
			if row := durableRow(p, i); row != nil {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// spread is the median with its interval: relative, as long as that is narrow
// enough to mean something.
func spread(s baseline.Summary) string {
	text := median(s)
	if s.Low == nil || s.Median <= 0 || len(s.Modes) > 0 {
		return text
	}
	if half := float64(*s.High-*s.Low) / 2 / float64(s.Median); half <= 0.5 {
		return fmt.Sprintf("%s ± %.0f %%", text, half*100)
	}
	return fmt.Sprintf("%s (%s)", text, interval(s))
}

// untilDurable labels the row of rates with the time until the data was on the
// device.
const untilDurable = "  until durable"

// durable is such a rate where the step did not measure it anyway.
func durable(s baseline.StepResult) *baseline.Summary {
	if s.Durable == nil || s.Durable.Median == s.Rate.Median {
		return nil
	}
	return s.Durable
}

// durableRow is that row for step i, nil if no place has it.
func durableRow(p baseline.PatternResult, i int) []string {
	row, any := []string{untilDurable}, false
	for j, place := range p.Places {
		text := ""
		if d := durable(place.Steps[i]); d != nil {
			text, any = spread(*d), true
		}
		if row = append(row, text); j > 0 {
			row = append(row, "")
		}
	}
	if !any {
		return nil
	}
	return row
}

func cell(s baseline.StepResult) string {
	switch {
	case s.Skipped != "":
		return "?"
	case s.Rate.N == 0:
		return "not run"
	}
	text := spread(s.Rate)
	if s.Ops.Median > 0 {
		text += ", " + unit.Count(s.Ops.Median) + " IOPS"
	}
	if !s.Depth.Valid || s.Invalid != "" {
		text += " INVALID"
	}
	return text
}

// against is the comparison of a place with the first, "" for the first itself.
func against(p baseline.PatternResult, place, step string) string {
	for _, c := range p.Comparisons {
		if c.Place != place || c.Step != step {
			continue
		}
		switch c.Verdict {
		case "~", "?":
			return c.Verdict
		}
		text := unit.Significant(c.Ratio, 3) + " ×"
		if c.Low > 0 {
			text += fmt.Sprintf(" (%s … %s)", unit.Significant(c.Low, 3), unit.Significant(c.High, 3))
		}
		return text
	}
	return ""
}
