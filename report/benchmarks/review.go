package benchmarks

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// reviewWidth is the width of a table of a review: that of a terminal.
const reviewWidth = 80

// WriteReview prints a review for people: volumes as rows and tasks as columns, then a sentence on each task.
func WriteReview(w io.Writer, r *baseline.Review) error {
	var b strings.Builder
	for _, v := range r.Volumes {
		fmt.Fprintf(&b, "%s: %s\n", visible.Line(v.Label), Describe(v.Place))
	}
	b.WriteByte('\n')
	work := work(r)
	reviewTable(work).Blocks(&b, reviewWidth)
	if len(work.Tasks) > 0 {
		fmt.Fprintf(&b, "%s\n\n", Legend(work))
	}
	for _, t := range work.Tasks {
		writeWrapped(&b, t.Name+": "+Observation(r, t))
	}
	for _, c := range Curves(r) {
		c.write(&b, r)
	}
	if conditions := Conditions(r); len(conditions) > 0 {
		b.WriteByte('\n')
		for _, line := range conditions {
			writeWrapped(&b, line)
		}
	}
	if r.Interrupted {
		b.WriteString("\nThe review was cut short: this is what was measured until then.\n")
	}
	_, err := io.WriteString(w, visible.Lines(b.String()))
	return err
}

// Conditions are those under which a review was made, where they are not the usual ones.
func Conditions(r *baseline.Review) (lines []string) {
	if r.RestNS > 0 {
		lines = append(lines, "After each run it rested for "+unit.Duration(time.Duration(r.RestNS))+".")
	}
	if r.Shortened != "" {
		lines = append(lines, "Shorter than usual: "+r.Shortened+".")
	}
	return lines
}

// work is a review without the points of its curves: those have tables of their own.
func work(r *baseline.Review) *baseline.Review {
	rest := *r
	rest.Tasks = slices.DeleteFunc(slices.Clone(r.Tasks), func(t baseline.Task) bool { return t.Point != nil })
	return &rest
}

// Legend says what the cells are.
func Legend(r *baseline.Review) string {
	text, interval, few := "", "", false
	counts := map[int][]string{}
	var runs []int
	for _, t := range r.Tasks {
		for _, to := range t.Results {
			n := to.Value.N
			if n == 0 || slices.Contains(counts[n], t.Name) {
				continue
			}
			if counts[n] == nil {
				runs = append(runs, n)
			}
			counts[n] = append(counts[n], t.Name)
			if to.Value.Low != nil {
				interval = fmt.Sprintf(" with their %s confidence interval below", unit.Share(to.Value.Level))
			}
			few = few || n > 1 && to.Value.Low == nil
		}
	}
	slices.SortFunc(runs, func(a, b int) int { return b - a })
	for i, n := range runs {
		part := fmt.Sprintf("Median of %d runs", n)
		if n == 1 {
			part = "One run"
		}
		if i > 0 {
			part = "; " + strings.ToLower(part[:1]) + part[1:] + " of " + unit.List(counts[n])
		}
		text += part
		if i == 0 {
			text += interval
		}
	}
	switch {
	case text == "":
		return "Nothing was measured."
	case interval == "" && (few || len(runs) > 0):
		return text + "; an interval needs 5."
	}
	return text + "."
}

// reviewTable has the volumes, then a column for each task: the name in two lines, and below each median its interval.
func reviewTable(r *baseline.Review) *table.Table {
	first := table.Column{Left: true, Cells: []string{"", ""}}
	for _, v := range r.Volumes {
		first.Cells = append(first.Cells, visible.Line(v.Label), "")
	}
	t := (&table.Table{}).Fill(first)
	for _, task := range r.Tasks {
		name, size, _ := strings.Cut(task.Name, " ")
		column := table.Column{Cells: []string{name, size}}
		for _, to := range task.Results {
			column.Cells = append(column.Cells, Cell(task, to), shortInterval(task, to))
		}
		t.Fill(column)
	}
	return t
}

// Cell is the median of a task on a volume.
func Cell(t baseline.Task, to baseline.TaskResult) string {
	switch {
	case to.Skipped != "":
		return "cannot"
	case to.Value.N == 0:
		return "not run"
	case to.Invalid() != "":
		return "invalid"
	}
	return amount(t, to.Value.Median)
}

func amount(t baseline.Task, v int64) string {
	if t.Measure == baseline.ByRate {
		return unit.Speed(v)
	}
	return unit.Nanoseconds(v)
}

// Interval is that of the median, "" if there are too few runs.
func Interval(t baseline.Task, to baseline.TaskResult) string {
	if to.Value.Low == nil || to.Invalid() != "" {
		return ""
	}
	return amount(t, *to.Value.Low) + " … " + amount(t, *to.Value.High)
}

