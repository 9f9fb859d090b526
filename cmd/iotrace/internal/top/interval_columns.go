package top

import (
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// Column is one of a table of T. Its numbers have one unit, so that they can be compared from row to row.
type Column[T any] struct {
	Title string
	Width int                        // with the gap before it; 0: what the others leave
	Value func(x T, s float64) Value // s: seconds of the interval
}

// Value is a cell, and what it is sorted by; text alone is sorted by its letters.
type Value struct {
	Text   string
	Number float64
}

// unknown is the cell of what is not known.
var unknown = Value{"-", -1}

func name(s string) Value { return Value{visible.Text(s), 0} }

// megabytes is a rate in MB/s.
func megabytes(bytes int64, seconds float64) Value {
	mb := float64(bytes) / 1e6 / seconds
	return Value{short(mb), mb}
}

func intervalRate(n int64, seconds float64) Value {
	v := float64(n) / seconds
	return Value{short(v), v}
}

// short prints a number with one decimal where there is room for it.
func short(v float64) string {
	switch {
	case v == 0:
		return "0"
	case v < 0.05:
		return "<0.1"
	case v < 99.95:
		return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
	case v < 99_999.5:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v < 9_999_500:
		return strconv.FormatFloat(v/1000, 'f', 0, 64) + "k"
	}
	return strconv.FormatFloat(v/1e6, 'f', 0, 64) + "M"
}

func percent(share float64) Value { return Value{short(share*100) + "%", share} }

func latencyOf(l *Latency, of func(*Latency) int64) Value {
	if l == nil {
		return unknown
	}
	return span(of(l))
}

func span(ns int64) Value {
	return Value{strings.Replace(unit.Nanoseconds(ns), " ", "", 1), float64(ns)}
}

func block(bytes int64) Value {
	if bytes == 0 {
		return unknown
	}
	return Value{strings.Replace(unit.BlockSize(bytes), " ", "", 1), float64(bytes)}
}

// Widths are those of the columns in a line of a width: one of them takes what the others leave.
func Widths[T any](columns []Column[T], width int) []int {
	widths, rest := make([]int, len(columns)), width
	for i, c := range columns {
		widths[i] = c.Width
		rest -= c.Width
	}
	for i, c := range columns {
		if c.Width == 0 {
			widths[i] = max(rest, 8)
		}
	}
	return widths
}

// Cell is text as wide as its column: names begin at the left, what is counted ends at the right.
func Cell(text string, width int, left bool) string {
	room := width - 1
	if left {
		text = visible.Shorten(text, room)
		return text + strings.Repeat(" ", max(width-visible.Width(text), 0))
	}
	text = visible.Shorten(text, room)
	return strings.Repeat(" ", max(width-visible.Width(text), 0)) + text
}

// Head is the line of titles.
func Head[T any](columns []Column[T], width int) string {
	var b strings.Builder
	for i, w := range Widths(columns, width) {
		b.WriteString(Cell(columns[i].Title, w, columns[i].Width == 0))
	}
	return b.String()
}

// Row is a line of a table.
func Row[T any](columns []Column[T], x T, seconds float64, width int) string {
	var b strings.Builder
	for i, w := range Widths(columns, width) {
		b.WriteString(Cell(columns[i].Value(x, seconds).Text, w, columns[i].Width == 0))
	}
	return b.String()
}
