package analyzer

import (
	"strings"
	"testing"
)

// Recordings that say enough have an outlook, and the others none, without an
// error.
func TestAnalyzeAhead(t *testing.T) {
	for name, want := range map[string]int{"cp": 9, "mmap": 9, "mac": 0, "losses": 0} {
		p, err := AnalyzeAhead("../testdata/"+name+".iotrace", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.WhatIf) != want {
			t.Errorf("%s: %d changes, want %d", name, len(p.WhatIf), want)
		}
		if text := p.Verdict.Text(); strings.Contains(text, "What if") && want == 0 {
			t.Errorf("%s: %s", name, text)
		}
	}
	if _, err := AnalyzeAhead("no such file", Options{}); err == nil {
		t.Error("a file that is missing has an outlook")
	}
}
