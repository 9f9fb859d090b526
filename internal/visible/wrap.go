package visible

import (
	"regexp"
	"strings"
)

// Wrap breaks text between words into lines of at most so many columns. A word that is longer is broken anywhere; a
// number is not parted from its unit. There is one line at least.
func Wrap(s string, width int) (lines []string) { return Hang(s, width, "") }

// Hang is Wrap with further lines indented.
func Hang(s string, width int, indent string) (lines []string) {
	line, begun := "", false
	for _, word := range words(s) {
		if begun && Width(line)+1+Width(word) > width {
			lines, line, begun = append(lines, line), indent, false
		}
		if begun {
			line += " "
		}
		for line, begun = line+word, true; Width(line) > width; {
			left := Left(line, width)
			lines, line = append(lines, left), indent+line[len(left):]
		}
	}
	return append(lines, line)
}

// units are what may stand behind a number, and stays on its line.
var units = regexp.MustCompile(`^(%|([kMGT]|[KMGT]i)?B(/s)?|[nµm]?s|min|h|d)[,.;:)]*$`)

// words are what a line may be broken between.
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
