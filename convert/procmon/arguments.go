package procmon

import "strings"

// arguments takes a command line apart as programs of Windows do (Microsoft, C language documentation, "Parsing C
// command-line arguments"): blanks separate, except between quotes, and a backslash keeps a quote from being one.
func arguments(line string) (list []string) {
	var word strings.Builder
	quoted, begun, slashes := false, false, 0
	for i := 0; i < len(line); i++ {
		c := line[i]
		if c == '\\' {
			slashes++
			continue
		}
		if c == '"' {
			word.WriteString(strings.Repeat(`\`, slashes/2))
			if begun = true; slashes%2 == 1 {
				word.WriteByte(c)
			} else {
				quoted = !quoted
			}
			slashes = 0
			continue
		}
		begun = begun || slashes > 0
		word.WriteString(strings.Repeat(`\`, slashes))
		slashes = 0
		if (c == ' ' || c == '\t') && !quoted {
			if begun {
				list = append(list, word.String())
			}
			word.Reset()
			begun = false
			continue
		}
		word.WriteByte(c)
		begun = true
	}
	if word.WriteString(strings.Repeat(`\`, slashes)); begun || slashes > 0 {
		list = append(list, word.String())
	}
	return list
}
