package measure

import (
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestRepeatsAreCounted compares with entering every access by itself.
func TestRepeatsAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var counted, entered Pattern
		for range rapid.IntRange(1, 30).Draw(t, "places") {
			at := rapid.Int64Range(0, 40).Draw(t, "at")
			n := rapid.Int64Range(1, 5).Draw(t, "n")
			times := rapid.OneOf(rapid.IntRange(1, 3), rapid.IntRange(1, 5*maxStreams)).Draw(t, "times")
			for range times {
				counted.Add(at, n)
				entered.add(at, n)
			}
			if rapid.IntRange(0, 9).Draw(t, "ask") == 0 {
				counted.Profile()
			}
		}
		if d := diff.Diff(entered.Profile(), counted.Profile()); d != "" {
			t.Fatalf("-entered +counted:\n%s", d)
		}
	})
}
