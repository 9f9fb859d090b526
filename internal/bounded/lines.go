package bounded

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Lines are the lines of an input.
type Lines struct {
	in   *bufio.Reader
	max  int
	long []byte // a line that the buffer of in does not hold
}

// NewLines reads lines of at most max bytes. The buffer may be smaller: a longer line takes memory of its own.
func NewLines(in io.Reader, buffer, max int) *Lines {
	return &Lines{in: bufio.NewReaderSize(in, buffer), max: max}
}

// Next is the next line, without its end, LF or CRLF, until Next is called again. The error is ErrTooLong of a line of
// which nothing is kept, and io.EOF at the end.
func (l *Lines) Next() ([]byte, error) {
	line, err := l.in.ReadSlice('\n')
	if err != nil { // of few lines: asking for the kind of no error takes time, too
		if line, err = l.partial(line, err); err != nil {
			return nil, err
		}
	}
	if line[len(line)-1] == '\n' {
		line = line[:len(line)-1]
	}
	if len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	return line, nil
}

// partial is a line that the buffer does not hold whole, or that ends with the input.
func (l *Lines) partial(line []byte, err error) ([]byte, error) {
	if errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.rest(line)
	}
	switch {
	case err == nil || errors.Is(err, ErrTooLong):
		return line, err
	case !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("reading the input: %w", err)
	case len(line) == 0:
		return nil, io.EOF
	}
	return line, nil
}

// rest is a line of which the buffer holds only the beginning.
func (l *Lines) rest(line []byte) ([]byte, error) {
	if cap(l.long) > MaxLine { // one such line is no reason to keep its memory
		l.long = nil
	}
	l.long = append(l.long[:0], line...)
	var err error
	for long := false; ; {
		line, err = l.in.ReadSlice('\n')
		if long = long || len(l.long)+len(line) > l.max; !long {
			l.long = append(l.long, line...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && (err == nil || errors.Is(err, io.EOF)) {
			return nil, TooLong(l.max)
		}
		return l.long, err
	}
}

// TooLong is the error of what is longer than so many bytes.
func TooLong(max int) error {
	if max == MaxLine {
		return ErrTooLong
	}
	return tooLong(max)
}

type tooLong int

func (n tooLong) Error() string   { return fmt.Sprintf("it is longer than %d MiB", int(n)>>20) }
func (n tooLong) Is(e error) bool { return e == ErrTooLong }
