package baseline

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"golang.org/x/sys/unix"
)

// sector is the distance between two stamps: the smallest unit that file
// systems and drives compare when they look for duplicates.
const sector = 4096

// buffers are n blocks of the same size in page-aligned memory outside the
// heap, as direct I/O and io_uring need it.
type buffers struct {
	mem    []byte
	block  int64
	stride int64
}

// newBuffers reserves the memory and touches it, so that no page fault falls
// into a measured run.
func newBuffers(n int, block int64) (*buffers, error) {
	b := &buffers{block: block, stride: (block + sector - 1) / sector * sector}
	mem, err := unix.Mmap(-1, 0, n*int(b.stride), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("reserving %d buffers of %d bytes: %w", n, block, err)
	}
	b.mem = mem
	for i := 0; i < len(mem); i += sector {
		mem[i] = 0
	}
	return b, nil
}

// at is buffer i.
func (b *buffers) at(i int) []byte {
	from := int64(i) * b.stride
	return b.mem[from : from+b.block : from+b.block]
}

func (b *buffers) free() error { return unix.Munmap(b.mem) }

// fill puts data of the kind into all buffers. seed decides what is random:
// the same for every buffer of repeat-1MiB, different for each of random.
func (b *buffers) fill(kind Data, seed uint64) {
	switch kind {
	case RandomData:
		random(b.mem, seed)
	case Repeat1MiB:
		for i := 0; int64(i)*b.stride < int64(len(b.mem)); i++ {
			repeat(b.at(i), seed)
		}
	case Zero:
		clear(b.mem)
	case ByteA:
		for i := range b.mem {
			b.mem[i] = 'A'
		}
	}
}

func random(p []byte, seed uint64) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	rand.NewChaCha8(key).Read(p)
}

// blank makes a share of each sector zeros.
func blank(p []byte, share float64) {
	if share <= 0 {
		return
	}
	n := sector - int(min(share, 1)*sector)
	for len(p) > 0 {
		s := p[:min(len(p), sector)]
		clear(s[min(n, len(s)):])
		p = p[len(s):]
	}
}

// repeat fills p with one random MiB over and over.
func repeat(p []byte, seed uint64) {
	one := p[:min(len(p), mib)]
	random(one, seed)
	for n := len(one); n < len(p); n += len(one) {
		copy(p[n:], one)
	}
}

// stamp makes a buffer of random data unlike every other: each of its sectors
// begins with a number that occurs once in a run.
func stamp(p []byte, seed uint64, operation int64) {
	n := hash(seed, uint64(operation))
	for i := 0; i+8 <= len(p); i += sector {
		binary.LittleEndian.PutUint64(p[i:], n)
		n += 0x9e3779b97f4a7c15
	}
}
