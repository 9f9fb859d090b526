package text

import (
	"strings"

	"github.com/iotrace/iotrace/internal/visible"
)

// wrap writes a paragraph behind a bullet, broken between words where the line
// is full. A word longer than a line is broken anywhere.
func (t *text) wrap(dress func(string) string, bullet, s string) {
	t.wrapLabel(dress, bullet, strings.Repeat(" ", visible.Width(bullet)), visible.Width(bullet), s)
}

// wrapLabel does so behind a label that may be dressed itself; indent stands before further lines, and width is how far
// the wider of both reaches.
func (t *text) wrapLabel(dress func(string) string, bullet, indent string, width int, s string) {
	for _, line := range visible.Wrap(s, max(t.o.Width-width, 20)) {
		if dress != nil {
			line = dress(line)
		}
		t.b.WriteString(bullet + line + "\n")
		bullet = indent
	}
}

// line writes one line: what does not fit is cut.
func (t *text) line(dress func(string) string, bullet, s string) {
	s = visible.Shorten(visible.Text(s), t.o.Width-visible.Width(bullet))
	if dress != nil {
		s = dress(s)
	}
	t.b.WriteString(bullet + s + "\n")
}
