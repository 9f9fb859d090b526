package column

import (
	"slices"
	"unsafe"
)

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
func (c *integers[T]) append(e *Encoder, rows []T, v []uint64) {
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
func (c *integers[T]) decode(d *Decoder, b []byte, x *numbers, n int, steady bool) error {
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

type integer interface {
	~int | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// member is where a field lies in T. Going there is several times as fast as
// asking a function, and each event of a trace has some twenty fields.
type member[T any, V integer] uintptr

func memberOf[T any, V integer](at func(*T) *V) member[T, V] {
	var row T
	return member[T, V](uintptr(unsafe.Pointer(at(&row))) - uintptr(unsafe.Pointer(&row)))
}

// in is the field of a row.
func (p member[T, V]) in(row *T) *V { return (*V)(unsafe.Add(unsafe.Pointer(row), uintptr(p))) }

// Field is the column of a field of T.
func Field[T any, V integer](p prediction, at func(*T) *V) *integers[T] {
	f := memberOf(at)
	c := &integers[T]{
		predict: p,
		plain:   true,
		at:      uintptr(f),
		size:    unsafe.Sizeof(V(0)),
		load: func(rows []T, v []uint64) {
			for i := range rows {
				v[i] = uint64(*f.in(&rows[i]))
			}
		},
		store: func(rows []T, v []uint64) {
			for i := range rows {
				*f.in(&rows[i]) = V(v[i])
			}
		},
	}
	if unsafe.Sizeof(V(0)) < 8 {
		c.fits = fits[V]
	}
	return c
}

// fits reports whether a V can have all values.
func fits[V integer](v []uint64) bool {
	var wrong uint64
	for _, x := range v {
		wrong |= uint64(V(x)) ^ x
	}
	return wrong == 0
}

// Key is a field whose value is part of the context of the columns after it. Keys are the first columns of a table.
func Key[T any, V integer](at func(*T) *V) *integers[T] {
	c := Field(FromZero, at)
	c.key = true
	return c
}

// End is the column of the ends of events that have a start and a duration. It is
// stored as the start, until the durations are known.
func End[T any](start, duration func(*T) *int64) *integers[T] {
	s, d := memberOf(start), memberOf(duration)
	c := Field(FromPrevious, start)
	c.plain = false // Lasted changes it: a row that is copied from another has that one's start
	c.load = func(rows []T, v []uint64) {
		for i := range rows {
			v[i] = uint64(*s.in(&rows[i]) + *d.in(&rows[i]))
		}
	}
	return c
}

// Lasted is the column of durations, which moves the starts from the ends to
// where they are.
func Lasted[T any](start, duration func(*T) *int64) *integers[T] {
	s, d := memberOf(start), memberOf(duration)
	c := Field(FromZero, duration)
	c.plain = false
	c.store = func(rows []T, v []uint64) {
		for i := range rows {
			*d.in(&rows[i]) = int64(v[i])
			*s.in(&rows[i]) -= int64(v[i])
		}
	}
	return c
}

// Less is the column of a field that is stored as how much less it is than
// another, which has a column of its own before.
func Less[T any](p prediction, than, at func(*T) *int64) *integers[T] {
	a, b := memberOf(than), memberOf(at)
	return &integers[T]{
		predict:  p,
		at:       uintptr(b),
		than:     uintptr(a),
		relative: true,
		size:     8,
		load: func(rows []T, v []uint64) {
			for i := range rows {
				v[i] = uint64(*a.in(&rows[i]) - *b.in(&rows[i]))
			}
		},
		store: func(rows []T, v []uint64) {
			for i := range rows {
				*b.in(&rows[i]) = *a.in(&rows[i]) - int64(v[i])
			}
		},
	}
}

// Derived is a column computed from several fields.
func Derived[T any](p prediction, get func(*T) int64, set func(*T, int64)) *integers[T] {
	return &integers[T]{
		predict: p,
		load: func(rows []T, v []uint64) {
			for i := range rows {
				v[i] = uint64(get(&rows[i]))
			}
		},
		store: func(rows []T, v []uint64) {
			for i := range rows {
				set(&rows[i], int64(v[i]))
			}
		},
	}
}

// Truth is the column of a boolean.
func Truth[T any](at func(*T) *bool) *integers[T] {
	return &integers[T]{
		plain: true,
		load: func(rows []T, v []uint64) {
			for i := range rows {
				v[i] = 0
				if *at(&rows[i]) {
					v[i] = 1
				}
			}
		},
		store: func(rows []T, v []uint64) {
			for i := range rows {
				*at(&rows[i]) = v[i] == 1
			}
		},
		fits: func(v []uint64) bool {
			var all uint64
			for _, x := range v {
				all |= x
			}
			return all <= 1
		},
	}
}
