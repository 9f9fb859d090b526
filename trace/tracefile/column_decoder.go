package tracefile

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// columnDecoder reads the payload of one frame.
type columnDecoder struct {
	Batch    *trace.Batch // keeps the items of lists
	values   []uint64
	bodies   [][]byte  // the sections of the table that is being read
	columns  []numbers // of that table
	varied   []int     // columns that differ from row to row, or depend on those that do
	kept     []int     // see resemblance
	contexts contexts
	Texts    uint64 // bytes of the texts that were read
}

// numbers are the values of a column.
type numbers struct {
	of    []uint64          // one for each row; nil if all are the same
	room  []uint64          // for them, kept for later frames
	block [blockRows]uint64 // of the same, if all are; of a kept column block[0] is that of row 0
	kept  bool              // see keep
	steps []step
	taken int // of the steps
}

// repeat makes all values x.
func (n *numbers) repeat(x uint64) {
	for i := range n.block {
		n.block[i] = x
	}
}

// blockRows is how many rows are filled at a time: the rows of a frame are more
// than the caches of a processor hold, and each column is a pass over them.
const blockRows = 128

// sections are those of the first n columns, fewer if the frame was written
// before the others were added.
func (d *columnDecoder) sections(b []byte, n int) (_ [][]byte, err error) {
	d.bodies = d.bodies[:0]
	for len(b) > 0 && len(d.bodies) < n {
		var body []byte
		if body, b, err = section(b); err != nil {
			return nil, err
		}
		d.bodies = append(d.bodies, body)
	}
	return d.bodies, nil
}

func (d *columnDecoder) scratch(n int) []uint64 {
	d.values = slices.Grow(d.values[:0], n)[:n]
	return d.values
}

var (
	errSection = errors.New("malformed section")
	errRange   = errors.New("value out of range")
)

var errColumn = errors.New("malformed column")

// section splits off the section at the start of b.
func section(b []byte) (body, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errSection
	}
	n := binary.LittleEndian.Uint32(b)
	b = b[4:]
	if uint64(n) > uint64(len(b)) {
		return nil, nil, errSection
	}
	return b[:n], b[n:], nil
}

// Begin forgets what keys the rows before had; n rows follow.
func (d *columnDecoder) Begin(n int) { d.contexts.reset(n) }
