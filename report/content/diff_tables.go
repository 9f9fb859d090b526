package content

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// optional is the number or -1, which tables print as unknown.
func optional(v *float64) float64 {
	if v == nil {
		return -1
	}
	return *v
}

// Dimensions holds every dimension with its two values and distances.
func Dimensions(c *compare.Comparison) *table.Table {
	all := c.Dimensions
	number := func(title, help string, rank int, value func(*compare.Dimension) *float64) table.Column {
		col := table.Column{Title: title, Help: help, Rank: rank}
		for i := range all {
			v := value(&all[i])
			text := "-"
			if v != nil {
				text = fmt.Sprintf("%.2f", *v)
			}
			col.Cells, col.Values = append(col.Cells, text), append(col.Values, optional(v))
		}
		return col
	}
	told := func(value func(*compare.Dimension) *compare.Value) func(compare.Dimension) string {
		return func(d compare.Dimension) string { return visible.Text(compare.Tell(value(&d), d.Code)) }
	}
	subject := table.Words("Subject", SideName(c.Subject), 0, all,
		told(func(d *compare.Dimension) *compare.Value { return &d.Subject }))
	reference := table.Words("Reference", SideName(c.Reference), 0, all,
		told(func(d *compare.Dimension) *compare.Value { return &d.Reference }))
	shift := table.Words("Shift", "Wasserstein distance: by how much values would have to move", 3, all,
		func(d compare.Dimension) string {
			if d.W1 == nil {
				return "-"
			}
			return compare.Amount(*d.W1, d.Unit)
		})
	return (&table.Table{ID: "dimensions", Title: "All dimensions"}).Fill(
		table.Words("", "", 0, all, func(d compare.Dimension) string { return verdictSign(d.Verdict) }),
		table.Words("Dimension", "", 0, all, func(d compare.Dimension) string { return d.Name }),
		subject, reference,
		number("Distance", "0: the same, 1: nothing in common", 0, func(d *compare.Dimension) *float64 { return d.Distance }),
		number("JS", "Jensen-Shannon divergence over log bins, 0 to 1", 4, func(d *compare.Dimension) *float64 {
			return d.JS
		}),
		shift,
		number("Part", "the similarity is the product of the parts", 2, func(d *compare.Dimension) *float64 {
			return d.Factor
		}),
		number("p", "of repeated runs: how well their scatter explains the difference, corrected for the number of tests", 1,
			func(d *compare.Dimension) *float64 { return d.P }),
	)
}

// verdictSign is "≠" for what differs, "=" for what does not, "~" for noise and
// "?" for what is not known.
func verdictSign(verdict string) string {
	switch verdict {
	case "differs":
		return "≠"
	case "same":
		return "="
	}
	return verdict
}

// Summary sets several sides under one another.
func Summary(rows []compare.Row) *table.Table {
	return (&table.Table{ID: "summary", Title: "Summary"}).Fill(
		table.Labels("Test", rows, func(r compare.Row) string { return visible.Text(r.Name) }),
		table.Numbers("Speed", "bytes moved by calls, those of a copy once", 0, table.Rates, rows,
			func(r compare.Row) float64 { return optional(r.Throughput) }),
		table.Words("Block", "size of a call; half of the bytes move in larger ones", 0, rows, func(r compare.Row) string {
			if r.CallSize == nil {
				return "-"
			}
			return compare.Amount(*r.CallSize, "bytes")
		}),
		table.Numbers("Depth", "mean number of calls in flight", 0, table.Plain, rows,
			func(r compare.Row) float64 { return optional(r.CallDepth) }),
		table.Words("Similarity", "to the first", 1, rows, func(r compare.Row) string {
			if r.Similarity == nil {
				return "-"
			}
			return Similarity(r.Similarity)
		}),
	)
}

// Ranking lists patterns by their similarity.
func Ranking(ranks []compare.Rank) *table.Table {
	similar, pattern, alike := table.Column{Title: "Similarity"}, table.Column{Title: "Pattern", Left: true},
		table.Column{Title: "Alike", Help: "further patterns that declare the same"}
	for _, r := range ranks {
		similar.Cells, similar.Values = append(similar.Cells, Similarity(r.Similarity)),
			append(similar.Values, optional(r.Similarity))
		pattern.Cells = append(pattern.Cells, r.Patterns[0])
		more := ""
		if n := len(r.Patterns) - 1; n > 0 {
			more = fmt.Sprintf("+%d", n)
		}
		alike.Cells = append(alike.Cells, more)
	}
	differs := table.Labels("Differs in", ranks, func(r compare.Rank) string { return strings.Join(r.Different, ", ") })
	differs.Prose = true
	for _, r := range ranks {
		differs.Whole = append(differs.Whole, differences(&r))
	}
	return (&table.Table{ID: "ranking", Title: "All patterns",
		Note: "Patterns that declare the same share a row: the number of the others is under Alike."}).Fill(
		similar, pattern, alike, differs,
	)
}

// differences are the names of the dimensions in which a pattern differs, for which a terminal has no room.
func differences(r *compare.Rank) string {
	if r.Comparison == nil {
		return strings.Join(r.Different, ", ")
	}
	var names []string
	for _, d := range r.Comparison.Different() {
		if !d.Outcome {
			names = append(names, d.Name)
		}
	}
	return strings.Join(names, ", ")
}
