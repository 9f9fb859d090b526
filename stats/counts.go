package stats

import (
	"math/bits"
	"slices"
)

// Counts is how many values fell into each bucket. Values below 128 have a bucket each, every octave above is cut into
// 64 equal ones: a bucket is at most 1/64 = 1.6 % of its values wide. Counts of few values stay a short list, as of a
// file that was read twice, which must not cost pages of memory; of more they are an array of 8 bytes per bucket
// between the smallest and the largest. The zero Counts is empty and ready to use. It is not safe for concurrent use.
type Counts struct {
	Count, Sum int64 // of the values
	Min, Max   int64

	few    []bucket // sorted; until there are too many
	base   int      // bucket number of many[0]
	many   []int64
	lately []uint16 // bucket numbers that are not in many yet
}

type bucket struct {
	number uint16
	count  uint32
}

const (
	subBits    = 6
	subBuckets = 1 << subBits
	maxFew     = 24
	// maxLately is how many values are gathered before they are counted: one after the other, the arrays of many files
	// would push each other out of the caches.
	maxLately = 128
)

// BucketOf is the number of a value's bucket; negative values count as 0.
func BucketOf(v int64) int {
	if v < 2*subBuckets {
		return max(int(v), 0)
	}
	e := bits.Len64(uint64(v)) - subBits - 1
	return e*subBuckets + int(v>>e)
}

// BucketFloor is the smallest value of a bucket, and beyond the last one the greatest there is.
func BucketFloor(b int) int64 {
	if b < 2*subBuckets {
		return int64(b)
	}
	e := b/subBuckets - 1
	return int64(min(uint64(b-e*subBuckets)<<e, 1<<63-1))
}

// BucketCenter stands for the values of a bucket.
func BucketCenter(b int) int64 {
	lo := BucketFloor(b)
	return lo + (BucketFloor(b+1)-1-lo)/2
}

// Add counts a value; a negative one, which no duration or size can be, counts as 0.
func (c *Counts) Add(v int64) {
	v = max(v, 0)
	if c.Count == 0 || v < c.Min {
		c.Min = v
	}
	c.Max = max(c.Max, v)
	c.Count++
	c.Sum += v
	b := BucketOf(v)
	if c.many == nil {
		c.put(b, 1)
		return
	}
	c.lately = append(c.lately, uint16(b))
	if len(c.lately) >= maxLately {
		c.settle()
	}
}

// AddTimes counts a value so many times.
func (c *Counts) AddTimes(v, n int64) {
	if n <= 0 {
		return
	}
	c.Add(v)
	c.Count += n - 1
	c.Sum += max(v, 0) * (n - 1)
	if n > 1 {
		c.put(BucketOf(v), n-1)
	}
}

// Merge adds other counts.
func (c *Counts) Merge(o *Counts) {
	if o.Count == 0 {
		return
	}
	if c.Count == 0 || o.Min < c.Min {
		c.Min = o.Min
	}
	c.Max = max(c.Max, o.Max)
	c.Count += o.Count
	c.Sum += o.Sum
	o.Each(c.put)
}

// Each calls f for every bucket that is not empty, in order.
func (c *Counts) Each(f func(b int, n int64)) {
	c.settle()
	for _, e := range c.few {
		f(int(e.number), int64(e.count))
	}
	for i, n := range c.many {
		if n > 0 {
			f(c.base+i, n)
		}
	}
}

// Clone is a copy that shares nothing.
func (c *Counts) Clone() Counts {
	c.settle()
	o := *c
	o.few, o.many, o.lately = slices.Clone(c.few), slices.Clone(c.many), nil
	return o
}

// settle counts what was added lately.
func (c *Counts) settle() {
	for _, b := range c.lately {
		if i := int(b) - c.base; uint(i) < uint(len(c.many)) {
			c.many[i]++
		} else {
			c.put(int(b), 1)
		}
	}
	c.lately = c.lately[:0]
}

// put adds to a bucket that may not have a place yet.
func (c *Counts) put(b int, n int64) {
	if c.many == nil {
		i := 0
		for i < len(c.few) && int(c.few[i].number) < b {
			i++
		}
		found := i < len(c.few) && int(c.few[i].number) == b
		if found && int64(c.few[i].count)+n < 1<<32 {
			c.few[i].count += uint32(n)
			return
		}
		if !found && len(c.few) < maxFew && n < 1<<32 {
			c.few = slices.Insert(c.few, i, bucket{uint16(b), uint32(n)})
			return
		}
		c.spread(b)
	}
	c.reach(b)
	c.many[b-c.base] += n
}

// spread turns the list into an array that also reaches bucket b.
func (c *Counts) spread(b int) {
	few := c.few
	c.few, c.base, c.many = nil, b, make([]int64, 1, subBuckets)
	for _, e := range few {
		c.reach(int(e.number))
		c.many[int(e.number)-c.base] += int64(e.count)
	}
}

// reach extends the array to bucket b.
func (c *Counts) reach(b int) {
	if b < c.base {
		first := max(b-subBuckets/2, 0)
		c.many = append(make([]int64, c.base-first, c.base-first+len(c.many)), c.many...)
		c.base = first
	}
	if n := b - c.base + 1; n > len(c.many) {
		c.many = append(c.many, make([]int64, n-len(c.many))...)
	}
}
