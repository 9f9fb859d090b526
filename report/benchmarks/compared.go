package benchmarks

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// compared is the table for several places: each against the first.
func compared(b *strings.Builder, r *baseline.Report) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "pattern\t")
	for i := range r.Places {
		fmt.Fprintf(t, "[%d]\t", i+1)
		if i > 0 {
			fmt.Fprint(t, "against [1]\t")
		}
	}
	fmt.Fprintln(t)
	for _, p := range r.Patterns {
		for i := range p.Pattern.Steps {
			fmt.Fprintf(t, "%s\t", label(p.Pattern, p.Pattern.Steps[i].Name))
			for j, place := range p.Places {
				fmt.Fprintf(t, "%s\t", cell(place.Steps[i]))
				if j > 0 {
					fmt.Fprintf(t, "%s\t", against(p, place.Place, place.Steps[i].Step))
				}
			}
			fmt.Fprintln(t)
			writeDurable(t, p, i)
		}
	}
	t.Flush()
	fmt.Fprintf(b, "\nMedian, ± half its 95 %% interval, or the interval. \"~\": no difference can be seen.\n")
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

// writeDurable prints that row for step i, if a place has it.
func writeDurable(w io.Writer, p baseline.PatternResult, i int) {
	row, any := untilDurable+"\t", false
	for j, place := range p.Places {
		if d := durable(place.Steps[i]); d != nil {
			row, any = row+spread(*d), true
		}
		row += "\t"
		if j > 0 {
			row += "\t"
		}
	}
	if any {
		fmt.Fprintln(w, row)
	}
}

func cell(s baseline.StepResult) string {
	switch {
	case s.Skipped != "":
		return "?"
	case s.Rate.N == 0:
		return "not run"
	}
	text := spread(s.Rate)
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
