package column

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Encoder builds the payload of one frame.
type Encoder struct {
	Raw      []byte
	values   []uint64
	contexts contexts
	texts    map[string]uint64
	Texts    uint64 // bytes of all texts so far
}

// Section appends what body appends, after its length.
func (e *Encoder) Section(body func()) {
	start := len(e.Raw)
	e.Raw = append(e.Raw, 0, 0, 0, 0)
	body()
	binary.LittleEndian.PutUint32(e.Raw[start:], uint32(len(e.Raw)-start-4))
}

// scratch is n values of any content.
func (e *Encoder) scratch(n int) []uint64 {
	e.values = slices.Grow(e.values[:0], n)[:n]
	return e.values
}

// integers appends the column v and overwrites v.
func (e *Encoder) integers(v []uint64, p prediction) {
	var prev []int32
	if p == FromContext {
		prev = e.contexts.rows()
	}
	first, low, width := residuals(v, p, prev)
	e.Raw = append(e.Raw, byte(p)<<4|byte(width))
	e.Raw = binary.AppendVarint(e.Raw, first)
	e.Raw = binary.AppendVarint(e.Raw, low)
	n := len(v)
	e.Raw = slices.Grow(e.Raw, n*width)
	for k := range width {
		plane := e.Raw[len(e.Raw):][:n]
		for i, x := range v {
			plane[i] = byte((x - uint64(low)) >> (8 * k))
		}
		e.Raw = e.Raw[:len(e.Raw)+n]
	}
}

// prediction is what the values of a column are compared to.
type prediction uint8

const (
	FromZero     prediction = iota // the value itself
	FromPrevious                   // the row before
	FromContext                    // the latest earlier row with the same keys (see contexts)
	numPredictions
)

// residuals replaces v by what goes into the planes, but for low, which is to be taken from each.
func residuals(v []uint64, p prediction, prev []int32) (first, low int64, width int) {
	if len(v) == 0 {
		return 0, 0, 0
	}
	head := int64(v[0])
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	switch {
	case p == FromZero && same(v):
		return 0, head, 0
	case len(v) == 1 && p == FromPrevious:
		low, high = 0, 0
	case len(v) == 1 || p == FromZero:
		for _, x := range v {
			low, high = min(low, int64(x)), max(high, int64(x))
		}
	case p == FromPrevious: // the first row follows nothing: its residual is 0
		last := v[0]
		for i, x := range v[1:] {
			r := x - last
			v[1+i], last = r, x
			low, high = min(low, int64(r)), max(high, int64(r))
		}
	default:
		for i := len(v) - 1; i > 0; i-- {
			r := v[i] - v[prev[i]]
			v[i] = r
			low, high = min(low, int64(r)), max(high, int64(r))
		}
	}
	if p != FromZero {
		first = head - low
		v[0] = uint64(low)
	}
	return first, low, (bits.Len64(uint64(high)-uint64(low)) + 7) / 8
}

// same reports whether all numbers are the same.
func same(v []uint64) bool {
	for ; len(v) >= 64; v = v[63:] {
		var differ uint64
		for _, x := range v[:64] {
			differ |= x ^ v[0]
		}
		if differ != 0 {
			return false
		}
	}
	for _, x := range v {
		if x != v[0] {
			return false
		}
	}
	return true
}

// NewEncoder makes one that has seen no text.
func NewEncoder() Encoder { return Encoder{texts: make(map[string]uint64)} }

// Begin forgets what keys the rows before had; n rows follow.
func (e *Encoder) Begin(n int) { e.contexts.reset(n) }
