package tracefile

import "encoding/binary"

// A Column of integers is stored as the differences between each value and a
// prediction, less the smallest difference, in as few bytes as the largest
// needs. Byte k of all rows lies together, as a plane: of noisy values the low
// plane is incompressible and the others compress to almost nothing.
// Arithmetic is modulo 2^64, so every value survives.

// columnHead is how a column of integers begins.
type columnHead struct {
	predict    prediction
	width      int
	first, low uint64
}

// columnHeader reads the beginning of a column of n integers. What follows are
// the planes.
func columnHeader(b []byte, n int) (h columnHead, planes []byte, err error) {
	if len(b) == 0 {
		return h, nil, errColumn
	}
	first, n1 := binary.Varint(b[1:])
	low, n2 := binary.Varint(b[1+max(n1, 0):])
	h = columnHead{prediction(b[0] >> 4), int(b[0] & 15), uint64(first), uint64(low)}
	if h.predict >= numPredictions || h.width > 8 || n1 <= 0 || n2 <= 0 {
		return h, nil, errColumn
	}
	if planes = b[1+n1+n2:]; len(planes) != n*h.width {
		return h, nil, errColumn
	}
	return h, planes, nil
}

// constant reports whether all values are the same.
func (h columnHead) constant() bool { return h.width == 0 && (h.predict == FromZero || h.low == 0) }

// value is what all values are, if they are the same.
func (h columnHead) value() uint64 {
	if h.predict == FromZero {
		return h.low
	}
	return h.low + h.first
}

// read fills v from the planes. c is nil if there are no contexts.
func (h columnHead) read(planes []byte, v []uint64, c *contexts) error {
	if h.predict == FromContext && (c == nil || len(c.hashes) != len(v)) {
		return errColumn
	}
	if len(v) == 0 {
		return nil
	}
	joinPlanes(v, planes, h.width, h.low)
	if h.predict == FromZero {
		return nil
	}
	v[0] += h.first
	if h.predict == FromPrevious || c.alike {
		last := uint64(0)
		for i, x := range v {
			last += x
			v[i] = last
		}
		return nil
	}
	prev := c.rows()[:len(v)]
	for i := 1; i < len(v); i++ {
		v[i] += v[prev[i]]
	}
	return nil
}

// readIntegers fills v from a column that encoder.integers wrote. c is nil if there
// are no contexts.
func readIntegers(b []byte, v []uint64, c *contexts) error {
	h, planes, err := columnHeader(b, len(v))
	if err != nil {
		return err
	}
	return h.read(planes, v, c)
}

// joinPlanes sets v to low plus the numbers whose bytes are in the planes.
func joinPlanes(v []uint64, planes []byte, width int, low uint64) {
	n := len(v)
	switch width {
	case 0:
		for i := range v {
			v[i] = low
		}
	case 1:
		for i, x := range planes[:n] {
			v[i] = low + uint64(x)
		}
	case 2:
		high := planes[n:][:n]
		for i, x := range planes[:n] {
			v[i] = low + (uint64(x) | uint64(high[i])<<8)
		}
	default:
		joinWide(v, planes, width, low)
	}
}

// joinWide is joinPlanes of three planes or more: two of them at a time, to pass the values less often.
func joinWide(v []uint64, planes []byte, width int, low uint64) {
	n := len(v)
	joinPlanes(v, planes, 2, low)
	for k := 2; k+1 < width; k += 2 {
		high := planes[(k+1)*n:][:n]
		for i, x := range planes[k*n:][:n] {
			v[i] += (uint64(x) | uint64(high[i])<<8) << (8 * k)
		}
	}
	if k := width - 1; width%2 == 1 {
		for i, x := range planes[k*n:][:n] {
			v[i] += uint64(x) << (8 * k)
		}
	}
}
