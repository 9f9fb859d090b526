package report

import (
	"slices"
	"strings"
)

// gap is the blank between two columns of text.
const gap = 2

// write prints at most limit rows of the table (all if limit is 0), no wider
// than width as far as its names can give way.
func (t *table) write(b *strings.Builder, ink ink, width, limit int) {
	rows := t.rows()
	if limit > 0 && rows > limit {
		rows = limit
	}
	columns := t.fitting(width, rows)
	widths := make([]int, len(columns))
	used := gap * (len(columns) - 1)
	for i, c := range columns {
		widths[i] = c.width(rows)
		used += widths[i]
	}
	for i, c := range columns {
		if c.elastic && used > width {
			fit := max(min(widths[i], elasticMin), widths[i]-(used-width))
			used -= widths[i] - fit
			widths[i] = fit
		}
	}
	line := func(cell func(c column) string) string {
		var l strings.Builder
		for i, c := range columns {
			s := shorten(cell(c), widths[i])
			pad := strings.Repeat(" ", widths[i]-cells(s))
			if i > 0 {
				l.WriteString(strings.Repeat(" ", gap))
			}
			if c.left {
				l.WriteString(s + pad)
			} else {
				l.WriteString(pad + s)
			}
		}
		return strings.TrimRight(l.String(), " ")
	}
	b.WriteString(ink.faint(line(func(c column) string { return c.title })) + "\n")
	for r := range rows {
		b.WriteString(line(func(c column) string { return c.cells[r] }) + "\n")
	}
	if left := t.rows() - rows; left > 0 {
		b.WriteString(ink.faint("… and "+some(int64(left), "further row")) + "\n")
	}
}

// elasticMin is the width that a column of names keeps: enough to tell files
// apart by the ends of their names.
const elasticMin = 24

// fitting are the columns that fit the width: those of the highest rank go
// first, until the names have room.
func (t *table) fitting(width, rows int) []column {
	columns := slices.Clone(t.columns)
	for {
		used, worst := gap*(len(columns)-1), -1
		for i, c := range columns {
			w := c.width(rows)
			if c.elastic {
				w = min(w, elasticMin)
			}
			used += w
			if c.rank > 0 && (worst < 0 || c.rank >= columns[worst].rank) {
				worst = i
			}
		}
		if used <= width || worst < 0 {
			return columns
		}
		columns = slices.Delete(columns, worst, worst+1)
	}
}

func (c column) width(rows int) int {
	w := cells(c.title)
	for _, s := range c.cells[:rows] {
		w = max(w, cells(s))
	}
	return w
}
