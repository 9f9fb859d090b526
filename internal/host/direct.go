package host

import (
	"fmt"
	"io"

	"golang.org/x/sys/unix"
)

// Sector is what places, sizes and memory of direct I/O are multiples of.
const Sector = 4096

// Sectors is a size with all of its last sector: what direct I/O moves.
func Sectors(n int64) int64 { return (n + Sector - 1) / Sector * Sector }

// AlignedBuffer is memory that direct I/O can use, of whole sectors. It is given back by unix.Munmap.
func AlignedBuffer(n int64) ([]byte, error) {
	buf, err := unix.Mmap(-1, 0, int(Sectors(n)), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("reserving a buffer of %d bytes: %w", n, err)
	}
	return buf, nil
}

// Whole repeats a call until it has moved n bytes; io.ErrUnexpectedEOF means that there are fewer. A direct call that
// ends within a sector asks for all of it.
func Whole(n int64, direct bool, call func(at, n int64) (int, error)) (int64, error) {
	ask := n
	if direct {
		ask = Sectors(n)
	}
	for at := int64(0); at < n; {
		got, err := IgnoringEINTR(func() (int, error) { return call(at, ask-at) })
		switch {
		case err != nil:
			return at, err
		case got == 0:
			return at, io.ErrUnexpectedEOF
		default:
			at += int64(got)
		}
	}
	return n, nil
}
