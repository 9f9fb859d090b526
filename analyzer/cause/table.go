package cause

import (
	"fmt"
	"strings"
)

// Table is the list of causes as docs/verdict.md has it.
func Table() string {
	var b strings.Builder
	b.WriteString("| code | title | part of the time | is named when | certainty | what to try |\n" +
		"|---|---|---|---|---|---|\n")
	for i := range causes {
		c := &causes[i]
		sure := c.Sure
		if c.Counted.Of > 0 {
			sure += fmt.Sprintf(" (true in %d of %d)", c.Counted.Right, c.Counted.Of)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", c.Code, c.Title, c.Takes, c.When, sure, c.Try)
	}
	return b.String()
}

// WorkTable is the list of kinds of work as docs/verdict.md has it.
func WorkTable() string {
	var b strings.Builder
	b.WriteString("| work | told by | what to try |\n|---|---|---|\n")
	for i := range works {
		w := &works[i]
		var by []string
		for _, list := range [][]string{w.Programs, w.Libraries, w.Functions} {
			for _, name := range list[:min(len(list), fewNames)] {
				by = append(by, "`"+name+"`")
			}
			if len(list) > fewNames {
				by = append(by, "…")
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", w.Name, strings.ReplaceAll(strings.Join(by, ", "), ", …", " …"), w.Try)
	}
	return b.String()
}

// fewNames are listed of the names that tell a kind.
const fewNames = 5
