package tracefile

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// columnEncoder builds the payload of one frame.
type columnEncoder struct {
	Raw      []byte
	values   []uint64
	contexts contexts
	changes  changes
	columns  [][]uint64 // numbers, of the table that is appended and of those that it is a list in
	used     int        // columns of these tables
	texts    map[string]uint64
	Texts    uint64 // bytes of all texts so far
}

// Section appends what body appends, after its length.
func (e *columnEncoder) Section(body func()) {
	start := len(e.Raw)
	e.Raw = append(e.Raw, 0, 0, 0, 0)
	body()
	binary.LittleEndian.PutUint32(e.Raw[start:], uint32(len(e.Raw)-start-4))
}

// scratch is n values of any content.
func (e *columnEncoder) scratch(n int) []uint64 {
	e.values = slices.Grow(e.values[:0], n)[:n]
	return e.values
}

// begin makes room for the columns of a table, until its end.
func (e *columnEncoder) begin(columns int) (of [][]uint64, end func()) {
	before := e.used
	e.used += columns
	for len(e.columns) < e.used {
		e.columns = append(e.columns, nil)
	}
	of = e.columns[before:e.used:e.used]
	for i := range of {
		of[i] = of[i][:0]
	}
	return of, func() { e.used = before }
}

// integers appends the column v and overwrites v.
func (e *columnEncoder) integers(v []uint64, p prediction) {
	var prev []int32
	if p == FromContext {
		prev = e.contexts.rows()
	}
	first, low, high := residuals(v, p, prev)
	for k := range e.head(p, first, low, high) {
		plane := e.plane(len(v))
		for i, x := range v {
			plane[i] = byte((x - uint64(low)) >> (8 * k))
		}
	}
}

// steady appends a column of n numbers, each that of the row that it is compared to, but for those of some rows:
// residual is what these differ by, and the number itself for row 0, which is the first of them.
func (e *columnEncoder) steady(n int, rows []int32, residual []uint64) {
	var low, high int64
	for _, r := range residual[1:] {
		low, high = min(low, int64(r)), max(high, int64(r))
	}
	width := e.head(FromContext, int64(residual[0])-low, low, high)
	residual[0] = uint64(low)
	for k := range width {
		plane := e.plane(n)
		clear(plane) // mostly there is no more to do
		if same := byte(-uint64(low) >> (8 * k)); same != 0 {
			for i := range plane {
				plane[i] = same
			}
		}
		for i, row := range rows {
			plane[row] = byte((residual[i] - uint64(low)) >> (8 * k))
		}
	}
}

// head appends how a column of integers begins, and returns how many planes follow.
func (e *columnEncoder) head(p prediction, first, low, high int64) (width int) {
	width = (bits.Len64(uint64(high)-uint64(low)) + 7) / 8
	e.Raw = append(e.Raw, byte(p)<<4|byte(width))
	e.Raw = binary.AppendVarint(e.Raw, first)
	e.Raw = binary.AppendVarint(e.Raw, low)
	return width
}

// plane appends a plane of any content for n rows.
func (e *columnEncoder) plane(n int) []byte {
	e.Raw = slices.Grow(e.Raw, n)
	e.Raw = e.Raw[:len(e.Raw)+n]
	return e.Raw[len(e.Raw)-n:]
}

// prediction is what the values of a column are compared to.
type prediction uint8

const (
	FromZero     prediction = iota // the value itself
	FromPrevious                   // the row before
	FromContext                    // the latest earlier row with the same keys (see contexts)
	numPredictions
)

// residuals replaces v by what goes into the planes, but for low, which is to be taken from each. low is the least of
// them and high the greatest.
func residuals(v []uint64, p prediction, prev []int32) (first, low, high int64) {
	if len(v) == 0 {
		return 0, 0, 0
	}
	head := int64(v[0])
	low, high = math.MaxInt64, math.MinInt64
	switch {
	case p == FromZero && same(v):
		return 0, head, head
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
	return first, low, high
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

// newColumnEncoder makes one that has seen no text.
func newColumnEncoder() columnEncoder { return columnEncoder{texts: make(map[string]uint64)} }

// Begin forgets what keys the rows before had; n rows follow.
func (e *columnEncoder) Begin(n int) { e.contexts.reset(n) }
