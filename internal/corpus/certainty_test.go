//go:build linux

package corpus

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
)

// firsts are the causes that came first, by how sure they were: how many of them were true.
type firsts map[string]cause.Count

// ofKinds are those of the kinds of work, of mounts and of attributes.
var ofKinds = firsts{}

func (f firsts) add(certainty string, right bool) {
	c := f[certainty]
	if c.Of++; right {
		c.Right++
	}
	f[certainty] = c
}

// String says it of those of which it is noted; "" if there are none.
func (f firsts) String() string {
	var b strings.Builder
	for _, certainty := range []string{cause.Measured, cause.Likely, cause.Open} {
		if c := f[certainty]; c.Of > 0 {
			fmt.Fprintf(&b, "\nWhere it came first and was %s, it was true in %d of %d.", certainty, c.Right, c.Of)
		}
	}
	return b.String()
}
