package tracefile

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// What a thread does next mostly resembles what it did last: of most columns nearly every row has the value of the row
// that it is compared to (contexts). Those columns are kept: a row begins as a copy of the row that it is compared to,
// and only steps are entered, instead of spelling out the numbers of all rows and storing them column by column.

// step is a row that differs in a column from the row that it is compared to.
type step struct {
	row  int
	more uint64
}

// fewSteps is of how many rows at most one is a step in a column that is kept.
const fewSteps = 64

// keep finds the steps of a column, and the number of row 0; it is false if there are too many to keep it.
func (x *numbers) keep(h columnHead, planes []byte, c *contexts, n int) bool {
	same := -h.low // what the planes of a row that is no step add up to
	if n == 0 || len(c.hashes) != n || h.width < 8 && same>>(8*h.width) != 0 {
		return false
	}
	differ := 0
	for k := range h.width {
		differ += n - bytes.Count(planes[k*n:][:n], []byte{byte(same >> (8 * k))})
	}
	if differ > n/fewSteps {
		return false
	}
	x.kept, x.block[0] = true, h.first+h.low+digits(planes, n, 0)
	for k := range h.width {
		x.differing(planes[k*n:][:n], byte(same>>(8*k)))
	}
	slices.SortFunc(x.steps, func(a, b step) int { return a.row - b.row })
	x.steps = slices.Compact(x.steps)
	for i := range x.steps {
		x.steps[i].more = h.low + digits(planes, n, x.steps[i].row)
	}
	return true
}

// differing adds the rows, but for row 0, in which a plane has another byte.
func (x *numbers) differing(plane []byte, b byte) {
	all := uint64(b) * 0x0101010101010101
	for i := 0; i < len(plane); i++ {
		if i+8 <= len(plane) && binary.LittleEndian.Uint64(plane[i:]) == all {
			i += 7
		} else if plane[i] != b && i > 0 {
			x.steps = append(x.steps, step{row: i})
		}
	}
}

// digits is the number that the planes have for a row.
func digits(planes []byte, n, row int) (v uint64) {
	for k := 0; k*n < len(planes); k++ {
		v |= uint64(planes[k*n+row]) << (8 * k)
	}
	return v
}

// resemblance fills rows with what they have in common with others.
type resemblance[T any] struct {
	d     *columnDecoder
	table table[T]
	rows  []T
	blank T       // has what all rows have
	one   []T     // the row that is a step
	like  []int32 // the row that each resembles; nil if no column is kept
	next  int     // row that is a step in a column
}

func newResemblance[T any](d *columnDecoder, t table[T], rows []T, blank T) *resemblance[T] {
	r := &resemblance[T]{d: d, table: t, rows: rows, blank: blank, one: make([]T, 1)}
	if len(d.kept) > 0 {
		r.like = d.contexts.rows()
	}
	return r
}

// fill fills the n rows from one on; those before it are filled.
func (r *resemblance[T]) fill(from, n int) error {
	if r.like == nil {
		for i := range r.rows[from:][:n] {
			r.rows[from+i] = r.blank
		}
		return nil
	}
	for i := from; i < from+n; i++ {
		if i == r.next {
			if err := r.step(i); err != nil {
				return err
			}
			continue
		}
		r.rows[i] = r.rows[r.like[i]]
	}
	return nil
}

// step fills a row that differs from the one that it resembles, in columns that others may be relative to: each is
// stored once more, in their order.
func (r *resemblance[T]) step(row int) error {
	r.next = len(r.rows)
	v := r.d.scratch(len(r.d.kept))
	if r.one[0] = r.blank; row > 0 {
		r.one[0] = r.rows[r.like[row]]
	}
	for k, i := range r.d.kept {
		x := &r.d.columns[i]
		if row == 0 {
			v[k] = x.block[0]
		} else {
			r.table[i].(*integers[T]).load(r.one, v[k:])
		}
		if x.taken < len(x.steps) && x.steps[x.taken].row == row {
			v[k] += x.steps[x.taken].more
			x.taken++
		}
		if x.taken < len(x.steps) {
			r.next = min(r.next, x.steps[x.taken].row)
		}
	}
	for k, i := range r.d.kept {
		c := r.table[i].(*integers[T])
		if c.fits != nil && !c.fits(v[k:][:1]) {
			return errRange
		}
		c.store(r.one, v[k:])
	}
	r.rows[row] = r.one[0]
	return nil
}
