package tracefile

import "slices"

// contexts finds for each row the latest earlier one with the same keys, such
// as the last read by the same thread: what a thread does next mostly resembles
// what it did last, however many threads are interleaved.
type contexts struct {
	hashes []uint32 // of the keys of each row
	prev   []int32  // the row found for each row; empty until it is asked for
	first  []int32  // the rows for which there was none, row 0 among them
	last   [1 << contextBits]int32
	alike  bool   // all keys of all rows are the same, so far
	hash   uint32 // of the keys, as long as they are
}

// contextBits is log2 of the number of contexts that are told apart. Keys that
// collide cost space, nothing else.
const contextBits = 10

const contextMultiplier = 0x9E3779B1 // 2^32 / golden ratio

// reset forgets all keys; n rows follow.
func (c *contexts) reset(n int) {
	c.hashes = slices.Grow(c.hashes[:0], n)[:n]
	c.prev = c.prev[:0]
	c.alike, c.hash = true, 0
}

// add makes the column v a key.
func (c *contexts) add(v []uint64) {
	if c.alike {
		c.alike = false
		for i := range c.hashes {
			c.hashes[i] = c.hash
		}
	}
	for i, x := range v {
		c.hashes[i] = (c.hashes[i] ^ uint32(x)) * contextMultiplier
	}
	c.prev = c.prev[:0]
}

// addSame makes a column a key in which all values are x.
func (c *contexts) addSame(x uint64) {
	if c.alike {
		c.hash = (c.hash ^ uint32(x)) * contextMultiplier
		return
	}
	for i, h := range c.hashes {
		c.hashes[i] = (h ^ uint32(x)) * contextMultiplier
	}
	c.prev = c.prev[:0]
}

// rows is the row that each row is compared to. A row with new keys is compared
// to the one before it; that of row 0 has no meaning.
func (c *contexts) rows() []int32 {
	if len(c.prev) > 0 {
		return c.prev
	}
	for i := range c.last {
		c.last[i] = -1
	}
	if c.alike {
		c.add(nil)
	}
	c.first = c.first[:0]
	for i, h := range c.hashes {
		last := &c.last[h>>(32-contextBits)]
		if *last < 0 {
			*last = int32(i) - 1
			c.first = append(c.first, int32(i))
		}
		c.prev = append(c.prev, *last)
		*last = int32(i)
	}
	return c.prev
}
