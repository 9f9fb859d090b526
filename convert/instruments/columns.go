package instruments

import (
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/tracer/macos"
)

// callNumber is the number of a row's system call: "read", "BSC_read".
func callNumber(row *element) (uint16, bool) {
	c := row.Child("syscall")
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

var numbers = func() map[string]uint16 {
	m := map[string]uint16{}
	for _, c := range macos.Calls {
		m[c.Name] = c.Number
	}
	return m
}()

// noErrors are texts that Instruments puts where an error is expected, of calls
// that did not fail.
var noErrors = []string{"success", "unknown error code", "reachable", "operation not supported"}

// harmless reports whether a row's error is one of these.
func harmless(row *element) bool {
	for _, e := range []*element{row.Child("errno"), row.Child("narrative").Child("errno")} {
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

// findErrno looks for the error number, which is in the narrative or in a
// column of its own.
func findErrno(row *element) (int64, bool) {
	for _, e := range []*element{row.Child("errno"), row.Child("narrative").Child("errno")} {
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

// findPath looks for the column of paths.
func findPath(row *element) string {
	for _, name := range []string{"file-path", "path", "vnode-path", "string"} {
		if c := row.Child(name); c != nil {
			if s := strings.TrimSpace(c.Text); strings.HasPrefix(s, "/") {
				return s
			}
			if strings.HasPrefix(c.Fmt, "/") {
				return c.Fmt
			}
		}
	}
	return ""
}
