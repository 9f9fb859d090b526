package baseline

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/iotrace/iotrace/internal/unit"
)

// WriteText prints the report for people: a table of medians with intervals,
// one column per place, then what to know about them.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i, p := range r.Places {
		fmt.Fprintf(&b, "[%d] %s%s\n", i+1, p.Path, p.about())
	}
	b.WriteByte('\n')
	if len(r.Places) > 1 {
		r.compared(&b)
	} else {
		r.single(&b)
	}
	r.notes(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (p Place) about() string {
	var parts []string
	for _, s := range []string{p.FSType, p.Device, p.Model} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if p.SizeBytes > 0 {
		parts = append(parts, unit.Bytes(p.SizeBytes))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// single is the table for one place.
func (r *Report) single(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "pattern\tmedian\t95 %\tbest\tshown\tops/s\tp50\tp99\tdepth\t")
	for _, p := range r.Patterns {
		for _, place := range p.Places {
			for _, s := range place.Steps {
				fmt.Fprintf(t, "%s\t%s\t\n", label(p.Pattern, s.Step), strings.Join(s.cells(), "\t"))
			}
			if place.Shown != nil {
				fmt.Fprintf(t, "%s\t\t\t\t%s\t\t\t\t\t\n", p.Pattern.Name+" ("+place.Shown.Rule.describe(p.Pattern.Original.Steps)+")", place.Shown.text())
			}
			if st := place.Steady; st != nil {
				fmt.Fprintf(t, "%s\t\t\t\t%s\t\t\t\t\t\n", p.Pattern.Name+" ("+st.text()+")", unit.Rate(float64(st.Rate)))
			}
		}
	}
	t.Flush()
}

// label names a row: the step is left out where the name of the pattern ends
// with it.
func label(p Pattern, step string) string {
	if len(p.Steps) == 1 {
		return p.Name
	}
	return p.Name + " " + step
}

// cells are the columns of a step.
func (s StepResult) cells() []string {
	if s.Skipped != "" {
		return []string{"?", "", "", "", "", "", "", ""}
	}
	if s.Rate.N == 0 {
		return []string{"not run", "", "", "", "", "", "", ""}
	}
	l := s.worstLatency()
	return []string{
		s.Rate.median(), s.Rate.interval(), unit.Rate(float64(s.Rate.Max)), s.Shown.text(), unit.Count(s.Ops.Median),
		unit.Duration(asDuration(l.P50)), unit.Duration(asDuration(l.P99)), s.Depth.text(),
	}
}

// worstLatency is that of the direction with the higher 99th percentile.
func (s StepResult) worstLatency() Latency {
	r, w := s.Latency["read"], s.Latency["write"]
	if r.P99 > w.P99 {
		return r
	}
	return w
}

func (s Summary) median() string {
	if len(s.Modes) > 0 {
		return modesText(s.Modes)
	}
	return unit.Rate(float64(s.Median))
}

func (s Summary) interval() string {
	if s.Low == nil {
		return "?"
	}
	return unit.Rate(float64(*s.Low)) + " … " + unit.Rate(float64(*s.High))
}

// text is the number as the original prints it, without a unit that would not
// be true.
func (s *Shown) text() string {
	if s == nil {
		return ""
	}
	return unit.Significant(s.Value, 4)
}

func (d Depth) text() string {
	text := fmt.Sprintf("%s of %d", unit.Significant(d.Achieved, 3), d.Nominal)
	if !d.Valid {
		text += " INVALID"
	}
	return text
}

func (s Steady) text() string {
	if !s.Reached {
		return fmt.Sprintf("no steady state in %d rounds", s.Rounds)
	}
	return fmt.Sprintf("steady after %d rounds", s.Rounds)
}

// compared is the table for several places: each against the first.
func (r *Report) compared(b *strings.Builder) {
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
				fmt.Fprintf(t, "%s\t", place.Steps[i].cell())
				if j > 0 {
					fmt.Fprintf(t, "%s\t", p.against(place.Place, place.Steps[i].Step))
				}
			}
			fmt.Fprintln(t)
		}
	}
	t.Flush()
	fmt.Fprintf(b, "\nMedian, ± half its 95 %% interval. \"~\": no difference can be seen.\n")
}

func (s StepResult) cell() string {
	switch {
	case s.Skipped != "":
		return "?"
	case s.Rate.N == 0:
		return "not run"
	}
	text := s.Rate.median()
	if s.Rate.Low != nil && s.Rate.Median > 0 && len(s.Rate.Modes) == 0 {
		text += fmt.Sprintf(" ± %.0f %%", float64(*s.Rate.High-*s.Rate.Low)/2/float64(s.Rate.Median)*100)
	}
	if !s.Depth.Valid {
		text += " INVALID"
	}
	return text
}

func (p PatternResult) against(place, step string) string {
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

// notes lists the warnings, equal ones once.
func (r *Report) notes(b *strings.Builder) {
	var order []string
	where := map[string][]string{}
	note := func(text, place string) {
		if _, seen := where[text]; !seen {
			order = append(order, text)
		}
		where[text] = append(where[text], place)
	}
	for _, w := range r.Warnings {
		note(w.Text, "")
	}
	for _, p := range r.Patterns {
		for i, place := range p.Places {
			for _, s := range place.Steps {
				at := label(p.Pattern, s.Step)
				if len(p.Places) > 1 {
					at += fmt.Sprintf(" [%d]", i+1)
				}
				if s.Skipped != "" {
					note("skipped: "+s.Skipped, at)
				}
				for _, w := range s.Warnings {
					note(w.Text, at)
				}
				if s.Durable != nil {
					note("until durable: "+unit.Rate(float64(s.Durable.Median)), at)
				}
				if l := s.Line; l != nil {
					note(l.text(), at)
				}
			}
		}
	}
	if len(order) > 0 {
		b.WriteByte('\n')
	}
	for _, text := range order {
		fmt.Fprintf(b, "- %s%s\n", places(where[text]), text)
	}
	if r.Interrupted {
		fmt.Fprintf(b, "\nThe run was cut short: this is what was measured until then.\n")
	}
}

// places names where a note holds.
func places(at []string) string {
	switch {
	case at[0] == "":
		return ""
	case len(at) > 3:
		return fmt.Sprintf("%s and %d more: ", at[0], len(at)-1)
	}
	return strings.Join(at, ", ") + ": "
}

func (l SizeTime) text() string {
	return fmt.Sprintf("%d files: Theil-Sen %s (%s … %s) and %s per file, least squares %s, 20 %% trimmed mean %s, median %s", l.Files,
		unit.Rate(float64(l.TheilSen)), unit.Rate(float64(l.Low)), unit.Rate(float64(l.High)), unit.Duration(asDuration(l.PerFileNS)),
		unit.Rate(float64(l.OLS)), unit.Rate(float64(l.TrimmedMean)), unit.Rate(float64(l.Median)))
}
