package tracefile

import (
	"encoding/binary"
	"slices"
)

// text is a column of strings: the distinct ones, and which of them each row
// has.
type text[T any] member[T, string]

func (at text[T]) append(e *columnEncoder, rows []T, _ []uint64) {
	clear(e.texts)
	lengths, indexes := e.scratch(2 * len(rows))[:0], e.values[len(rows):]
	size := 0
	for i := range rows {
		s := *member[T, string](at).in(&rows[i])
		index, known := e.texts[s]
		if !known {
			index = uint64(len(e.texts))
			e.texts[s] = index
			lengths = append(lengths, uint64(len(s)))
			size += len(s)
		}
		indexes[i] = index
	}
	e.Raw = binary.LittleEndian.AppendUint32(e.Raw, uint32(len(lengths)))
	e.Section(func() { e.integers(lengths, FromZero) })
	e.Section(func() { e.integers(indexes, FromPrevious) })
	e.Raw = slices.Grow(e.Raw, size)
	e.Texts += uint64(size)
	for i, next := 0, uint64(0); next < uint64(len(lengths)); i++ {
		if s := *member[T, string](at).in(&rows[i]); e.texts[s] == next {
			e.Raw = append(e.Raw, s...)
			next++
		}
	}
}

func (at text[T]) read(d *columnDecoder, b []byte, rows []T) error {
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
	d.Texts += end
	for i, index := range indexes {
		if index >= uint64(n) {
			return errRange
		}
		start := uint64(0)
		if index > 0 {
			start = ends[index-1]
		}
		*member[T, string](at).in(&rows[i]) = all[start:ends[index]]
	}
	return nil
}
