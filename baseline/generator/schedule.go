package generator

import (
	"math/bits"
	"sync/atomic"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
)

// schedule says which block an operation works on. For every order but a mixed
// step with split positions that is a pure function of the operation's number,
// so that several threads can draw from one schedule without a lock.
type schedule struct {
	access baseline.Access
	block  int64
	blocks int64  // in the span
	base   int64  // bytes before the span
	tail   int64  // bytes of the last block, if the span is not a multiple of the block
	seed   uint64 // of order and direction
	share  uint64 // reads per 2³² operations
	split  bool

	perStride, strides int64 // strided: blocks per stride, strides in the span
	streams, perStream int64 // interleaved
	shuffle            permutation

	limit atomic.Int64    // operations that may be handed out in all
	next  atomic.Int64    // number of the next operation
	pos   [2]atomic.Int64 // split positions: writes, reads
}

// operation is one block to be moved.
type operation struct {
	number int64
	offset int64
	size   int64
	read   bool
}

// newSchedule is the schedule of a step over span bytes from base. Two steps
// with the same seed take the same blocks.
func newSchedule(s baseline.Step, base, span int64, seed uint64) *schedule {
	c := &schedule{access: s.Access, block: s.Block, base: base, seed: seed}
	c.blocks = (span + s.Block - 1) / s.Block
	c.tail = span - (c.blocks-1)*s.Block
	switch s.Op {
	case baseline.Read:
		c.share = 1 << 32
	case baseline.Mixed:
		c.share = uint64(s.ReadShare) << 32 / 100
		c.split = s.SplitMix
	}
	switch s.Access {
	case baseline.Random:
		// A short last block would make the sizes differ.
		if c.tail != s.Block && c.blocks > 1 {
			c.blocks, c.tail = c.blocks-1, s.Block
		}
	case baseline.Strided:
		c.perStride = min(s.Stride/s.Block, c.blocks)
		c.strides = c.blocks / c.perStride
	case baseline.Interleaved:
		c.streams = min(int64(s.Streams), c.blocks)
		c.perStream = c.blocks / c.streams
	case baseline.Shuffled:
		c.shuffle = newPermutation(c.blocks)
	}
	return c
}

// take hands out the next operation; ok is false when the limit is reached.
func (c *schedule) take() (operation, bool) {
	n := c.next.Add(1) - 1
	if n >= c.limit.Load() {
		c.next.Add(-1)
		return operation{}, false
	}
	o := operation{number: n, size: c.block}
	o.read = c.share == 1<<32 || c.share > 0 && storage.Mix(c.seed^0x9e3779b97f4a7c15, uint64(n))>>32 < c.share
	at := n
	if c.split {
		i := 0
		if o.read {
			i = 1
		}
		at = c.pos[i].Add(1) - 1
	}
	i := c.index(at)
	if i == c.blocks-1 {
		o.size = c.tail
	}
	o.offset = c.base + i*c.block
	return o, true
}

// index is the block of the n-th operation.
func (c *schedule) index(n int64) int64 {
	switch c.access {
	case baseline.Random:
		hi, _ := bits.Mul64(storage.Mix(c.seed, uint64(n)), uint64(c.blocks))
		return int64(hi)
	case baseline.Shuffled:
		return c.shuffle.at(n%c.blocks, c.seed+uint64(n/c.blocks))
	case baseline.Strided:
		n %= c.strides * c.perStride
		return n%c.strides*c.perStride + n/c.strides
	case baseline.Interleaved:
		n %= c.streams * c.perStream
		return n%c.streams*c.perStream + n/c.streams
	}
	return n % c.blocks
}

// permutation is a pseudo-random order of 0 … n-1 that needs no memory: a
// four-round Feistel network over the next power of four, walked until it
// lands below n.
type permutation struct {
	n    int64
	half uint // bits of each half
}

func newPermutation(n int64) permutation {
	return permutation{n: n, half: uint(max(1, (bits.Len64(uint64(n-1))+1)/2))}
}

// at is the place of i in the order that key chooses.
func (p permutation) at(i int64, key uint64) int64 {
	mask := uint64(1)<<p.half - 1
	x := uint64(i)
	for {
		l, r := x>>p.half, x&mask
		for round := range uint64(4) {
			l, r = r, l^storage.Mix(key+round<<56, r)&mask
		}
		x = l<<p.half | r
		if x < uint64(p.n) {
			return int64(x)
		}
	}
}
