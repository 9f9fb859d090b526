package trace

import (
	"encoding/binary"
	"errors"
	"slices"
)

// A table is how events of one kind are laid out in a frame: one section per
// column, in order. Columns are only ever added at the end; a reader skips
// those it does not know and leaves the fields of missing ones zero.
type table[T any] []column[T]

// A column of numbers is an integers[T]; others are whole.
type column[T any] interface {
	append(e *encoder, rows []T)
}

// whole is a column of something else than one number a row.
type whole[T any] interface {
	read(d *decoder, b []byte, rows []T) error
}

// encoder builds the payload of one frame.
type encoder struct {
	raw      []byte
	values   []uint64
	contexts contexts
	texts    map[string]uint64
	text     uint64 // bytes of all texts so far
}

var (
	errSection = errors.New("malformed section")
	errRange   = errors.New("value out of range")
)

// appendTable appends all columns of rows.
func appendTable[T any](e *encoder, t table[T], rows []T) {
	for _, c := range t {
		e.section(func() { c.append(e, rows) })
	}
}

// section appends what body appends, after its length.
func (e *encoder) section(body func()) {
	start := len(e.raw)
	e.raw = append(e.raw, 0, 0, 0, 0)
	body()
	binary.LittleEndian.PutUint32(e.raw[start:], uint32(len(e.raw)-start-4))
}

// scratch is n values of any content.
func (e *encoder) scratch(n int) []uint64 {
	e.values = slices.Grow(e.values[:0], n)[:n]
	return e.values
}

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

// text is a column of strings: the distinct ones, and which of them each row
// has.
type text[T any] func(*T) *string

func (at text[T]) append(e *encoder, rows []T) {
	clear(e.texts)
	lengths, indexes := e.scratch(2 * len(rows))[:0], e.values[len(rows):]
	size := 0
	for i := range rows {
		s := *at(&rows[i])
		index, known := e.texts[s]
		if !known {
			index = uint64(len(e.texts))
			e.texts[s] = index
			lengths = append(lengths, uint64(len(s)))
			size += len(s)
		}
		indexes[i] = index
	}
	e.raw = binary.LittleEndian.AppendUint32(e.raw, uint32(len(lengths)))
	e.section(func() { e.integers(lengths, fromZero) })
	e.section(func() { e.integers(indexes, fromPrevious) })
	e.raw = slices.Grow(e.raw, size)
	e.text += uint64(size)
	for i, next := 0, uint64(0); next < uint64(len(lengths)); i++ {
		if s := *at(&rows[i]); e.texts[s] == next {
			e.raw = append(e.raw, s...)
			next++
		}
	}
}

func (at text[T]) read(d *decoder, b []byte, rows []T) error {
	if len(b) < 4 {
		return errSection
	}
	n := binary.LittleEndian.Uint32(b)
	if n > MaxRows {
		return errRange
	}
	lengthColumn, b, err := section(b[4:])
	if err != nil {
		return err
	}
	indexColumn, b, err := section(b)
	if err != nil {
		return err
	}
	v := d.scratch(int(n) + len(rows))
	ends, indexes := v[:n], v[n:]
	if err := readIntegers(lengthColumn, ends, nil); err != nil {
		return err
	}
	if err := readIntegers(indexColumn, indexes, nil); err != nil {
		return err
	}
	end := uint64(0)
	for i, length := range ends {
		if length > MaxText {
			return errRange
		}
		end += length
		ends[i] = end
	}
	if end != uint64(len(b)) {
		return errSection
	}
	all := string(b)
	d.texts += end
	for i, index := range indexes {
		if index >= uint64(n) {
			return errRange
		}
		start := uint64(0)
		if index > 0 {
			start = ends[index-1]
		}
		*at(&rows[i]) = all[start:ends[index]]
	}
	return nil
}
