package tracefile

import (
	"errors"
	"io"
)

// window looks ahead in a stream. It holds no more than the largest frame and
// the header of the next.
type window struct {
	in     io.Reader
	buf    []byte
	start  int   // of what is not consumed, in buf
	offset int64 // of start, in the stream
	err    error // why there is nothing more to read
}

const (
	minWindow     = 256 << 10
	maxEmptyReads = 100
)

// peek returns the next n bytes without consuming them, or fewer at the end of
// the stream. They are valid until the next call.
func (w *window) peek(n int) []byte {
	for empty := 0; len(w.buf)-w.start < n && w.err == nil; {
		if w.fill(n) > 0 {
			empty = 0
		} else if empty++; empty == maxEmptyReads {
			w.err = io.ErrNoProgress
		}
	}
	return w.buf[w.start:min(w.start+n, len(w.buf))]
}

// fill reads once, with room for n bytes in all.
func (w *window) fill(n int) int {
	if w.start == len(w.buf) {
		w.buf, w.start = w.buf[:0], 0
	}
	if cap(w.buf)-w.start < n {
		rest := w.buf[w.start:]
		if cap(w.buf) < n {
			w.buf = make([]byte, 0, max(minWindow, n))
		}
		w.buf = append(w.buf[:0], rest...)
		w.start = 0
	}
	got, err := w.in.Read(w.buf[len(w.buf):cap(w.buf)])
	w.buf, w.err = w.buf[:len(w.buf)+got], err
	return got
}

// skip consumes n bytes, which may not have been read yet.
func (w *window) skip(n int) {
	for w.err == nil && len(w.buf)-w.start < n {
		have := len(w.buf) - w.start
		w.start, w.offset, n = len(w.buf), w.offset+int64(have), n-have
		if w.seek(n) {
			return
		}
		w.peek(min(n, minWindow))
	}
	n = min(n, len(w.buf)-w.start)
	w.start += n
	w.offset += int64(n)
}

// seek skips n bytes of a file without reading them, if that pays.
func (w *window) seek(n int) bool {
	s, ok := w.in.(io.Seeker)
	if !ok || n < minWindow {
		return false
	}
	if _, err := s.Seek(int64(n), io.SeekCurrent); err != nil {
		return false // a pipe
	}
	w.offset += int64(n)
	return true
}

// failure is the error that ended the stream, nil if that was its end.
func (w *window) failure() error {
	if errors.Is(w.err, io.EOF) {
		return nil
	}
	return w.err
}
