package experiment

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/rights"
)

// TestState: what was measured survives, up to a line that was cut off, and
// only for the same experiment.
func TestState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.gap")
	var owner *rights.Identity
	plan := gap.Factorial(2, 6, 1)
	open := func(key string, want int) *state {
		t.Helper()
		s, err := openState(path, key, owner)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(s.made("full", plan)); got != want {
			t.Fatalf("%d runs kept, want %d", got, want)
		}
		return s
	}
	s := open("a", 0)
	for _, r := range plan[:5] {
		if err := s.add("full", gap.Measured{Run: r, Seconds: 1, Bytes: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.release(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text[:len(text)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	s = open("a", 4)
	if err := errors.Join(s.add("full", gap.Measured{Run: plan[4], Seconds: 1, Bytes: 1}), s.release()); err != nil {
		t.Fatal(err)
	}
	if err := open("a", 5).release(); err != nil {
		t.Fatal(err)
	}
	if err := open("b", 0).release(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("an empty state was kept")
	}
	if err := os.WriteFile(path, []byte("my notes\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openState(path, "a", owner); err == nil {
		t.Error("a file of somebody else was overwritten")
	}
}
