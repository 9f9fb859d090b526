package tables

import (
	"encoding/binary"
	"math/bits"
)

// hybrid appends values of a width in bits as runs of one value and groups of eight packed ones.
func hybrid(b []byte, values []uint32, width int) []byte {
	for i := 0; i < len(values); {
		if n := run(values[i:]); n >= 8 {
			b = binary.AppendUvarint(b, uint64(n)<<1)
			for k := 0; k < width; k += 8 {
				b = append(b, byte(values[i]>>k))
			}
			i += n
			continue
		}
		end := i
		for end < len(values) && run(values[end:]) < 8 {
			end = min(end+8, len(values))
		}
		b = binary.AppendUvarint(b, uint64(end-i+7)/8<<1|1)
		var p packer
		for ; i < end; i++ {
			b = p.add(b, uint64(values[i]), width)
		}
		b = p.fill(b, width, 8)
	}
	return b
}

// run is how often the first value stands at the beginning.
func run(values []uint32) int {
	n := 1
	for n < len(values) && values[n] == values[0] {
		n++
	}
	return n
}

// packer puts values of some bits behind each other, the lowest bits first.
type packer struct {
	held   uint64
	n      int // bits held, fewer than 8
	values int
}

func (p *packer) add(b []byte, v uint64, width int) []byte {
	p.values++
	for width > 0 {
		take := min(width, 56)
		p.held |= v & (1<<take - 1) << p.n
		p.n += take
		v, width = v>>take, width-take
		for p.n >= 8 {
			b = append(b, byte(p.held))
			p.held, p.n = p.held>>8, p.n-8
		}
	}
	return b
}

// fill completes a group of values with zeros.
func (p *packer) fill(b []byte, width, group int) []byte {
	for p.values%group != 0 {
		b = p.add(b, 0, width)
	}
	if p.n > 0 {
		b = append(b, byte(p.held))
	}
	*p = packer{}
	return b
}

// A block of differences has four parts with a width of bits each.
const (
	deltaBlock = 128
	deltaPart  = 32
)

// deltas appends numbers as the differences from one to the next (DELTA_BINARY_PACKED).
func deltas(b []byte, values []int64) []byte {
	b = binary.AppendUvarint(b, deltaBlock)
	b = binary.AppendUvarint(b, deltaBlock/deltaPart)
	b = binary.AppendUvarint(b, uint64(len(values)))
	if len(values) == 0 {
		return binary.AppendVarint(b, 0)
	}
	b = binary.AppendVarint(b, values[0])
	for i := 1; i < len(values); i += deltaBlock {
		b = deltaOf(b, values[i-1:min(i+deltaBlock, len(values))])
	}
	return b
}

// deltaOf appends the block of differences between values. Differences wrap around, as readers' sums do.
func deltaOf(b []byte, values []int64) []byte {
	least := values[1] - values[0]
	for i := 2; i < len(values); i++ {
		least = min(least, values[i]-values[i-1])
	}
	b = binary.AppendVarint(b, least)
	var above [deltaBlock]uint64
	var widths [deltaBlock / deltaPart]int
	for i := 1; i < len(values); i++ {
		above[i-1] = uint64(values[i]-values[i-1]) - uint64(least)
		part := (i - 1) / deltaPart
		widths[part] = max(widths[part], bits.Len64(above[i-1]))
	}
	for _, w := range widths {
		b = append(b, byte(w))
	}
	for part := 0; part*deltaPart < len(values)-1; part++ {
		var p packer
		for _, v := range above[part*deltaPart : (part+1)*deltaPart] {
			b = p.add(b, v, widths[part])
		}
		b = p.fill(b, widths[part], 1)
	}
	return b
}
