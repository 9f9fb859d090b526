package conversion

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
)

// Marks and sizes of a zip archive (APPNOTE.TXT, 4.3).
const (
	zipMark      = "PK\x03\x04"
	zipHeader    = 30
	zipDescribed = 1 << 3 // the sum and the sizes stand behind the data
	zipEncrypted = 1
	zipDeflated  = 8
)

// unzipped is the file in a zip archive that holds one. It is read as it comes, so standard input will do.
type unzipped struct {
	in   *bufio.Reader
	data io.Reader
	sum  uint32
	got  uint32
	late bool // the sum comes behind the data
	done error
}

func newUnzipped(in *bufio.Reader) (*unzipped, error) {
	var h [zipHeader]byte
	if _, err := io.ReadFull(in, h[:]); err != nil {
		return nil, err
	}
	at := func(i int) int { return int(binary.LittleEndian.Uint16(h[i:])) }
	flags, method := at(6), at(8)
	if flags&zipEncrypted != 0 {
		return nil, errors.New("it is encrypted")
	}
	if _, err := in.Discard(at(26) + at(28)); err != nil { // its name and further fields
		return nil, err
	}
	z := &unzipped{in: in, sum: binary.LittleEndian.Uint32(h[14:]), late: flags&zipDescribed != 0}
	switch {
	case method == zipDeflated:
		z.data = flate.NewReader(in)
	case method == 0 && !z.late:
		z.data = io.LimitReader(in, int64(binary.LittleEndian.Uint32(h[18:])))
	default:
		return nil, fmt.Errorf("it is packed in a way that is not known (%d): unpack it first", method)
	}
	return z, nil
}

func (z *unzipped) Read(p []byte) (int, error) {
	if z.done != nil {
		return 0, z.done
	}
	n, err := z.data.Read(p)
	z.got = crc32.Update(z.got, crc32.IEEETable, p[:n])
	if errors.Is(err, io.EOF) {
		err = z.end()
	}
	z.done = err
	return n, err
}

// end checks the sum, and that no other file follows.
func (z *unzipped) end() error {
	if z.late {
		var d [16]byte // with a mark, or without
		if _, err := io.ReadFull(z.in, d[:4]); err != nil {
			return io.ErrUnexpectedEOF
		}
		rest := d[4:12]
		if z.sum = binary.LittleEndian.Uint32(d[:]); string(d[:4]) == "PK\x07\x08" {
			rest = d[4:16]
		}
		if _, err := io.ReadFull(z.in, rest); err != nil {
			return io.ErrUnexpectedEOF
		}
		if len(rest) == 12 {
			z.sum = binary.LittleEndian.Uint32(rest)
		}
	}
	if z.sum != z.got {
		return errors.New("its sum is wrong")
	}
	if next, _ := z.in.Peek(len(zipMark)); string(next) == zipMark {
		return errors.New("it holds several files: unpack it first, and import the one that is meant")
	}
	return io.EOF
}