// shortInterval leaves out a unit that both ends share.
func shortInterval(t baseline.Task, to baseline.TaskResult) string {
	text := Interval(t, to)
	low, high, ok := strings.Cut(text, " … ")
	number, name, _ := strings.Cut(low, " ")
	if _, other, _ := strings.Cut(high, " "); ok && name == other {
		return number + " … " + strings.TrimSuffix(high, " "+other)
	}
	return text
}

// Observation says in a few words what a task showed.
func Observation(r *baseline.Review, t baseline.Task) string {
	parts := []string{t.About}
	for k, to := range t.Results {
		label := r.Volumes[k].Label
		switch {
		case to.Skipped != "":
			parts = append(parts, fmt.Sprintf("%s: %s", label, to.Skipped))
		case to.Against != nil && to.Value.N > 0 && t.Results[0].Value.N > 0:
			parts = append(parts, comparison(label, r.Volumes[0].Label, *to.Against, min(to.Value.N, t.Results[0].Value.N)))
		}
	}
	for k, to := range t.Results {
		if text := to.Invalid(); text != "" {
			parts = append(parts, r.Volumes[k].Label+": invalid, "+text)
		}
		if text := unsafe(t, to); text != "" {
			parts = append(parts, r.Volumes[k].Label+": "+text)
		}
	}
	return strings.Join(parts, ". ") + "."
}

func comparison(label, first string, c baseline.Comparison, runs int) string {
	switch c.Verdict {
	case "~":
		return fmt.Sprintf("No difference between %s and %s can be seen", label, first)
	case "?":
		return fmt.Sprintf("%d runs are too few to tell %s from %s", runs, label, first)
	}
	ratio, low, high := c.Ratio, c.Low, c.High
	if c.Verdict == "slower" {
		ratio, low, high = 1/c.Ratio, 0, 0
		if c.Low > 0 {
			low, high = 1/c.High, 1/c.Low
		}
		label, first = first, label
	}
	text := fmt.Sprintf("%s was %s × as fast as %s", label, unit.Significant(ratio, 3), first)
	if low > 0 {
		text += fmt.Sprintf(" (%s … %s)", unit.Significant(low, 3), unit.Significant(high, 3))
	}
	return text
}

// late is the time between the return of a program and the safety of what it wrote from which it is told, in ns, and
// its share of the time until the return.
const (
	late      = 1e8
	lateShare = 0.2
)

// unsafe says how long what was written was not on the device when the program had returned.
func unsafe(t baseline.Task, to baseline.TaskResult) string {
	if to.Safe == nil || len(to.Runs) == 0 {
		return ""
	}
	// Both times are of one run, that of the median: medians of different runs contradict each other.
	runs := slices.Clone(to.Runs)
	sorting.Stably(runs, func(a, b baseline.TaskRun) int { return cmp.Compare(a.NS, b.NS) })
	run := runs[len(runs)/2]
	returned, gap := run.NS, run.SafeNS-run.NS
	if gap < late || float64(gap) < lateShare*float64(returned) {
		return ""
	}
	text := fmt.Sprintf("safe on the device %s after it had returned", unit.Nanoseconds(gap))
	if t.Measure == baseline.ByRate {
		text += fmt.Sprintf(", %s until then", unit.Speed(baseline.PerSecond(t.Bytes, run.SafeNS)))
	}
	return text
}

func writeWrapped(b *strings.Builder, text string) {
	for _, line := range visible.Hang(visible.Line(text), reviewWidth, "  ") {
		b.WriteString(line + "\n")
	}
}

// WriteReviewMarkdown writes the same as a table of Markdown, and a list.
func WriteReviewMarkdown(w io.Writer, r *baseline.Review) error {
	var b strings.Builder
	if work := work(r); len(work.Tasks) > 0 {
		markdownWork(&b, work)
	}
	for _, c := range Curves(r) {
		c.markdown(&b, r)
	}
	for _, line := range Conditions(r) {
		b.WriteString("\n" + visible.Markdown(line) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownWork(b *strings.Builder, r *baseline.Review) {
	rows := [][]string{{"volume"}}
	for _, t := range r.Tasks {
		rows[0] = append(rows[0], t.Name)
	}
	for k, v := range r.Volumes {
		row := []string{v.Label}
		for _, t := range r.Tasks {
			text := Cell(t, t.Results[k])
			if i := shortInterval(t, t.Results[k]); i != "" {
				text += " (" + i + ")"
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	table.Rows(false, rows...).Markdown(b)
	fmt.Fprintf(b, "\n%s\n\n", strings.ReplaceAll(Legend(r), "interval below", "interval in brackets"))
	for _, t := range r.Tasks {
		fmt.Fprintf(b, "- **%s**: %s\n", visible.Markdown(t.Name), visible.Markdown(Observation(r, t)))
	}
}
