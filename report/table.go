package report

import (
	"math"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// A table is filled once and written twice: as text, where it drops columns
// until it fits the terminal, and as HTML, where all columns are shown.
type table struct {
	id      string // anchor on the page
	title   string
	note    string // what a reader has to know to read the numbers
	columns []column
	few     bool // summed up elsewhere: a few rows will do at first
}

// A column has one unit for all its cells, stated in its title.
type column struct {
	title   string
	help    string // hint shown over the title on the page
	left    bool   // left-aligned: names; numbers are right-aligned
	elastic bool   // names, shortened to fit
	marks   bool   // references to warnings
	prose   bool   // an elastic column of sentences, not of names
	rank    int    // 0 stays; of the others the highest goes first when the terminal is narrow
	cells   []string
	values  []float64 // what the page sorts by; nil for names
}

func (t *table) add(c column) { t.columns = append(t.columns, c) }

// rows is the number of rows.
func (t *table) rows() int {
	if len(t.columns) == 0 {
		return 0
	}
	return len(t.columns[0].cells)
}

// numbers makes a column of numbers at one scale, which the largest of them
// decides and the title states. A column in which no number is known is left
// out of the table: it has no cells.
func numbers[T any](title, help string, rank int, family []scale, rows []T, value func(T) float64) column {
	return alike(family, rows, quantity[T]{title, help, rank, value})[0]
}

func numbersAt[T any](s scale, title, help string, rank int, rows []T, value func(T) float64) column {
	c := column{title: title, help: help, rank: rank}
	known := false
	for _, r := range rows {
		v := value(r)
		known = known || v >= 0
		c.values, c.cells = append(c.values, v), append(c.cells, s.format(v))
	}
	if !known {
		return column{}
	}
	c.title = strings.TrimSpace(title + " " + s.unit)
	return c
}

// A quantity is a column of numbers that has not got its scale yet.
type quantity[T any] struct {
	title, help string
	rank        int
	value       func(T) float64
}

// alike makes columns of numbers that a reader compares with each other, so
// they have one scale: read and write, from and to.
func alike[T any](family []scale, rows []T, quantities ...quantity[T]) []column {
	var all []float64
	for _, q := range quantities {
		for _, r := range rows {
			all = append(all, q.value(r))
		}
	}
	s := scaleOf(family, all)
	var out []column
	for _, q := range quantities {
		out = append(out, numbersAt(s, q.title, q.help, q.rank, rows, q.value))
	}
	return out
}

// longestWord is what a device name or a method may take of a line.
const longestWord = 24

// words makes a left-aligned column of short words, which does not give way; a
// column without any word is left out. Names of the traced machine have to be
// printable already.
func words[T any](title, help string, rank int, rows []T, word func(T) string) column {
	return wordsUpTo(longestWord, title, help, rank, rows, word)
}

// phrases is words for longer ones.
func phrases[T any](title, help string, rank int, rows []T, word func(T) string) column {
	return wordsUpTo(3*longestWord, title, help, rank, rows, word)
}

func wordsUpTo[T any](most int, title, help string, rank int, rows []T, word func(T) string) column {
	c := column{title: title, help: help, rank: rank, left: true}
	said := false
	for _, r := range rows {
		w := shorten(word(r), most)
		said = said || w != ""
		c.cells = append(c.cells, w)
	}
	if !said {
		return column{}
	}
	return c
}

// labels makes the left-aligned column of names, which gives way.
func labels[T any](title string, rows []T, name func(T) string) column {
	c := column{title: title, left: true, elastic: true}
	for _, r := range rows {
		c.cells = append(c.cells, name(r))
	}
	return c
}

// marks makes the column that refers to the warnings by number: "!1". It is
// left out if no row has one.
func (n notes) column(count int, codes func(i int) []string) column {
	c := column{left: true, marks: true}
	any := false
	for i := range count {
		m := n.mark(codes(i))
		any = any || m != ""
		c.cells = append(c.cells, m)
	}
	if !any {
		return column{}
	}
	return c
}

// fill adds the columns that have cells.
func (t *table) fill(columns ...column) *table {
	for _, c := range columns {
		if c.cells != nil {
			t.add(c)
		}
	}
	return t
}

// Accessors that every table needs. A flow that did not occur is unknown, not
// zero: the cell stays "-".

func flowBytes(f *profile.Flow) float64 {
	return flow(f, func(f *profile.Flow) float64 { return float64(f.Bytes) })
}

func flow(f *profile.Flow, value func(*profile.Flow) float64) float64 {
	if f == nil || f.Count == 0 {
		return -1
	}
	return value(f)
}

// ratio is a/b, NaN if b is not positive.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return math.NaN()
	}
	return a / b
}
