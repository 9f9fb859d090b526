package usage

import "testing"

// TestForm: names that differ in numbers and sums alone have one form.
func TestForm(t *testing.T) {
	for name, want := range map[string]string{
		"/repo/snapshots/0bd3c1a2e4f50617aa": "/repo/snapshots/#",
		"/cache/index/0b/0bd3c1a2e4f50617aa": "/cache/index/#/#",
		"/srv/list-2026-11-30.txt":           "/srv/list-#-#-#.txt",
		"/srv/deadbeef":                      "/srv/deadbeef", // too short for a sum
		"/be/config":                         "/#/config",
		"be":                                 "be",
		"":                                   "",
		"/a/1f/":                             "/a/#/",
	} {
		if got := string(form(nil, name)); got != want {
			t.Errorf("%q has the form %q, want %q", name, got, want)
		}
	}
}
