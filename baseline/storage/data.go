package storage

import (
	"encoding/binary"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/host"
)

// Sector is the distance between two stamps: the smallest unit that file
// systems and drives compare when they look for duplicates.
const Sector = host.Sector

const mib = 1 << 20

// Buffers are n blocks of the same size in page-aligned memory outside the
// heap, as direct I/O and io_uring need it.
type Buffers struct {
	Mem    []byte
	block  int64
	stride int64
}

// NewBuffers reserves the memory and touches it, so that no page fault falls
// into a measured run.
func NewBuffers(n int, block int64) (*Buffers, error) {
	b := &Buffers{block: block, stride: host.Sectors(block)}
	mem, err := host.AlignedBuffer(int64(n) * b.stride)
	if err != nil {
		return nil, err
	}
	b.Mem = mem
	for i := 0; i < len(mem); i += Sector {
		mem[i] = 0
	}
	return b, nil
}

// At is buffer i.
func (b *Buffers) At(i int) []byte {
	from := int64(i) * b.stride
	return b.Mem[from : from+b.block : from+b.block]
}

func (b *Buffers) Free() error { return unix.Munmap(b.Mem) }

// Fill puts data of the kind into all buffers. seed decides what is random:
// the same for every buffer of repeat-1MiB, different for each of random.
func (b *Buffers) Fill(kind baseline.Data, seed uint64) {
	switch kind {
	case baseline.RandomData:
		host.FillRandom(b.Mem, seed)
	case baseline.Repeat1MiB:
		for i := 0; int64(i)*b.stride < int64(len(b.Mem)); i++ {
			repeat(b.At(i), seed)
		}
	case baseline.Zero:
		clear(b.Mem)
	case baseline.ByteA:
		for i := range b.Mem {
			b.Mem[i] = 'A'
		}
	}
}

// Blank makes a share of each sector zeros.
func Blank(p []byte, share float64) {
	if share <= 0 {
		return
	}
	n := Sector - int(min(share, 1)*Sector)
	for len(p) > 0 {
		s := p[:min(len(p), Sector)]
		clear(s[min(n, len(s)):])
		p = p[len(s):]
	}
}

// repeat fills p with one random MiB over and over.
func repeat(p []byte, seed uint64) {
	one := p[:min(len(p), mib)]
	host.FillRandom(one, seed)
	for n := len(one); n < len(p); n += len(one) {
		copy(p[n:], one)
	}
}

// Stamp makes a buffer of random data unlike every other: each of its sectors
// begins with a number that occurs once in a run.
func Stamp(p []byte, seed uint64, operation int64) {
	n := Mix(seed, uint64(operation))
	for i := 0; i+8 <= len(p); i += Sector {
		binary.LittleEndian.PutUint64(p[i:], n)
		n += 0x9e3779b97f4a7c15
	}
}

// Mix mixes a counter with a seed (the finaliser of SplitMix64: Steele, Lea,
// Flood, OOPSLA 2014).
func Mix(seed, n uint64) uint64 {
	z := seed + n*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
