package verdict

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// outOf says that most of what was computed was to make files of one kind out of files of another kind, and what helps
// then; "" if not. One file is no kind: what it is made of may be anything.
func outOf(a *account) (text, remedy string) {
	all, known := a.processorTime()
	x, _ := most(a.p.Computed, func(c *profile.Computed) int64 {
		if c.Files < several || !kind(c.From) || !kind(c.To) || c.From == c.To {
			return none
		}
		return c.NS
	})
	if x == nil || !known || 2*x.NS <= all {
		return "", ""
	}
	a.figure("computed_ns", float64(x.NS))
	remedy = "make only those that are needed, or keep them"
	if all <= a.total {
		remedy += "; make several at a time: it computed on one CPU"
	}
	return fmt.Sprintf("to make %s out of %s: %s of CPU time", unit.Things(x.Files, x.To+" file"), x.From,
		unit.Nanoseconds(x.NS)), remedy
}

// kind reports whether an extension is one that says what a file is: a version's number does not.
func kind(ext string) bool {
	return len(ext) > 1 && !strings.ContainsAny(ext[1:2], "0123456789")
}
