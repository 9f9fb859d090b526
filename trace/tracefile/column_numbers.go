package tracefile

import (
	"reflect"
	"unsafe"
)

type integer interface {
	~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// member is where a field of the type V lies in T. Going there is several times as fast as asking a function, and each
// event of a trace has some twenty fields.
type member[T, V any] uintptr

// in is the field of a row.
func (p member[T, V]) in(row *T) *V { return (*V)(unsafe.Add(unsafe.Pointer(row), uintptr(p))) }

// number is the column of a field of T.
func number[T any](kind reflect.Kind, at uintptr) *integers[T] {
	switch kind {
	case reflect.Uint8:
		return numberOf[T, uint8](at)
	case reflect.Uint16:
		return numberOf[T, uint16](at)
	case reflect.Uint32:
		return numberOf[T, uint32](at)
	case reflect.Uint64:
		return numberOf[T, uint64](at)
	case reflect.Int32:
		return numberOf[T, int32](at)
	case reflect.Int64:
		return numberOf[T, int64](at)
	}
	panic("no column of numbers: " + kind.String())
}

func numberOf[T any, V integer](at uintptr) *integers[T] {
	f := member[T, V](at)
	c := &integers[T]{
		plain: true,
		at:    at,
		size:  unsafe.Sizeof(V(0)),
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

// isEnd makes the column of starts one of ends. They are stored as the starts, until the durations are known.
func (c *integers[T]) isEnd(duration uintptr) {
	s, d := member[T, int64](c.at), member[T, int64](duration)
	c.plain = false // isDuration changes it: a row that is copied from another has that one's start
	c.load = func(rows []T, v []uint64) {
		for i := range rows {
			v[i] = uint64(*s.in(&rows[i]) + *d.in(&rows[i]))
		}
	}
}

// isDuration has the column of durations move the starts from the ends to where they are.
func (c *integers[T]) isDuration(start uintptr) {
	s, d := member[T, int64](start), member[T, int64](c.at)
	c.plain = false
	c.store = func(rows []T, v []uint64) {
		for i := range rows {
			*d.in(&rows[i]) = int64(v[i])
			*s.in(&rows[i]) -= int64(v[i])
		}
	}
}

// isRelative has the field be stored as how much more (sign 1) or less (-1) it is than another, which has a column of
// its own before.
func (c *integers[T]) isRelative(than uintptr, sign int64) {
	a, b := member[T, int64](than), member[T, int64](c.at)
	c.plain, c.relative, c.than = false, true, than
	c.load = func(rows []T, v []uint64) {
		for i := range rows {
			v[i] = uint64((*b.in(&rows[i]) - *a.in(&rows[i])) * sign)
		}
	}
	c.store = func(rows []T, v []uint64) {
		for i := range rows {
			*b.in(&rows[i]) = *a.in(&rows[i]) + int64(v[i])*sign
		}
	}
}

// derived is a column computed from several fields.
func derived[T any](get func(*T) int64, set func(*T, int64)) column[T] {
	return &integers[T]{
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

// truth is the column of a boolean.
func truth[T any](at uintptr) *integers[T] {
	c := numberOf[T, uint8](at)
	c.fits = func(v []uint64) bool {
		var all uint64
		for _, x := range v {
			all |= x
		}
		return all <= 1
	}
	return c
}

// oneNumber is the table of what is a number itself.
func oneNumber[T any]() table[T] { return table[T]{number[T](reflect.TypeFor[T]().Kind(), 0)} }
