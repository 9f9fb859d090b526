package wording

import "testing"

func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"/srv/data/a.db": "a.db", "/tmp/hsperfdata_app/19922": "hsperfdata_app/19922",
		"/var/lib/pg/base/5/16384.1": "5/16384.1",
		"/17":                        "17", "17": "17", "": ".", "/": "/", "pipe:[6]": "pipe:[6]",
	} {
		if got := FileName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
