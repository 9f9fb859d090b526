package benchmarks

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// WriteSustained prints the report of a sustained run for people.
func WriteSustained(w io.Writer, r *baseline.SustainedReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", Describe(r.Place))
	for _, p := range r.Passes {
		fmt.Fprintf(&b, "\n%s\n", PassTitle(p))
		for _, line := range levels(p).Lines() {
			b.WriteString("  " + line + "\n")
		}
	}
	b.WriteByte('\n')
	for _, line := range SustainedVerdict(r) {
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, visible.Lines(b.String()))
	return err
}

// PassTitle says what a pass wrote.
func PassTitle(p baseline.Pass) string {
	var bytes int64
	for _, f := range p.Files {
		bytes += f.Bytes
	}
	name := p.Name
	if name != "" {
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	return fmt.Sprintf("%s rate: %s in %d files", name, unit.Bytes(bytes), len(p.Files))
}

// levels is the table of a pass; it has no columns if nothing was found.
func levels(p baseline.Pass) *table.Table {
	bytes := func(l baseline.Level) string { return unit.Bytes(l.FromBytes) }
	after := func(l baseline.Level) string { return unit.Duration(time.Duration(l.FromNS)) }
	median := func(l baseline.Level) string { return unit.Rate(float64(l.Rate)) }
	return (&table.Table{}).Fill(column("from", p.Levels, bytes), column("after", p.Levels, after),
		column("median", p.Levels, median))
}

// column is one of numbers with their units.
func column[T any](title string, rows []T, text func(T) string) table.Column {
	c := table.Column{Title: title}
	for _, r := range rows {
		c.Cells = append(c.Cells, text(r))
	}
	return c
}

// SustainedVerdict says in lines whether the drive slowed down, and why.
func SustainedVerdict(r *baseline.SustainedReport) (lines []string) {
	defer func() {
		text := "The drive was taken as it was (--precondition SIZE brings it into the state of one in use)."
		if p := r.Preconditioned; p != nil {
			text = Preconditioning(*p)
			text = strings.ToUpper(text[:1]) + text[1:] + "."
		}
		lines = append(lines, text)
		if r.Shortened != "" {
			lines = append(lines, "Shorter than usual: "+r.Shortened+".")
		}
		if r.Interrupted {
			lines = append(lines, "The run was cut short: this is what was seen until then.")
		}
	}()
	if len(r.Passes) == 0 || len(r.Passes[0].Files) == 0 {
		return nil
	}
	v, o := r.Verdict, r.Passes[0].Onset
	if !v.Throttled || o == nil {
		return []string{"No lasting drop of the rate."}
	}
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	say("Throttled after %s (%s): from %s to %s.", unit.Bytes(o.Bytes), unit.Duration(time.Duration(o.NS)),
		unit.Rate(float64(o.Before)), unit.Rate(float64(o.After)))
	for _, e := range v.Evidence {
		say("- %s", e)
	}
	switch v.Cause {
	case "cache":
		say("Cause: a write cache of about %s that is full.", unit.Bytes(o.Bytes))
	case "heat":
		say("Cause: heat.")
	default:
		say("Possible causes: %s.", strings.Join(v.Candidates, "; "))
	}
	if v.Experiment != "" {
		say("To decide: %s.", v.Experiment)
	}
	return lines
}

// WriteSustainedMarkdown prints the same as tables of Markdown.
func WriteSustainedMarkdown(w io.Writer, r *baseline.SustainedReport) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", visible.Markdown(Describe(r.Place)))
	for _, p := range r.Passes {
		fmt.Fprintf(&b, "%s\n\n", visible.Markdown(PassTitle(p)))
		levels(p).Markdown(&b)
		b.WriteByte('\n')
	}
	for _, line := range SustainedVerdict(r) {
		line, item := strings.CutPrefix(line, "- ")
		if line = visible.Markdown(line); item {
			line = "- " + line
		}
		b.WriteString(line + "\n\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteSustainedCSV writes one line per file.
func WriteSustainedCSV(w io.Writer, r *baseline.SustainedReport) error {
	rows := [][]string{{"pass", "file", "start_ns", "active_ns", "bytes", "bytes_per_second", "milli_celsius"}}
	for _, p := range r.Passes {
		for i, f := range p.Files {
			row := append([]string{p.Name}, numbers(int64(i), f.StartNS, f.ActiveNS, f.Bytes, f.Rate)...)
			heat := ""
			if f.MilliCelsius != nil {
				heat = strconv.FormatInt(*f.MilliCelsius, 10)
			}
			rows = append(rows, append(row, heat))
		}
	}
	return table.CSV(w, rows)
}
