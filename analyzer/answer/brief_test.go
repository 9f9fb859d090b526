package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestWithoutNames checks that calls on names go only where they stand beside data.
func TestWithoutNames(t *testing.T) {
	for text, want := range map[string]string{
		"read 1 MB · 98 openat calls on 44 names below /usr": "read 1 MB",
		"read 1 MB · 21 unlink calls":                        "read 1 MB",
		"read 9 MB in 3 calls, mostly of db · wrote 1 MB":    "read 9 MB in 3 calls, mostly of db · wrote 1 MB",
		"98 openat calls on 44 names below /usr":             "98 openat calls on 44 names below /usr",
	} {
		if got := withoutNames([]profile.AnswerLine{{Label: Program, Text: text}}); got[0].Text != want {
			t.Errorf("%q became %q, want %q", text, got[0].Text, want)
		}
	}
}
