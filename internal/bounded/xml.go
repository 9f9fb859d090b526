package bounded

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
)

// XML reads the tokens of a document, which may hold rows. Neither a token nor a row is longer than MaxLine. Elements
// are not matched with their ends, so no depth takes memory.
type XML struct {
	decoder *xml.Decoder
	in      meter
	inRow   bool
}

// NewXML reads a document from its beginning.
func NewXML(in io.Reader) *XML {
	x := &XML{in: meter{in: bufio.NewReaderSize(in, 64<<10), line: 1}}
	x.decoder = xml.NewDecoder(&x.in)
	return x
}

// Token is the next token; what is in it is valid until Token is called again. ErrTooLong says that there is none, nor
// will be before SkipTo.
func (x *XML) Token() (xml.Token, error) {
	if !x.inRow {
		x.in.left = MaxLine
	}
	t, err := x.decoder.RawToken()
	if x.in.spent {
		err = ErrTooLong
	}
	return t, err
}

// Row begins or ends a row, all of which shares one limit.
func (x *XML) Row(begins bool) {
	x.inRow = begins
	x.in.left = MaxLine
}

// Place is the line and the byte, both from 1, up to which was read.
func (x *XML) Place() (line int, at int64) { return x.in.line, x.in.at + 1 }

// SkipTo goes on in front of the next element of a name, whatever stands before it. The error is io.EOF if there
// is none.
func (x *XML) SkipTo(name string) error {
	for start := []byte("<" + name); ; {
		if err := x.in.until('<'); err != nil {
			return err
		}
		next, err := x.in.in.Peek(len(start) + 1)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(next) > len(start) && bytes.HasPrefix(next, start) && bytes.IndexByte([]byte(" \t\r\n/>"),
			next[len(start)]) >= 0 {
			break
		}
		x.in.left = 1
		if _, err := x.in.ReadByte(); err != nil {
			return err
		}
	}
	x.in.spent = false
	x.inRow = false
	x.decoder = xml.NewDecoder(&x.in)
	return nil
}

// meter is an input of which only so many bytes can be read.
type meter struct {
	in    *bufio.Reader
	left  int
	spent bool // more was asked for
	at    int64
	line  int
}

func (m *meter) ReadByte() (byte, error) {
	if m.left == 0 {
		m.spent = true
		return 0, ErrTooLong
	}
	b, err := m.in.ReadByte()
	if err == nil {
		m.left--
		m.at++
		if b == '\n' {
			m.line++
		}
	}
	return b, err
}

// Read is never called: encoding/xml reads bytes where it can.
func (m *meter) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	c, err := m.ReadByte()
	if err != nil {
		return 0, err
	}
	b[0] = c
	return 1, nil
}

// until reads up to a byte, which is the next to be read then.
func (m *meter) until(c byte) error {
	for {
		if _, err := m.in.Peek(1); err != nil {
			return err
		}
		seen, err := m.in.Peek(m.in.Buffered())
		if err != nil {
			return err
		}
		n := bytes.IndexByte(seen, c)
		found := n >= 0
		if !found {
			n = len(seen)
		}
		m.at += int64(n)
		m.line += bytes.Count(seen[:n], []byte("\n"))
		if _, err := m.in.Discard(n); err != nil || found {
			return err
		}
	}
}
