package table

import (
	"io"
	"strings"

	"github.com/iotrace/iotrace/internal/visible"
)

// Rows makes a table of rows of text, the first of which is its head. In a row that is too short the last cells are
// empty. The first column says what a row is about; it is left-aligned, and the others are if left is set.
func Rows(left bool, rows ...[]string) *Table {
	t := &Table{}
	if len(rows) == 0 {
		return t
	}
	for k, title := range rows[0] {
		c := Column{Title: title, Left: left || k == 0, Cells: make([]string, len(rows)-1)}
		for i, row := range rows[1:] {
			if k < len(row) {
				c.Cells[i] = row[k]
			}
		}
		t.add(c)
	}
	return t
}

// Lines are those of the whole table: its head, unless no column has a title, and a line for each row. All are as wide
// as the table.
func (t *Table) Lines() (lines []string) {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = c.width(t.Rows())
	}
	if head := line(t.Columns, widths, title); strings.TrimSpace(head) != "" {
		lines = append(lines, head)
	}
	for r := range t.Rows() {
		lines = append(lines, line(t.Columns, widths, at(r)))
	}
	return lines
}

// Blocks prints a table in as many blocks as it takes to be no wider than width. Each begins with the first column, and
// rows without any text in them are left out.
func (t *Table) Blocks(b *strings.Builder, width int) {
	for from := 1; from < len(t.Columns); {
		next, used := from, t.Columns[0].width(t.Rows())
		for ; next < len(t.Columns); next++ {
			if used += gap + t.Columns[next].width(t.Rows()); used > width && next > from {
				break
			}
		}
		block := &Table{Columns: append([]Column{t.Columns[0]}, t.Columns[from:next]...)}
		for _, line := range block.Lines() {
			if line = strings.TrimRight(line, " "); line != "" {
				b.WriteString(line + "\n")
			}
		}
		b.WriteByte('\n')
		from = next
	}
}

// Markdown prints all of it. Cells may hold anything; of the first column they are left-aligned.
func (t *Table) Markdown(b *strings.Builder) {
	if len(t.Columns) == 0 {
		return
	}
	row := func(cell func(Column) string) {
		for _, c := range t.Columns {
			b.WriteString("| " + visible.Markdown(strings.TrimSpace(cell(c))) + " ")
		}
		b.WriteString("|\n")
	}
	row(title)
	b.WriteString("|---|" + strings.Repeat("---:|", len(t.Columns)-1) + "\n")
	for r := range t.Rows() {
		row(at(r))
	}
}

// CSV writes rows of comma-separated values, the first of which is the head.
func CSV(w io.Writer, rows [][]string) error {
	c := visible.NewCSV(w)
	for _, row := range rows {
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

func title(c Column) string { return c.Title }

// at is the cell of a row.
func at(row int) func(Column) string { return func(c Column) string { return c.Cells[row] } }

// line is the head or a row of columns side by side. Cells that are wider than their column are shortened.
func line(columns []Column, widths []int, cell func(Column) string) string {
	var l strings.Builder
	for i, c := range columns {
		s := visible.Shorten(cell(c), widths[i])
		pad := strings.Repeat(" ", widths[i]-visible.Width(s))
		if i > 0 {
			l.WriteString(strings.Repeat(" ", gap))
		}
		if c.Left {
			l.WriteString(s + pad)
		} else {
			l.WriteString(pad + s)
		}
	}
	return l.String()
}
