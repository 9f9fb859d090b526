package column

import "slices"

// loaded are the numbers of columns, taken out of the rows of a table some rows at a time: all rows are more than the
// caches of a processor hold, and each column would be a pass over them.
type loaded struct {
	of   [][]uint64 // by column, of the table that is appended and of those that it is a list in
	used int        // columns of these tables
	now  []int      // columns that are taken out of the rows
}

// begin makes room for the columns of a table, until its end.
func (l *loaded) begin(columns int) (of [][]uint64, end func()) {
	before := l.used
	l.used += columns
	for len(l.of) < l.used {
		l.of = append(l.of, nil)
	}
	return l.of[before:l.used:l.used], func() { l.used = before }
}

// load takes the columns of numbers that are wanted out of the rows.
func load[T any](e *Encoder, t Table[T], rows []T, of [][]uint64, wanted func(*integers[T]) bool) {
	now := e.loaded.now[:0]
	for i, c := range t {
		if c, ok := c.(*integers[T]); ok && wanted(c) {
			of[i] = slices.Grow(of[i][:0], len(rows))[:len(rows)]
			now = append(now, i)
		}
	}
	for at := 0; at < len(rows); at += blockRows {
		block := rows[at:min(at+blockRows, len(rows))]
		for _, i := range now {
			t[i].(*integers[T]).load(block, of[i][at:])
		}
	}
	e.loaded.now = now
}
