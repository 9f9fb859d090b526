package column

import "unsafe"

// What a thread does next mostly resembles what it did last: most columns that are compared by context have the value
// of the row that they are compared to. One look at all bytes of the rows tells which these are; they are written as
// what they would be, but without a pass of their own over the rows, which are more than the caches of a processor
// hold.

// changes are the bits in which any row differs from the one that it is compared to, the first rows of contexts aside.
type changes struct {
	found bool
	words []uint64 // of a row; none if it does not pay
}

// rarelyFirst is of how many rows at most one is the first of its context, for a look at the changes to pay.
const rarelyFirst = 16

// findChanges compares rows, whose keys are known.
func findChanges[T any](e *Encoder, rows []T) {
	e.changes.found = true
	e.changes.words = e.changes.words[:0]
	prev := e.contexts.rows()
	first := e.contexts.first
	if len(rows) < 2 || len(first) > len(rows)/rarelyFirst {
		return
	}
	var row T
	for range unsafe.Sizeof(row) / 8 {
		e.changes.words = append(e.changes.words, 0)
	}
	for i, from := range first {
		to := len(rows)
		if i+1 < len(first) {
			to = int(first[i+1])
		}
		differences(rows, prev, int(from)+1, to, e.changes.words)
	}
}

// differences adds the bits in which some rows differ from those that they are compared to.
func differences[T any](rows []T, prev []int32, from, to int, words []uint64) {
	for i := from; i < to; i++ {
		row := wordsOf(&rows[i], len(words))
		like := wordsOf(&rows[prev[i]], len(words))
		for k := range words {
			words[k] |= row[k] ^ like[k]
		}
	}
}

// wordsOf are the first n words of a row.
func wordsOf[T any](row *T, n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(row)), n)[:n:n]
}

// steady reports whether a field of some bytes is the same in all rows as in those that they are compared to.
func (c *changes) steady(at, size uintptr) bool {
	if at+size > uintptr(len(c.words))*8 {
		return false
	}
	for _, b := range unsafe.Slice((*byte)(unsafe.Pointer(&c.words[0])), len(c.words)*8)[at:][:size] {
		if b != 0 {
			return false
		}
	}
	return true
}

// steady reports whether all rows have the number of the row that they are compared to, but for the first of contexts.
func (c *integers[T]) steady(e *Encoder, rows []T) bool {
	if c.predict != FromContext || c.size == 0 {
		return false
	}
	if !e.changes.found {
		findChanges(e, rows)
	}
	return e.changes.steady(c.at, c.size) && (!c.relative || e.changes.steady(c.than, c.size))
}

// appendSteady appends such a column: what append would, from the first rows of contexts alone.
func (c *integers[T]) appendSteady(e *Encoder, rows []T) {
	first, prev := e.contexts.first, e.contexts.rows()
	residual := e.scratch(len(first)) // that of row 0, which is compared to nothing, is the value itself
	var like [1]uint64
	var low, high int64
	for i, row := range first {
		c.load(rows[row:][:1], residual[i:][:1])
		if row > 0 {
			c.load(rows[prev[row]:][:1], like[:])
			residual[i] -= like[0]
			low, high = min(low, int64(residual[i])), max(high, int64(residual[i]))
		}
	}
	width := e.head(FromContext, int64(residual[0])-low, low, high)
	residual[0] = uint64(low)
	for k := range width {
		plane := e.plane(len(rows))
		if same := byte(-uint64(low) >> (8 * k)); same == 0 {
			clear(plane)
		} else {
			for i := range plane {
				plane[i] = same
			}
		}
		for i, row := range first {
			plane[row] = byte((residual[i] - uint64(low)) >> (8 * k))
		}
	}
}
