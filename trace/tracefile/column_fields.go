package tracefile

import "slices"

// integers is a column of numbers.
type integers[T any] struct {
	predict prediction
	key     bool // part of the context of later columns
	load    func(rows []T, v []uint64)
	store   func(rows []T, v []uint64)
	fits    func(v []uint64) bool // what is stored; nil if everything does
	plain   bool                  // what is stored does not depend on other columns, and none of them changes it

	at, than uintptr // where the field is, and the one that it is stored relative to
	relative bool    // there is such a one
	size     uintptr // of both, in bytes; 0 if what is stored depends on more than them
}

// append appends the column: v has its numbers, or none if it is steady.
func (c *integers[T]) append(e *columnEncoder, rows []T, v []uint64) {
	if len(v) == len(rows) {
		e.integers(v, c.predict)
		return
	}
	first, prev := e.contexts.first, e.contexts.rows()
	residual, like := e.scratch(len(first)), [1]uint64{}
	for i, row := range first {
		c.load(rows[row:][:1], residual[i:][:1])
		if row > 0 {
			c.load(rows[prev[row]:][:1], like[:])
			residual[i] -= like[0]
		}
	}
	e.steady(len(rows), first, residual)
}

// steady reports whether all rows have the number of the row that they are compared to, but for the first of contexts.
func (c *integers[T]) steady(x changes) bool {
	return c.predict == FromContext && c.size > 0 && x.none(c.at, c.size) && (!c.relative || x.none(c.than, c.size))
}

// decode reads the numbers of n rows. A column may be kept if the field that it is relative to is steady.
func (c *integers[T]) decode(d *columnDecoder, b []byte, x *numbers, n int, steady bool) error {
	h, planes, err := columnHeader(b, n)
	if err != nil {
		return err
	}
	x.of, x.kept, x.steps, x.taken = nil, false, x.steps[:0], 0
	if h.constant() {
		x.repeat(h.value())
		if c.key {
			d.contexts.addSame(x.block[0])
		}
		if c.fits != nil && !c.fits(x.block[:1]) {
			return errRange
		}
		return nil
	}
	if steady && !c.key && h.predict == FromContext && x.keep(h, planes, &d.contexts, n) {
		if c.fits != nil && !c.fits(x.block[:1]) {
			return errRange
		}
		return nil
	}
	x.room = slices.Grow(x.room[:0], n)[:n]
	x.of = x.room
	if err := h.read(planes, x.of, &d.contexts); err != nil {
		return err
	}
	if c.key {
		d.contexts.add(x.of)
	}
	if c.fits != nil && !c.fits(x.of) {
		return errRange
	}
	return nil
}

// fill stores the numbers of the rows from one on, which have what the columns before
// have stored.
func (c *integers[T]) fill(rows []T, x *numbers, from int) {
	if x.of == nil {
		c.store(rows, x.block[:len(rows)])
		return
	}
	c.store(rows, x.of[from:from+len(rows)])
}
