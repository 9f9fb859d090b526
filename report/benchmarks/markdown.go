package benchmarks

import (
	"fmt"
	"io"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// WriteMarkdown prints the report as a table of Markdown, with the places before it and what to know after it.
func WriteMarkdown(w io.Writer, r *baseline.Report) error {
	var b strings.Builder
	heads := make([]string, len(r.Places))
	for i, p := range r.Places {
		if heads[i] = fmt.Sprintf("[%d]", i+1); p.Label != "" {
			heads[i] = p.Label
		}
		fmt.Fprintf(&b, "- %s: %s\n", visible.Markdown(heads[i]), visible.Markdown(Describe(p)))
	}
	b.WriteByte('\n')
	rows, legend := singleTable(r), singleLegend
	if len(r.Places) > 1 {
		rows, legend = comparedTable(r, heads), comparedLegend
	}
	table.Rows(false, rows...).Markdown(&b)
	fmt.Fprintf(&b, "\n%s\n\n", legend)
	for _, text := range Notes(r) {
		fmt.Fprintf(&b, "- %s\n", visible.Markdown(text))
	}
	if r.Interrupted {
		b.WriteString("\nThe run was cut short: this is what was measured until then.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
