package report

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/compare"
)

// optional is the number or -1, which tables print as unknown.
func optional(v *float64) float64 {
	if v == nil {
		return -1
	}
	return *v
}

// dimensionTable holds every dimension with its two values and distances.
func dimensionTable(c *compare.Comparison) *table {
	all := c.Dimensions
	number := func(title, help string, rank int, value func(*compare.Dimension) *float64) column {
		col := column{title: title, help: help, rank: rank}
		for i := range all {
			v := value(&all[i])
			text := "-"
			if v != nil {
				text = fmt.Sprintf("%.2f", *v)
			}
			col.cells, col.values = append(col.cells, text), append(col.values, optional(v))
		}
		return col
	}
	told := func(value func(*compare.Dimension) *compare.Value) func(compare.Dimension) string {
		return func(d compare.Dimension) string { return printable(compare.Tell(value(&d), d.Code)) }
	}
	subject := words("Subject", nameOf(c.Subject), 0, all, told(func(d *compare.Dimension) *compare.Value { return &d.Subject }))
	reference := words("Reference", nameOf(c.Reference), 0, all, told(func(d *compare.Dimension) *compare.Value { return &d.Reference }))
	shift := words("Shift", "Wasserstein distance: by how much values would have to move", 3, all, func(d compare.Dimension) string {
		if d.W1 == nil {
			return "-"
		}
		return compare.Amount(*d.W1, d.Unit)
	})
	return (&table{id: "dimensions", title: "All dimensions"}).fill(
		words("", "", 0, all, func(d compare.Dimension) string { return verdictSign(d.Verdict) }),
		words("Dimension", "", 0, all, func(d compare.Dimension) string { return d.Name }),
		subject, reference,
		number("Distance", "0: the same, 1: nothing in common", 0, func(d *compare.Dimension) *float64 { return d.Distance }),
		number("JS", "Jensen-Shannon divergence over log bins, 0 to 1", 4, func(d *compare.Dimension) *float64 { return d.JS }),
		shift,
		number("Part", "the similarity is the product of the parts", 2, func(d *compare.Dimension) *float64 { return d.Factor }),
		number("p", "of repeated runs: how well their scatter explains the difference, corrected for the number of tests", 1, func(d *compare.Dimension) *float64 { return d.P }),
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

// summaryTable sets several sides under one another.
func summaryTable(rows []compare.Row) *table {
	return (&table{id: "summary", title: "Summary"}).fill(
		labels("Test", rows, func(r compare.Row) string { return printable(r.Name) }),
		numbers("Speed", "bytes moved by calls, those of a copy once", 0, rates, rows, func(r compare.Row) float64 { return optional(r.Throughput) }),
		words("Block", "size of a call; half of the bytes move in larger ones", 0, rows, func(r compare.Row) string {
			if r.CallSize == nil {
				return "-"
			}
			return compare.Amount(*r.CallSize, "bytes")
		}),
		numbers("Depth", "mean number of calls in flight", 0, plain, rows, func(r compare.Row) float64 { return optional(r.CallDepth) }),
		words("Similarity", "to the first", 1, rows, func(r compare.Row) string {
			if r.Similarity == nil {
				return "-"
			}
			return similarity(r.Similarity)
		}),
	)
}

// rankTable lists patterns by their similarity.
func rankTable(ranks []compare.Rank) *table {
	similar, pattern, alike := column{title: "Similarity"}, column{title: "Pattern", left: true}, column{title: "Alike", help: "further patterns that declare the same"}
	for _, r := range ranks {
		similar.cells, similar.values = append(similar.cells, similarity(r.Similarity)), append(similar.values, optional(r.Similarity))
		pattern.cells = append(pattern.cells, r.Patterns[0])
		more := ""
		if n := len(r.Patterns) - 1; n > 0 {
			more = fmt.Sprintf("+%d", n)
		}
		alike.cells = append(alike.cells, more)
	}
	return (&table{id: "ranking", title: "All patterns", note: "Patterns that declare the same share a row: the number of the others is under Alike."}).fill(
		similar, pattern, alike, labels("Differs in", ranks, func(r compare.Rank) string { return strings.Join(r.Different, ", ") }),
	)
}
