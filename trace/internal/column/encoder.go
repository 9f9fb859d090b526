package column

import (
	"encoding/binary"
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
			plane[i] = byte(x >> (8 * k))
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

// residuals replaces v by what goes into the planes.
func residuals(v []uint64, p prediction, prev []int32) (first, low int64, width int) {
	if len(v) == 0 {
		return 0, 0, 0
	}
	head := int64(v[0])
	switch p {
	case FromPrevious:
		last := v[0]
		for i, x := range v {
			v[i] = x - last
			last = x
		}
	case FromContext:
		for i := len(v) - 1; i > 0; i-- {
			v[i] -= v[prev[i]]
		}
	}
	rest := v
	if p != FromZero && len(v) > 1 {
		rest = v[1:] // the first row follows nothing: its residual is 0
	}
	low, high := int64(rest[0]), int64(rest[0])
	for _, x := range rest {
		low, high = min(low, int64(x)), max(high, int64(x))
	}
	if width = (bits.Len64(uint64(high)-uint64(low)) + 7) / 8; width > 0 {
		for i := range v {
			v[i] -= uint64(low)
		}
	}
	if p != FromZero {
		first = head - low
		v[0] = 0
	}
	return first, low, width
}

// NewEncoder makes one that has seen no text.
func NewEncoder() Encoder { return Encoder{texts: make(map[string]uint64)} }

// Begin forgets what keys the rows before had; n rows follow.
func (e *Encoder) Begin(n int) { e.contexts.reset(n) }
