package table

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/visible"
)

// A Table is filled once and written in several forms: as text, where it drops columns until it fits the terminal or
// is broken into blocks, and as Markdown and HTML, which show all columns.
type Table struct {
	ID      string // anchor on the page
	Title   string
	Note    string   // what a reader has to know to read the numbers
	Marks   []string // codes of the warnings that touch all of it
	Columns []Column
	Few     bool // summed up elsewhere: a few rows will do at first
	First   int  // rows that the page shows at first; 0: it decides
}

// Lead moves rows to the front that are of interest; the page shows these alone at first. If there are none, or no
// others, nothing changes.
func (t *Table) Lead(interesting func(row int) bool) *Table {
	var first, rest []int
	for i := range t.Rows() {
		if interesting(i) {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	if len(first) == 0 || len(rest) == 0 {
		return t
	}
	t.First = len(first)
	order := append(first, rest...)
	for k := range t.Columns {
		c := &t.Columns[k]
		c.Cells = reordered(c.Cells, order)
		if c.Whole != nil {
			c.Whole = reordered(c.Whole, order)
		}
		if c.Values != nil {
			c.Values = reordered(c.Values, order)
		}
	}
	return t
}

func reordered[T any](list []T, order []int) []T {
	out := make([]T, len(order))
	for i, k := range order {
		out[i] = list[k]
	}
	return out
}

// A Column has one unit for all its cells, stated in its title.
type Column struct {
	Title   string
	Help    string // hint shown over the title on the page
	Left    bool   // left-aligned: names; numbers are right-aligned
	Elastic bool   // names, shortened to fit
	Marks   bool   // references to warnings
	Prose   bool   // an elastic column of sentences, not of names
	Rank    int    // 0 stays; of the others the highest goes first when the terminal is narrow
	Cells   []string
	Whole   []string  // what a page has instead, which has the room; nil for the cells
	Below   []string  // what a page has in a second line of each cell, smaller; nil for nothing
	Values  []float64 // what the page sorts by; nil for names
}

func (t *Table) add(c Column) { t.Columns = append(t.Columns, c) }

// Rows is the number of rows.
func (t *Table) Rows() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return len(t.Columns[0].Cells)
}

// Numbers makes a column of numbers at one scale, which the largest of them
// decides and the title states. A column in which no number is known is left
// out of the table: it has no cells.
func Numbers[T any](title, help string, rank int, family []Scale, rows []T, value func(T) float64) Column {
	return Alike(family, rows, quantity[T]{title, help, rank, value})[0]
}

// numbers are a quantity of all rows.
type numbers struct {
	title, help string
	rank        int
	values      []float64
}

// column is that of the numbers at a scale; without cells if none is known.
func (n numbers) column(s Scale) Column {
	c := Column{Title: strings.TrimSpace(n.title + " " + s.Unit), Help: n.help, Rank: n.rank, Values: n.values}
	if !slices.ContainsFunc(n.values, func(v float64) bool { return v >= 0 }) {
		return Column{}
	}
	for _, v := range n.values {
		c.Cells = append(c.Cells, s.Format(v))
	}
	return c
}

// Identifiers makes a right-aligned column of numbers that name something, such as
// processes: they are no quantities. A negative one is not known.
func Identifiers[T any](title, help string, rank int, rows []T, id func(T) int64) Column {
	c := Column{Title: title, Help: help, Rank: rank}
	for _, n := range each(rows, id) {
		text := "-"
		if n >= 0 {
			text = strconv.FormatInt(n, 10)
		}
		c.Values, c.Cells = append(c.Values, float64(n)), append(c.Cells, text)
	}
	if len(rows) == 0 {
		return Column{}
	}
	return c
}

// A quantity is a column of numbers that has not got its scale yet.
type quantity[T any] struct {
	title, help string
	rank        int
	value       func(T) float64
}

// Of is a column of numbers that alike gives its scale.
func Of[T any](title, help string, rank int, value func(T) float64) quantity[T] {
	return quantity[T]{title, help, rank, value}
}

// Alike makes columns of numbers that a reader compares with each other, so
// they have one scale: read and write, from and to.
func Alike[T any](family []Scale, rows []T, quantities ...quantity[T]) []Column {
	var list []numbers
	for _, q := range quantities {
		list = append(list, numbers{q.title, q.help, q.rank, each(rows, q.value)})
	}
	return alike(family, list)
}

// alike is what columns of any rows share: each type of them has code of its own.
func alike(family []Scale, list []numbers) (out []Column) {
	var all []float64
	for _, n := range list {
		all = append(all, n.values...)
	}
	s := scaleOf(family, all)
	for _, n := range list {
		out = append(out, n.column(s))
	}
	return out
}

// each is a value of each row.
func each[T, V any](rows []T, value func(T) V) (all []V) {
	for _, r := range rows {
		all = append(all, value(r))
	}
	return all
}

// longestWord is what a device name or a method may take of a line.
const longestWord = 24

// Words makes a left-aligned column of short words, which does not give way; a
// column without any word is left out. Names of the traced machine have to be
// printable already.
func Words[T any](title, help string, rank int, rows []T, word func(T) string) Column {
	return words(longestWord, title, help, rank, each(rows, word))
}

// Phrases is words for longer ones.
func Phrases[T any](title, help string, rank int, rows []T, word func(T) string) Column {
	return words(3*longestWord, title, help, rank, each(rows, word))
}

func words(most int, title, help string, rank int, all []string) Column {
	c := Column{Title: title, Help: help, Rank: rank, Left: true, Whole: all}
	said := false
	for _, whole := range all {
		w := visible.Shorten(whole, most)
		said = said || w != ""
		c.Cells = append(c.Cells, w)
	}
	if !said {
		return Column{}
	}
	return c
}

// Labels makes the left-aligned column of names, which gives way.
func Labels[T any](title string, rows []T, name func(T) string) Column {
	return Column{Title: title, Left: true, Elastic: true, Cells: each(rows, name)}
}

// Fill adds the columns that have cells.
func (t *Table) Fill(columns ...Column) *Table {
	for _, c := range columns {
		if c.Cells != nil {
			t.add(c)
		}
	}
	return t
}
