package table

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// gap is the blank between two columns of text.
const gap = 2

// Write prints at most limit rows of the table (all if limit is 0), no wider
// than width as far as its names can give way.
func (t *Table) Write(b *strings.Builder, faint func(string) string, width, limit int) {
	rows := t.Rows()
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
		if c.Elastic && used > width {
			fit := max(min(widths[i], elasticMin), widths[i]-(used-width))
			used -= widths[i] - fit
			widths[i] = fit
		}
	}
	write := func(dress func(string) string, cell func(Column) string) {
		b.WriteString(dress(strings.TrimRight(line(columns, widths, cell), " ")) + "\n")
	}
	write(faint, title)
	for r := range rows {
		write(func(s string) string { return s }, at(r))
	}
	if left := t.Rows() - rows; left > 0 {
		b.WriteString(faint("… and "+unit.Things(int64(left), "further row")) + "\n")
	}
}

// elasticMin is the width that a column of names keeps: enough to tell files
// apart by the ends of their names.
const elasticMin = 24

// fitting are the columns that fit the width: those of the highest rank go
// first, until the names have room.
func (t *Table) fitting(width, rows int) []Column {
	columns := slices.Clone(t.Columns)
	for {
		used, worst := gap*(len(columns)-1), -1
		for i, c := range columns {
			w := c.width(rows)
			if c.Elastic {
				w = min(w, elasticMin)
			}
			used += w
			if c.Rank > 0 && (worst < 0 || c.Rank >= columns[worst].Rank) {
				worst = i
			}
		}
		if used <= width || worst < 0 {
			return columns
		}
		columns = slices.Delete(columns, worst, worst+1)
	}
}

func (c Column) width(rows int) int {
	w := visible.Width(c.Title)
	for _, s := range c.Cells[:rows] {
		w = max(w, visible.Width(s))
	}
	return w
}
