package samples

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Payloads changes frames of a trace and what is in them: bytes, whole columns,
// row counts, kinds, order. Checksums and lengths are right again afterwards.
func Payloads(file, changes []byte) ([]byte, error) {
	list, err := Split(file)
	if err != nil {
		return nil, err
	}
	for p := (&program{changes}); !p.done() && len(list) > 0; {
		list = p.frames(list)
	}
	return Join(list), nil
}

// frames makes one change.
func (p *program) frames(list []Frame) []Frame {
	what, at := p.byte()%12, p.below(len(list))
	f := &list[at]
	switch what {
	case 0: // again
		return slices.Insert(list, p.below(len(list)+1), *f)
	case 1: // not at all
		return slices.Delete(list, at, at+1)
	case 2: // in another place
		to := p.below(len(list))
		list[at], list[to] = list[to], list[at]
	case 3:
		f.Rows = uint32(p.number(int64(f.Rows)))
	case 4:
		f.Batch = uint32(p.number(int64(f.Batch)))
	case 5:
		f.Kind = 1 + p.byte()%70
	case 6:
		f.Payload = f.Payload[:p.below(len(f.Payload)+1)]
	case 7, 8: // bytes
		if len(f.Payload) > 0 {
			f.Payload = bytes.Clone(f.Payload)
			f.Payload[p.below(len(f.Payload))] = p.byte()
		}
	default:
		f.column(p)
	}
	return list
}

// column replaces a column of integers: the same value in all rows, or growing
// by the same value, or with one row changed.
func (f *Frame) column(p *program) {
	var bodies [][]byte
	for b := f.Payload; len(b) >= 4; {
		n := int(binary.LittleEndian.Uint32(b))
		if n > len(b)-4 {
			return
		}
		bodies, b = append(bodies, b[4:4+n]), b[4+n:]
	}
	if len(bodies) == 0 || f.Kind > 9 {
		return
	}
	c := p.below(len(bodies))
	switch p.byte() % 3 {
	case 0: // one value
		bodies[c] = binary.AppendVarint(append(binary.AppendVarint([]byte{0}, 0), nil...), p.number(0))
	case 1: // a value more in each row
		bodies[c] = binary.AppendVarint(binary.AppendVarint([]byte{1 << 4}, p.number(0)), p.number(0))
	case 2: // all rows anew, of 8 bytes
		body := []byte{8, 0, 0}
		body = append(body, make([]byte, 8*int(min(f.Rows, 1<<15)))...)
		for i := range min(int(f.Rows), 16) {
			v := uint64(p.number(int64(i)))
			row := p.below(int(min(f.Rows, 1<<15)))
			for k := range 8 {
				body[3+k*int(min(f.Rows, 1<<15))+row] = byte(v >> (8 * k))
			}
		}
		bodies[c] = body
	}
	f.Payload = nil
	for _, b := range bodies {
		f.Payload = append(binary.LittleEndian.AppendUint32(f.Payload, uint32(len(b))), b...)
	}
}
