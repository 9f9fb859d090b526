package trace

import "slices"

// decoder reads the payload of one frame.
type decoder struct {
	batch    *Batch // keeps the items of lists
	values   []uint64
	columns  []numbers // of the table that is being read
	contexts contexts
	texts    uint64 // bytes of the texts that were read
	sieve    sieve
}

// numbers are the values of a column.
type numbers struct {
	of    []uint64          // one for each row; nil if all are the same
	room  []uint64          // for them, kept for later frames
	block [blockRows]uint64 // of the same, if all are
}

// repeat makes all values x.
func (n *numbers) repeat(x uint64) {
	for i := range n.block {
		n.block[i] = x
	}
}

// blockRows is how many rows are filled at a time: the rows of a frame are more
// than the caches of a processor hold, and each column is a pass over them.
const blockRows = 128

// readTable fills rows, and shows each stretch of them to filled if that is not
// nil. At least so many columns have to be there.
func readTable[T any](d *decoder, t table[T], first int, b []byte, rows []T, filled func([]T)) error {
	bodies, err := sections(b, len(t))
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
	for at := 0; at < len(rows); at += blockRows {
		block := rows[at:min(at+blockRows, len(rows))]
		clear(block)
		for i := range bodies {
			if c, ok := t[i].(*integers[T]); ok {
				c.fill(block, &d.columns[i], at)
			}
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

// sections are those of the first n columns, fewer if the frame was written
// before the others were added.
func sections(b []byte, n int) (bodies [][]byte, err error) {
	for len(b) > 0 && len(bodies) < n {
		var body []byte
		if body, b, err = section(b); err != nil {
			return nil, err
		}
		bodies = append(bodies, body)
	}
	return bodies, nil
}

func (d *decoder) scratch(n int) []uint64 {
	d.values = slices.Grow(d.values[:0], n)[:n]
	return d.values
}
