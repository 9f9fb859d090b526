package page

import (
	"math"
	"slices"
	"strconv"

	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/table"
)

// A tableView is a table as the page needs it: row by row.
type tableView struct {
	ID, Title, Note, Mark string
	Head                  []headView
	Rows                  [][]cellView
	First                 int    // rows shown at once; the others are a click away
	Found                 bool   // a search looks into it
	More                  string // how many rows are left out
	Folded                bool   // shown once somebody asks for it
	Desk                  bool   // so on a telephone alone
	Inside                string // what is in it, said where it is folded
}

type headView struct {
	Title, Help string
	Left, Sorts bool
}

type cellView struct {
	Text  string
	Full  string // shown as a hint, if Text is cut
	Value string // what it sorts by, if not its text
	Left  bool
	Name  bool
	Prose bool
	None  bool   // nothing known: printed faintly
	Mark  string // of the row, beside its name
}

// The bounds that keep a page small whatever was recorded: of a table so many rows, and so
// many bytes of text, which are packed to a fifth or less.
const (
	maxTableRows = 20_000
	maxTableText = 1_000_000
	maxNameCells = 160
	firstRows    = 25
)

func view(t *table.Table, mark string) *tableView {
	v := &tableView{ID: t.ID, Title: t.Title, Note: t.Note, Mark: mark}
	n := fitting(t)
	if left := t.Rows() - n; left > 0 {
		v.More = unit.Things(int64(left), "further row") + " left out"
	}
	v.Rows, v.First = make([][]cellView, n), firstRows
	if t.Few {
		v.First = content.FewCopies
	}
	if t.First > 0 && t.First < v.First {
		v.First = min(t.First, n)
	} else if n <= v.First+5 {
		v.First = n
	}
	for r := range v.Rows {
		v.Rows[r] = make([]cellView, 0, len(t.Columns))
	}
	marks := make([]string, n)
	for _, c := range namesFirst(t) {
		if c.Marks {
			copy(marks, c.Cells)
			continue
		}
		v.Head = append(v.Head, headView{c.Title, c.Help, c.Left, c.Title != ""})
		for r := range n {
			cell := cellView{Text: c.Cells[r], Left: c.Left, Name: c.Elastic, Prose: c.Prose, None: c.Cells[r] == "-"}
			if c.Whole != nil && !cell.None {
				cell.Text = c.Whole[r]
			}
			if c.Elastic {
				cell.Mark = marks[r]
			}
			if cut := visible.Shorten(cell.Text, maxNameCells); cut != cell.Text {
				cell.Text, cell.Full = cut, visible.Shorten(cell.Text, 2*maxNameCells)
			}
			if c.Values != nil {
				cell.Value = sortKey(c.Values[r])
			}
			v.Rows[r] = append(v.Rows[r], cell)
		}
	}
	return v
}

// fitting is how many rows of a table a page has.
func fitting(t *table.Table) int {
	n := min(t.Rows(), maxTableRows)
	for r, text := 0, 0; r < n; r++ {
		for _, c := range t.Columns {
			cell := c.Cells[r]
			if c.Whole != nil {
				cell = c.Whole[r]
			}
			text += min(len(cell), 2*maxNameCells)
		}
		if text > maxTableText && r >= firstRows {
			return r
		}
	}
	return n
}

// namesFirst are the columns in the order of a page, which has the room to begin
// with what a row is about: the marks, the names, then the rest.
func namesFirst(t *table.Table) []table.Column {
	order := slices.Clone(t.Columns)
	rank := func(c table.Column) int {
		switch {
		case c.Marks:
			return 0
		case c.Elastic && !c.Prose:
			return 1
		}
		return 2
	}
	sorting.Stably(order, func(a, b table.Column) int { return rank(a) - rank(b) })
	return order
}

// sortKey sorts unknown values below all others.
func sortKey(v float64) string {
	if math.IsNaN(v) || v < 0 {
		return "-1"
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
