package wording

import "testing"

func TestWithUnits(t *testing.T) {
	const text = "4 KiB in 12.5 ms, 40 % of 3 calls; 1.2 GB, 3 sides"
	if got, want := WithUnits(text, "_"), "4_KiB in 12.5_ms, 40_% of 3 calls; 1.2_GB, 3 sides"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
