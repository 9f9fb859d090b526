package baseline

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// WriteText prints the report for people: a table of medians with intervals,
// one column per place, then what to know about them.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for i, p := range r.Places {
		fmt.Fprintf(&b, "[%d] %s\n", i+1, p.Describe())
	}
	b.WriteByte('\n')
	if len(r.Places) > 1 {
		r.compared(&b)
	} else {
		r.single(&b)
	}
	r.notes(&b)
	_, err := io.WriteString(w, visible.Lines(b.String()))
	return err
}

// Describe is the place with what is known of it.
func (p Place) Describe() string {
	var parts []string
	for _, s := range []string{p.FSType, p.Device, p.Model} {
		if s != "" {
			parts = append(parts, visible.Text(s))
		}
	}
	if p.SizeBytes > 0 {
		parts = append(parts, unit.Bytes(p.SizeBytes))
	}
	if len(parts) == 0 {
		return visible.Text(p.Path)
	}
	return visible.Text(p.Path) + " (" + strings.Join(parts, ", ") + ")"
}

// single is the table for one place.
func (r *Report) single(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "pattern\t%s\t\n", strings.Join(Columns, "\t"))
	for _, p := range r.Patterns {
		for _, place := range p.Places {
			for _, s := range place.Steps {
				fmt.Fprintf(t, "%s\t%s\t\n", Label(p.Pattern, s.Step), strings.Join(s.Cells(), "\t"))
				if d := s.durable(); d != nil {
					fmt.Fprintf(t, "%s\t%s\t%s\t%s\t\t\t\t\t\t\n", untilDurable, d.median(), d.interval(), unit.Rate(float64(d.Max)))
				}
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
	fmt.Fprintf(b, "\nMedian of the runs and its interval. \"shown\" is what the original would print, in what it calls MB/s. Depth is achieved of nominal.\n")
}

// Label names a step: with the name of its pattern only, if that has no other.
func Label(p Pattern, step string) string {
	if len(p.Steps) == 1 {
		return p.Name
	}
	return p.Name + " " + step
}

// Columns are the headings of Cells.
var Columns = []string{"median", "95 %", "best", "shown", "ops/s", "p50", "p99", "depth"}

// Cells are the numbers of a step as the text table prints them.
func (s StepResult) Cells() []string {
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
		return fmt.Sprintf("%d modes, see below", len(s.Modes))
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
			fmt.Fprintf(t, "%s\t", Label(p.Pattern, p.Pattern.Steps[i].Name))
			for j, place := range p.Places {
				fmt.Fprintf(t, "%s\t", place.Steps[i].cell())
				if j > 0 {
					fmt.Fprintf(t, "%s\t", p.Against(place.Place, place.Steps[i].Step))
				}
			}
			fmt.Fprintln(t)
			p.durable(t, i)
		}
	}
	t.Flush()
	fmt.Fprintf(b, "\nMedian, ± half its 95 %% interval, or the interval. \"~\": no difference can be seen.\n")
}

// spread is the median with its interval: relative, as long as that is narrow
// enough to mean something.
func (s Summary) spread() string {
	text := s.median()
	if s.Low == nil || s.Median <= 0 || len(s.Modes) > 0 {
		return text
	}
	if half := float64(*s.High-*s.Low) / 2 / float64(s.Median); half <= 0.5 {
		return fmt.Sprintf("%s ± %.0f %%", text, half*100)
	}
	return fmt.Sprintf("%s (%s)", text, s.interval())
}

// untilDurable labels the row of rates with the time until the data was on the
// device.
const untilDurable = "  until durable"

// durable is such a rate where the step did not measure it anyway.
func (s StepResult) durable() *Summary {
	if s.Durable == nil || s.Durable.Median == s.Rate.Median {
		return nil
	}
	return s.Durable
}

// durable prints that row for step i, if a place has it.
func (p PatternResult) durable(w io.Writer, i int) {
	row, any := untilDurable+"\t", false
	for j, place := range p.Places {
		if d := place.Steps[i].durable(); d != nil {
			row, any = row+d.spread(), true
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

func (s StepResult) cell() string {
	switch {
	case s.Skipped != "":
		return "?"
	case s.Rate.N == 0:
		return "not run"
	}
	text := s.Rate.spread()
	if !s.Depth.Valid {
		text += " INVALID"
	}
	return text
}

// Against is the comparison of a place with the first, "" for the first itself.
func (p PatternResult) Against(place, step string) string {
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

// notes lists what to know about the numbers.
func (r *Report) notes(b *strings.Builder) {
	notes := r.Notes()
	if len(notes) > 0 {
		b.WriteByte('\n')
	}
	for _, text := range notes {
		fmt.Fprintf(b, "- %s\n", text)
	}
	if r.Interrupted {
		fmt.Fprintf(b, "\nThe run was cut short: this is what was measured until then.\n")
	}
}

// Notes are the warnings and what else to know about the numbers, each with
// where it holds, equal ones once.
func (r *Report) Notes() []string {
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
				at := Label(p.Pattern, s.Step)
				if len(p.Places) > 1 {
					at += fmt.Sprintf(" [%d]", i+1)
				}
				if s.Skipped != "" {
					note("skipped: "+s.Skipped, at)
				}
				for _, w := range s.Warnings {
					note(w.Text, at)
				}
				if l := s.Line; l != nil {
					note(l.text(), at)
				}
				if q := s.requests(); q != nil {
					note(q.text(), at)
				}
			}
		}
	}
	for i, text := range order {
		order[i] = places(where[text]) + text
	}
	return order
}

// requests is what the recording saw of the counted run of median rate.
func (s StepResult) requests() *Requests {
	var runs []RunResult
	for _, r := range s.Runs {
		if r.Counted && r.Requests != nil {
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return nil
	}
	slices.SortFunc(runs, func(a, b RunResult) int { return cmp.Compare(a.Rate, b.Rate) })
	return runs[len(runs)/2].Requests
}

func (q *Requests) text() string {
	n := q.Reads + q.Writes
	if n == 0 {
		return "no requests reached the device"
	}
	var sizes []string
	for i, s := range q.Sizes[:min(len(q.Sizes), 3)] {
		if i > 0 && s.Count*100 < n {
			break
		}
		sizes = append(sizes, fmt.Sprintf("%s (%.0f %%)", unit.BlockSize(s.Bytes), float64(s.Count)/float64(n)*100))
	}
	text := fmt.Sprintf("recorded at %s: %s requests", q.Device, unit.Count(n))
	if q.Reads > 0 && q.Writes > 0 {
		text += fmt.Sprintf(", %.0f %% reads", float64(q.Reads)/float64(n)*100)
	}
	return text + fmt.Sprintf(", of %s; depth %s in the drive, %s with those queued for it; p50 %s, p99 %s", strings.Join(sizes, ", "), unit.Significant(q.MeanDepth, 3),
		unit.Significant(q.MeanQueued, 3), unit.Duration(asDuration(q.Latency.P50)), unit.Duration(asDuration(q.Latency.P99)))
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
