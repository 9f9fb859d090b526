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
