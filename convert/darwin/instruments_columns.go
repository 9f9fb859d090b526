package darwin

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// callNumber is the number of a system call: "read", "BSC_read".
func callNumber(c *element) (uint16, bool) {
	if c == nil {
		return 0, false
	}
	for _, name := range []string{c.Fmt, c.Text} {
		name = strings.TrimPrefix(strings.TrimSpace(name), "BSC_")
		if n, ok := numbers[name]; ok {
			return n, true
		}
	}
	return 0, false
}

var numbers, opens = func() (numbers map[string]uint16, opens map[uint16]trace.Op) {
	numbers, opens = map[string]uint16{}, map[uint16]trace.Op{}
	for _, c := range macos.Calls {
		numbers[c.Name] = c.Number
		if c.Op == trace.OpOpen {
			opens[c.Number] = c.Op
		}
	}
	return numbers, opens
}()

// noErrors are texts that Instruments puts where an error is expected, of calls
// that did not fail.
var noErrors = []string{"success", "unknown error code", "reachable", "operation not supported"}

// harmless reports whether a row's error is one of these.
func (s *schema) harmless(row *element) bool {
	for _, e := range []*element{s.value(row, "errno", "errno"), row.Child("narrative").Child("errno")} {
		if e == nil {
			continue
		}
		text, _, _ := strings.Cut(e.Fmt, "(")
		if slices.Contains(noErrors, strings.ToLower(strings.TrimSpace(text))) {
			return true
		}
	}
	return false
}

// errno looks for the error number, which is in the narrative or in a
// column of its own.
func (s *schema) errno(row *element) (int64, bool) {
	for _, e := range []*element{s.value(row, "errno", "errno"), row.Child("narrative").Child("errno")} {
		if n, ok := e.Number(); ok {
			return n, true
		}
		if e != nil { // "No such file or directory (2)"
			s := strings.TrimSuffix(e.Fmt, ")")
			if n, err := strconv.ParseInt(s[strings.LastIndexByte(s, '(')+1:], 10, 32); err == nil {
				return n, true
			}
		}
	}
	return 0, false
}

// path looks for the column of paths.
func (s *schema) path(row *element) string {
	values := []*element{s.value(row, "file-path", "path")}
	for _, name := range []string{"path", "vnode-path", "string"} {
		values = append(values, row.Child(name))
	}
	for _, c := range values {
		if p := c.text(); strings.HasPrefix(p, "/") {
			return p
		}
	}
	return ""
}

// like is the value of a row in the first column whose mnemonic holds one of some words, the first word first.
func (s *schema) like(row *element, words ...string) *element {
	if len(row.Children) != s.width {
		return nil
	}
	for _, w := range words {
		best := s.width
		for m, at := range s.columns {
			if strings.Contains(m, w) && at < best && row.Children[at].Name != "sentinel" {
				best = at
			}
		}
		if best < s.width {
			return row.Children[best]
		}
	}
	return nil
}

// text is what an element says, "" for nil.
func (e *element) text() string {
	if e == nil {
		return ""
	}
	if t := strings.TrimSpace(e.Text); t != "" {
		return t
	}
	return strings.TrimSpace(e.Fmt)
}
