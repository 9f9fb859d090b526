package conversion

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// utf16Mark are the byte order marks of UTF-16.
var utf16Mark = map[binary.ByteOrder][]byte{binary.LittleEndian: {0xff, 0xfe}, binary.BigEndian: {0xfe, 0xff}}

// byteOrder is that of a text whose characters have two bytes, as editors and consoles of Windows write it; nil if it
// is none. Without a mark it is told by its zeros: nearly all characters of these tools' texts are ASCII.
func byteOrder(r *bufio.Reader) binary.ByteOrder {
	const least, most = 16, 512
	head, _ := r.Peek(most)
	for order, mark := range utf16Mark {
		if bytes.HasPrefix(head, mark) {
			return order
		}
	}
	units := len(head) / 2
	for low, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		ascii := 0
		for i := range units {
			b := head[2*i+low]
			if head[2*i+1-low] == 0 && (b >= ' ' && b < 0x7f || b == '\t' || b == '\n' || b == '\r') {
				ascii++
			}
		}
		if units >= least/2 && ascii*10 >= units*9 {
			return order
		}
	}
	return nil
}

// narrow reads UTF-16 as UTF-8, without a mark at its beginning. Halves of characters become U+FFFD.
type narrow struct {
	in    *bufio.Reader
	order binary.ByteOrder
	rest  []byte
	first bool // the next unit is the first one
}

func (n *narrow) unit() (rune, error) {
	var b [2]byte
	if _, err := io.ReadFull(n.in, b[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return utf8.RuneError, nil // half a unit is left
		}
		return 0, err
	}
	return rune(n.order.Uint16(b[:])), nil
}

func (n *narrow) Read(p []byte) (int, error) {
	for len(n.rest) < len(p) {
		r, err := n.unit()
		if err != nil {
			if len(n.rest) > 0 {
				break
			}
			return 0, err
		}
		if first := n.first; first {
			n.first = false
			if r == 0xfeff {
				continue
			}
		}
		if utf16.IsSurrogate(r) {
			if low, err := n.in.Peek(2); err == nil {
				if c := utf16.DecodeRune(r, rune(n.order.Uint16(low))); c != utf8.RuneError {
					_, _ = n.in.Discard(2)
					r = c
				}
			}
		}
		n.rest = utf8.AppendRune(n.rest, r)
		if r == '\n' && n.in.Buffered() < 2 {
			break // a line as it comes, from a pipe
		}
	}
	k := copy(p, n.rest)
	n.rest = append(n.rest[:0], n.rest[k:]...)
	return k, nil
}
