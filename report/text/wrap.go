package text

import (
	"regexp"
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
	room := max(t.o.Width-width, 20)
	line := ""
	flush := func() {
		if dress != nil {
			line = dress(line)
		}
		t.b.WriteString(bullet + line + "\n")
		bullet, line = indent, ""
	}
	for _, word := range words(s) {
		if line != "" && visible.Width(line)+1+visible.Width(word) > room {
			flush()
		}
		if line != "" {
			line += " "
		}
		for line += word; visible.Width(line) > room; {
			rest := line[len(visible.Left(line, room)):]
			line = visible.Left(line, room)
			flush()
			line = rest
		}
	}
	flush()
}

// line writes one line: what does not fit is cut.
func (t *text) line(dress func(string) string, bullet, s string) {
	s = visible.Shorten(visible.Text(s), t.o.Width-visible.Width(bullet))
	if dress != nil {
		s = dress(s)
	}
	t.b.WriteString(bullet + s + "\n")
}

// units are what may stand behind a number, and stays on its line.
var units = regexp.MustCompile(`^(%|([kMGT]|[KMGT]i)?B(/s)?|[nµm]?s|min|h|d)[,.;:)]*$`)

// words are what a line may be broken between: a number is not parted from its unit.
func words(s string) (list []string) {
	for _, word := range strings.Fields(s) {
		if n := len(list); n > 0 && units.MatchString(word) && endsInDigit(list[n-1]) {
			list[n-1] += " " + word
			continue
		}
		list = append(list, word)
	}
	return list
}

func endsInDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }
