package stats

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// readLines decodes a file of random cases, one a line. See testdata/README.md.
func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c T
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s:%d: %v", name, len(cases)+1, err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 300 {
		t.Fatalf("%s: %d cases, want 300 or more", name, len(cases))
	}
	return cases
}

// near reports whether two numbers agree to a relative (or, below 1, absolute)
// tolerance.
func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

// check fails the test if a number is not the one expected.
func check(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !near(got, want, tolerance) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}
