package samples

import (
	"encoding/binary"
	"math"
)

// program is a list of changes, read from bytes that a fuzzer chooses. At its
// end it yields zeros.
type program struct{ rest []byte }

func (p *program) done() bool { return len(p.rest) == 0 }

func (p *program) byte() byte {
	if len(p.rest) == 0 {
		return 0
	}
	b := p.rest[0]
	p.rest = p.rest[1:]
	return b
}

// below is a number from 0 to n-1.
func (p *program) below(n int) int {
	if n <= 1 {
		return 0
	}
	v := int(p.byte())
	if n > 256 {
		v = v<<8 | int(p.byte())
	}
	return v % n
}

// extremes are values at and beyond the edges of what fields may hold.
var extremes = [...]int64{
	0, 1, -1, -2, -4096, 4096, 1<<31 - 1, 0x7ffff000, 1 << 31, 1<<32 - 1, 1 << 32, 1<<46 - 1, 1 << 46, 1 << 52, 1<<56 - 1,
	1 << 56, 1 << 61, 1 << 62,
	math.MaxInt64, math.MinInt64, math.MaxInt64 - 1<<32, math.MaxInt64 - 1<<32 + 1, -1 << 31, -1<<31 - 1,
}

// number is a value for a field that holds old.
func (p *program) number(old int64) int64 {
	switch p.byte() % 8 {
	case 0, 1, 2:
		return extremes[p.below(len(extremes))]
	case 3:
		return old + extremes[p.below(len(extremes))]
	case 4:
		return old << (p.byte() % 64)
	case 5:
		return old ^ 1<<(p.byte()%64)
	case 6:
		return int64(p.byte())
	}
	var b [8]byte
	for i := range b {
		b[i] = p.byte()
	}
	return int64(binary.LittleEndian.Uint64(b[:]))
}
