package tracefile

import "unsafe"

// changes are the bits in which any row differs from the one that it is compared to, the first rows of contexts aside.
// What a thread does next mostly resembles what it did last: most columns have no changes. One look at all bytes of the
// rows tells which these are, so that they need no pass of their own over the rows, which are more than the caches of a
// processor hold.
type changes []uint64

// rarelyFirst is of how many rows at most one is the first of its context, for a look at the changes to pay.
const rarelyFirst = 16

// changed finds the changes of rows, in the memory of earlier ones; none are known where it does not pay to look. prev
// are the rows that they are compared to, and first those that are the first of their context.
func changed[T any](c changes, rows []T, prev, first []int32) changes {
	c = c[:0]
	if len(rows) < 2 || len(first) > len(rows)/rarelyFirst {
		return c
	}
	var row T
	for range unsafe.Sizeof(row) / 8 {
		c = append(c, 0)
	}
	for i, from := range first {
		to := len(rows)
		if i+1 < len(first) {
			to = int(first[i+1])
		}
		for k := int(from) + 1; k < to; k++ {
			row, like := words(&rows[k], len(c)), words(&rows[prev[k]], len(c))
			for w := range c {
				c[w] |= row[w] ^ like[w]
			}
		}
	}
	return c
}

// words are the first n words of a row.
func words[T any](row *T, n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(row)), n)[:n:n]
}

// none reports whether a field of some bytes is known to be the same in all rows as in those that they are compared to.
func (c changes) none(at, size uintptr) bool {
	if at+size > uintptr(len(c))*8 {
		return false
	}
	for _, b := range unsafe.Slice((*byte)(unsafe.Pointer(&c[0])), len(c)*8)[at:][:size] {
		if b != 0 {
			return false
		}
	}
	return true
}
