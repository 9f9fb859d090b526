package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The line that a report shows while it reads says how much there is.
func TestReadingLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.iotrace")
	if err := os.WriteFile(path, make([]byte, 1_500_000), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		path: "reading 1.50 MB of events, 2.30 s", "-": "reading standard input, 2.30 s",
	} {
		if line := readingLine(path, 2_345*time.Millisecond); line != want {
			t.Errorf("%q, want %q", line, want)
		}
	}
}
