package unit

import (
	"testing"
	"time"
)

// A flag prints what it was given in a form that it takes again, and nothing for 0, which stands for a default.
func TestFlags(t *testing.T) {
	var size SizeFlag
	var wait DurationFlag
	if size.String() != "" || wait.String() != "" {
		t.Errorf("unset: %q, %q", size.String(), wait.String())
	}
	for text, want := range map[string]int64{"4k": 4096, "64MiB": 64 << 20, "1GB": 1e9} {
		if err := size.Set(text); err != nil || int64(size) != want {
			t.Errorf("%s: %d, %v", text, size, err)
		}
	}
	if err := size.Set("64MiB"); err != nil || size.String() != "64 MiB" {
		t.Errorf("%q, %v", size.String(), err)
	}
	if err := wait.Set("1m30s"); err != nil || time.Duration(wait) != 90*time.Second || wait.String() != "1m30s" {
		t.Errorf("%q, %v", wait.String(), err)
	}
	if size.Set("much") == nil || wait.Set("long") == nil {
		t.Error("nonsense is taken")
	}
}
