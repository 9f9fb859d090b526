// Package column lays out events of one kind as columns: the same field of all of
// them lies together, each value as the difference to what was to be expected.
package column

// A Table is how events of one kind are laid out in a frame: one section per
// column, in order. Columns are only ever added at the end; a reader skips
// those it does not know and leaves the fields of missing ones zero.
type Table[T any] []Column[T]

// A Column of numbers is an integers[T]; others are whole.
type Column[T any] interface {
	append(e *Encoder, rows []T)
}

// whole is a column of something else than one number a row.
type whole[T any] interface {
	read(d *Decoder, b []byte, rows []T) error
}

// Numeric reports whether all columns are numbers.
func Numeric[T any](t Table[T]) bool {
	for _, c := range t {
		if _, ok := c.(whole[T]); ok {
			return false
		}
	}
	return true
}

// Append appends all columns of rows.
func Append[T any](e *Encoder, t Table[T], rows []T) {
	for _, c := range t {
		e.Section(func() { c.append(e, rows) })
	}
}

// Read fills rows, and shows each stretch of them to filled if that is not
// nil. At least so many columns have to be there.
func Read[T any](d *Decoder, t Table[T], first int, b []byte, rows []T, filled func([]T)) error {
	bodies, err := d.sections(b, len(t))
	if err != nil || len(bodies) < min(first, len(t)) && len(rows) > 0 {
		return errSection
	}
	for len(d.columns) < len(t) {
		d.columns = append(d.columns, numbers{})
	}
	for i, body := range bodies {
		if c, ok := t[i].(*integers[T]); ok {
			if err := c.decode(d, body, &d.columns[i], len(rows)); err != nil {
				return err
			}
		}
	}
	blank, varied := alike(d, t[:len(bodies)])
	for at := 0; at < len(rows); at += blockRows {
		block := rows[at:min(at+blockRows, len(rows))]
		for i := range block {
			block[i] = blank
		}
		for _, i := range varied {
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

// alike is a row with the fields that have the same value in all rows, and the columns of numbers that are left: they
// differ from row to row, or depend on those that do.
func alike[T any](d *Decoder, t Table[T]) (row T, varied []int) {
	d.varied = d.varied[:0]
	one := []T{row}
	for i := range t {
		c, ok := t[i].(*integers[T])
		switch x := &d.columns[i]; {
		case !ok:
		case c.plain && x.of == nil:
			c.store(one, x.block[:1])
		default:
			d.varied = append(d.varied, i)
		}
	}
	return one[0], d.varied
}
