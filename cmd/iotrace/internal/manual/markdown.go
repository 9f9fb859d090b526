package manual

import (
	"slices"
	"strings"
)

// markdown is a text of help as cobra's generator takes it: what is indented stays as it is, a line of capitals is the
// title of a section, and nothing else has a meaning.
func markdown(text string) string {
	var b strings.Builder
	fenced := false
	fence := func(on bool) {
		if on != fenced {
			fenced = on
			b.WriteString("```\n")
		}
	}
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		switch indented := strings.HasPrefix(line, "  "); {
		case indented:
			if !fenced {
				b.WriteString("\n")
			}
			fence(true)
			b.WriteString(line)
		case strings.TrimSpace(line) == "":
			fence(false)
			b.WriteString("\n")
		case isTitle(line):
			fence(false)
			b.WriteString("# " + line)
		default:
			fence(false)
			b.WriteString(escape(line))
		}
	}
	fence(false)
	return b.String()
}

// isTitle tells the title of a section.
func isTitle(line string) bool { return slices.Contains(order, strings.TrimSpace(line)) }

// escape takes the meaning from what Markdown would read in a text. The name of a flag's value stays in quotes.
var escape = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `_`, `\_`, `<`, `\<`, `>`, `\>`, `[`, `\[`, `]`, `\]`, `#`, `\#`,
	`~`, `\~`, `|`, `\|`).Replace
