package visible

import (
	"encoding/binary"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// Writer passes text of lines on as Lines has it. It stands before every stream that a person may read, so that a
// name which was forgotten on the way there does no harm. It may be used by several goroutines.
type Writer struct {
	mu      sync.Mutex
	to      io.Writer
	allowed []string // sequences that pass as they are
	out     []byte   // used again
	rest    []byte   // the beginning of a character, or of an allowed sequence
}

// NewWriter lets nothing hidden through but the escape sequences that are allowed.
func NewWriter(to io.Writer, allowed ...string) *Writer { return &Writer{to: to, allowed: allowed} }

// Write implements io.Writer. What may be the beginning of something is held back until the next call.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rest) == 0 && shown(p) == len(p) { // most text
		return w.to.Write(p)
	}
	text := p
	if len(w.rest) > 0 {
		text = append(w.rest, p...)
		w.rest = nil
	}
	w.out = w.out[:0]
	for len(text) > 0 {
		n := shown(text)
		w.out = append(w.out, text[:n]...)
		if text = text[n:]; len(text) == 0 {
			break
		}
		n, part := w.sequence(text)
		if part {
			w.rest = append([]byte(nil), text...)
			break
		}
		if n > 0 {
			w.out = append(w.out, text[:n]...)
		} else {
			_, n = utf8.DecodeRune(text)
			w.out = append(w.out, Lines(string(text[:n]))...)
		}
		text = text[n:]
	}
	if len(w.out) == 0 {
		return len(p), nil
	}
	if _, err := w.to.Write(w.out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Flush passes on what is held back.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rest) == 0 {
		return nil
	}
	_, err := io.WriteString(w.to, Lines(string(w.rest)))
	w.rest = nil
	return err
}

// shown is how many bytes from the first on pass as they are.
func shown(text []byte) int {
	for i := 0; i < len(text); {
		if i+8 <= len(text) && plain8(binary.LittleEndian.Uint64(text[i:])) {
			i += 8
			continue
		}
		c := text[i]
		if c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if c < utf8.RuneSelf || r == utf8.RuneError && n == 1 || !printable(r) {
			return i
		}
		i += n
	}
	return len(text)
}

// plain8 is true for eight bytes of ASCII without control characters, which are looked at together: events are printed
// by the gigabyte. In the lowest byte that is none, one of the three has the highest bit set; in none that is one.
func plain8(bytes uint64) bool {
	const each = 0x0101010101010101
	return (bytes|(bytes-' '*each)|(bytes+each))&(0x80*each) == 0
}

// sequence is the length of an allowed sequence that text begins with, 0 if it begins with none; part says that what
// follows decides, or that it is the beginning of a character.
func (w *Writer) sequence(text []byte) (n int, part bool) {
	if text[0] >= utf8.RuneSelf {
		return 0, !utf8.FullRune(text)
	}
	for _, s := range w.allowed {
		if strings.HasPrefix(s, string(text[:min(len(text), len(s))])) {
			if len(text) < len(s) {
				part = true
				continue
			}
			return len(s), false
		}
	}
	return 0, part
}
