package tracefile

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// A Table is how events of one kind are laid out in a frame: one section per
// column, in order. Columns are only ever added at the end; a reader skips
// those it does not know and leaves the fields of missing ones zero.
type table[T any] []column[T]

// A Column of numbers is an integers[T]; others are whole.
type column[T any] interface {
	append(e *columnEncoder, rows []T, v []uint64) // v has the numbers of the column, if it is one of numbers
}

// whole is a column of something else than one number a row.
type whole[T any] interface {
	read(d *columnDecoder, b []byte, rows []T) error
}

// numeric reports whether all columns are numbers.
func numeric[T any](t table[T]) bool {
	for _, c := range t {
		if _, ok := c.(whole[T]); ok {
			return false
		}
	}
	return true
}

// appendRows appends all columns of rows.
func appendRows[T any](e *columnEncoder, t table[T], rows []T) {
	numbers, end := e.begin(len(t))
	defer end()
	load(t, rows, numbers, func(c *integers[T]) bool { return c.predict != FromContext })
	compared := false
	for i, c := range t {
		if c, ok := c.(*integers[T]); ok {
			if c.key {
				e.contexts.add(numbers[i])
			}
			compared = compared || c.predict == FromContext
		}
	}
	if compared {
		e.changes = changed(e.changes, rows, e.contexts.rows(), e.contexts.first)
		load(t, rows, numbers, func(c *integers[T]) bool { return c.predict == FromContext && !c.steady(e.changes) })
	}
	for i, c := range t {
		e.Section(func() { c.append(e, rows, numbers[i]) })
	}
}

// load takes the numbers of the wanted columns out of the rows, some rows at a time: all of them are more than the
// caches of a processor hold, and each column would be a pass over them.
func load[T any](t table[T], rows []T, numbers [][]uint64, wanted func(*integers[T]) bool) {
	now := make([]int, 0, len(t))
	for i, c := range t {
		if c, ok := c.(*integers[T]); ok && wanted(c) {
			numbers[i] = slices.Grow(numbers[i], len(rows))[:len(rows)]
			now = append(now, i)
		}
	}
	for at := 0; at < len(rows); at += blockRows {
		block := rows[at:min(at+blockRows, len(rows))]
		for _, i := range now {
			t[i].(*integers[T]).load(block, numbers[i][at:])
		}
	}
}

// readRows fills rows, and shows each stretch of them to filled if that is not
// nil. At least so many columns have to be there.
func readRows[T any](d *columnDecoder, t table[T], first int, b []byte, rows []T, filled func([]T)) error {
	bodies, err := d.sections(b, len(t))
	if err != nil || len(bodies) < min(first, len(t)) && len(rows) > 0 {
		return errSection
	}
	for len(d.columns) < len(t) {
		d.columns = append(d.columns, numbers{})
	}
	blank, err := decode(d, t[:len(bodies)], bodies, len(rows))
	if err != nil {
		return err
	}
	like := newResemblance(d, t, rows, blank)
	for at := 0; at < len(rows); at += blockRows {
		block := rows[at:min(at+blockRows, len(rows))]
		if err := like.fill(at, len(block)); err != nil {
			return err
		}
		for _, i := range d.varied {
			t[i].(*integers[T]).fill(block, &d.columns[i], at)
		}
		if filled != nil {
			filled(block)
		}
	}
	for i, body := range bodies {
		if c, ok := t[i].(whole[T]); ok {
			if err := c.read(d, body, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// decode reads the columns of numbers of n rows. What has the same value in all of them is in the row that it returns;
// the other columns are those that vary from row to row, and those that are kept from one row to what resembles it.
func decode[T any](d *columnDecoder, t table[T], bodies [][]byte, n int) (row T, err error) {
	d.varied, d.kept = d.varied[:0], d.kept[:0]
	one := []T{row}
	for i, body := range bodies {
		c, ok := t[i].(*integers[T])
		if !ok {
			continue
		}
		x := &d.columns[i]
		steady := c.plain || c.relative && !among(t, d.varied, c.than)
		if err := c.decode(d, body, x, n, steady); err != nil {
			return row, err
		}
		switch {
		case !steady || x.of != nil:
			d.varied = append(d.varied, i)
		case x.kept || c.relative && among(t, d.kept, c.than):
			d.kept = append(d.kept, i)
		default:
			c.store(one, x.block[:1])
		}
	}
	return one[0], nil
}

// among reports whether one of some columns is that of a field.
func among[T any](t table[T], columns []int, at uintptr) bool {
	for _, i := range columns {
		if t[i].(*integers[T]).at == at {
			return true
		}
	}
	return false
}

// What a frame holds at most. The writer keeps to it; for the reader it bounds what
// a damaged or hostile file can make it allocate. See docs/trace-format.md.
const (
	MaxRows  = 32 << 10 // events
	MaxItems = 64 << 10 // list items (Extents, Parents)
	MaxText  = 64 << 10 // bytes of one string; longer ones are cut
)

// list is a column of lists: how many items each row has, then a table of all
// the items.
type list[T, C any] struct {
	At    func(*T) *[]C
	Items func(*trace.Batch) *[]C // where the batch keeps them
	Table table[C]
}

func (c list[T, C]) append(e *columnEncoder, rows []T, _ []uint64) {
	counts := e.scratch(len(rows))
	var all []C
	for i := range rows {
		items := *c.At(&rows[i])
		counts[i] = uint64(len(items))
		all = append(all, items...)
	}
	e.Section(func() { e.integers(counts, FromZero) })
	appendRows(e, c.Table, all)
}

func (c list[T, C]) read(d *columnDecoder, b []byte, rows []T) error {
	countColumn, b, err := section(b)
	if err != nil {
		return err
	}
	counts := d.scratch(len(rows))
	if err := readIntegers(countColumn, counts, nil); err != nil {
		return err
	}
	total := uint64(0)
	for _, n := range counts {
		if n > MaxItems || total+n > MaxItems {
			return errRange
		}
		total += n
	}
	all := c.Items(d.Batch)
	start := len(*all)
	*all = append(*all, make([]C, total)...)
	rest := (*all)[start:]
	for i, n := range counts {
		if n > 0 {
			*c.At(&rows[i]) = rest[:n:n]
			rest = rest[n:]
		}
	}
	return readRows(d, c.Table, 1, b, (*all)[start:], nil)
}
